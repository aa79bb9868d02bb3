"""Has anything the wheel brings along a known hole? Where it cannot ask it says so, and passes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

# what pip-audit says when its database cannot be asked; anything else that stops it is a failure
UNREACHABLE = (
    "ConnectionError",
    "ConnectTimeout",
    "ReadTimeout",
    "ProxyError",
    "Could not connect",
)


def judged(answer: str, complaint: str, ours: str) -> tuple[int, list[str]]:
    """The exit code and the lines to print for what pip-audit wrote."""
    if not answer.strip():
        last = complaint.strip().splitlines()[-1:] or ["pip-audit said nothing"]
        if any(word in last[0] for word in UNREACHABLE):
            return 0, ["no advisory database can be reached here: nothing was audited"]
        return 1, last
    listed: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    others = [one for one in listed if one["name"] != ours]
    if not others:
        return 1, ["there was nothing to audit"]
    asked = [one for one in others if "skip_reason" not in one]
    if not asked:
        return 0, [f"no advisory database knows any of {len(others)} packages: nothing was audited"]
    left = [one["name"] for one in others if "skip_reason" in one]
    holes = [
        f"{one['name']} {one['version']}: {hole['id']}, fixed in "
        + (", ".join(hole["fix_versions"]) or "no version")
        for one in asked
        for hole in one["vulns"]
    ]
    told = [f"{len(asked)} packages audited, {len(holes)} known holes"]
    told += [f"not audited: {', '.join(left)}"] if left else []
    return (1 if holes else 0), [*holes, *told]


def main(python: str) -> int:
    """Audit the packages that this Python sees."""
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True)
    command = [str(Path(sys.executable).with_name("pip-audit")), "--format=json", "--timeout=10"]
    command += ["--progress-spinner=off", f"--path={folder.stdout.strip()}"]
    audit = subprocess.run(command, check=False, capture_output=True, text=True)
    code, lines = judged(audit.stdout, audit.stderr, "corpus-expedition")
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
