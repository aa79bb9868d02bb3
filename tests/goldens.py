"""Rendered texts held against files, of tests/golden mostly; GOLDEN=write renders them anew."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str, folder: Path = FOLDER) -> None:
    """The text is the file's, byte for byte."""
    file = folder / name
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    expected = file.read_bytes().decode("utf-8") if file.exists() else ""
    assert text == expected, f"{name} differs; look at the difference, then GOLDEN=write pytest"
