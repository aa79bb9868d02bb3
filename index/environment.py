"""What a process of ours gets to know of the one that starts it."""

import os
from pathlib import Path

# What a Python needs to find itself, its packages and its language; no secrets of the parent.
_KEPT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH"),
    *("PYTHONHOME", "PYTHONPATH", "PYTHONUTF8", "PYTHONWARNINGS"),
)


def environment() -> dict[str, str]:
    """Our own packages come first; `-P` keeps those of the current folder out."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    ours = str(Path(__file__).parent.parent)
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, (ours, kept.get("PYTHONPATH"))))}
