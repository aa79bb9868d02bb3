"""Does a CycloneDX file name every direct dependency of the project, and its version?"""

import json
import re
import sys
import tomllib
from pathlib import Path


def folded(name: str) -> str:
    """A package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main(path: Path) -> int:
    """Compare the components with the dependencies in pyproject.toml."""
    sbom = json.loads(path.read_text(encoding="utf-8"))
    named = {folded(one["name"]) for one in sbom["components"] if one.get("version")}
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = {folded(re.split(r"[^\w.-]", line)[0]) for line in project["dependencies"]}
    missing = sorted(direct - named)
    for name in missing:
        print(f"{path.name}: missing {name}")
    count = len(named - {folded(project["name"])})
    print(f"{path.name}: CycloneDX {sbom['specVersion']}, {count} packages, {len(direct)} direct")
    return 1 if missing or sbom["bomFormat"] != "CycloneDX" else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
