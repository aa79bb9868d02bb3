"""Do the wheel and the sdist hold what they should, and nothing else?"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PACKAGES = ("server/", "index/", "gates/")


def tracked() -> set[str]:
    """Every file that git knows."""
    listing = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True)
    return set(listing.stdout.split("\0")) - {""}


def in_wheel(path: Path) -> set[str]:
    """The files of a wheel, without its own metadata."""
    with zipfile.ZipFile(path) as wheel:
        return {name for name in wheel.namelist() if ".dist-info/" not in name}


def in_sdist(path: Path) -> set[str]:
    """The files of an sdist, without its own metadata."""
    with tarfile.open(path) as sdist:
        names = {member.name.partition("/")[2] for member in sdist if not member.isdir()}
    return names - {"PKG-INFO"}


def main(archives: list[Path]) -> int:
    """Compare each archive with what git tracks."""
    files = tracked()
    wrong = 0
    for path in archives:
        wheel = path.suffix == ".whl"
        found = in_wheel(path) if wheel else in_sdist(path)
        wanted = {name for name in files if name.startswith(PACKAGES)} if wheel else files
        for name in sorted(found ^ wanted):
            print(f"{path.name}: {'surplus' if name in found else 'missing'} {name}")
            wrong += 1
        print(f"{path.name}: {len(found)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
