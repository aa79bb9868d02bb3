import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

# Stands in for a Python without ensurepip, as on Debian: it notes each call and makes what the real
# one would make. The environment's python is the same script.
STAND_IN = """\
#!/bin/sh
echo "$(basename "$0") $*" >> {log}
case "$*" in
  "-m venv --clear .venv") mkdir -p .venv/bin; exit 1 ;;
  "-m venv --clear --without-pip .venv") cp "$0" .venv/bin/python; cp "$0" .venv/bin/expedition ;;
  "-m pip --python "*) touch .venv/bin/pip ;;
  "-c "*) echo works ;;
esac
"""


class Tree:
    """A fresh tree that holds only what make needs, and the calls that make made in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "calls"
        self.python = folder / "debian-python"
        self.python.write_text(STAND_IN.format(log=self.log), encoding="utf-8")
        self.python.chmod(0o755)
        for name in ("Makefile", "pyproject.toml"):
            shutil.copy(REPOSITORY / name, folder)

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run make as a person would, whatever make this suite runs under."""
        command = ["make", f"PYTHON={self.python}", *words]
        environment = {"PATH": os.environ["PATH"]}
        return subprocess.run(
            command, cwd=self.folder, env=environment, check=False, capture_output=True, text=True
        )

    def calls(self) -> list[str]:
        """What was run since the last time of asking, but for make's look at the environment."""
        calls = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [call for call in calls if " -c " not in call]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


INSTALL = "python -m pip install --quiet --disable-pip-version-check"


@pytest.mark.requirement("setup:nothing-installed")
def test_a_python_without_ensurepip_is_filled_by_the_pip_it_came_with(tree: Tree) -> None:
    assert tree.make("demo").returncode == 0
    pip = "debian-python -m pip --python .venv/bin/python install"
    assert tree.calls() == [
        "debian-python -m venv --clear .venv",
        "debian-python -m venv --clear --without-pip .venv",
        f"{pip} --quiet --disable-pip-version-check pip",
        f"{INSTALL} pip>=25.1",
        f"{INSTALL} --editable . --group test",
        "expedition demo",
    ]


@pytest.mark.requirement("setup:offline")
def test_what_is_set_up_is_not_set_up_again(tree: Tree) -> None:
    tree.make("test")
    tree.calls()
    os.utime(tree.folder / "pyproject.toml")
    assert tree.make("demo", "DECISION=keep").returncode == 0
    assert tree.calls() == ["expedition demo --decision keep"]
    assert tree.make("test").returncode == 0
    assert tree.calls() == ["python -m pytest --numprocesses=auto"]


def test_a_changed_project_file_is_installed_again(tree: Tree) -> None:
    tree.make("demo")
    tree.calls()
    with (tree.folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    tree.make("demo")
    assert tree.calls() == [f"{INSTALL} --editable . --group test", "expedition demo"]


def test_an_environment_whose_python_is_gone_is_made_again(tree: Tree) -> None:
    tree.make("demo")
    tree.calls()
    (tree.folder / ".venv" / "bin" / "python").unlink()
    assert tree.make("demo").returncode == 0
    assert tree.calls()[0] == "debian-python -m venv --clear .venv"


def test_the_checkers_are_installed_only_for_the_check(tree: Tree) -> None:
    tree.make("check")
    assert f"{INSTALL} --group lint" in tree.calls()


def test_a_failed_command_fails_make(tree: Tree) -> None:
    tree.make("demo")
    (tree.folder / ".venv" / "bin" / "expedition").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    assert tree.make("demo").returncode != 0


@pytest.mark.requirement("setup:old-python")
def test_without_a_new_enough_python_make_says_so(tree: Tree) -> None:
    asked = tree.make("PYTHON=", "test")
    assert asked.returncode != 0
    assert "Python 3.11 or newer is needed" in asked.stderr
    assert "make test PYTHON=" in asked.stderr
    assert not (tree.folder / ".venv").exists()


def test_the_ci_script_is_executable_and_parses() -> None:
    script = REPOSITORY / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
