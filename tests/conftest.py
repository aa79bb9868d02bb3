"""What every test may ask for: corpora beside the repository, our own, settings, the command."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import click.testing
import hypothesis
import pytest

from server.config import Overrides, Settings, load_settings
from server.dig import Digs
from tests.digging import Ground, digs_of, ground_over, in_memory, make_ground
from tests.retrieval_base import write_retrieval_base
from tests.voices_base import write_voices_base

REPOSITORY = Path(__file__).resolve().parent.parent

# Two busy cores say nothing of a slow function; time is measured in bench/.
hypothesis.settings.register_profile("suite", deadline=None, print_blob=True)
hypothesis.settings.load_profile("suite")
# What runs in the background ignores Ctrl-C, and so would all that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def nobody_is_at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the configuration or the state of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("EXPEDITION_CONFIG", raising=False)
        patch.setenv("EXPEDITION_STATE", str(home / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("XDG_STATE_HOME", str(home / "state-home"))
        yield home


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The large corpora and the cases beside the repository; a test that needs them skips alone."""
    folder = REPOSITORY.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not here: this test reads the corpora in it")
    return folder


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The knowledge bases of this project; tests only read them."""
    return REPOSITORY / "kb_fixtures"


@pytest.fixture
def codex(fixtures: Path, tmp_path: Path) -> Path:
    """A copy of the catalogue base that a test may change."""
    return Path(shutil.copytree(fixtures / "codex", tmp_path / "codex"))


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The small base for digs, its index built once."""
    return make_ground(tmp_path_factory.mktemp("ground"))


@pytest.fixture(scope="session")
def retrieval_ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The base for step 2, its index built once."""
    return ground_over(write_retrieval_base(tmp_path_factory.mktemp("retrieval") / "kb"))


@pytest.fixture(scope="session")
def voices_ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The base whose lived material no gate can hear, its index built once."""
    return ground_over(write_voices_base(tmp_path_factory.mktemp("voices") / "kb"))


@pytest.fixture
def digs(ground: Ground) -> Iterator[Digs]:
    """Digs over the small base, in a state directory of the test's own."""
    with in_memory() as folder:
        yield digs_of(ground.at(folder / "state"))


@pytest.fixture
def changing(ground: Ground, tmp_path: Path) -> Settings:
    """Settings over a copy of the small base, with an index; a test may change both."""
    base = Path(shutil.copytree(ground.base, tmp_path / "kb"))
    return ground_over(base).at(tmp_path / "state")


@pytest.fixture
def settings_for(tmp_path: Path) -> Callable[..., Settings]:
    """Settings over the folders given, with a state directory of the test's own."""
    return lambda *roots: load_settings(Overrides(kb=roots, state=tmp_path / "state"), {})


@pytest.fixture
def expedition() -> Callable[..., click.testing.Result]:
    """Run `expedition` in this process: arguments in; exit code, stdout and stderr out."""
    from server.cli import expedition

    def run(*arguments: str | os.PathLike[str], stdin: str | None = None) -> click.testing.Result:
        words = [os.fspath(argument) for argument in arguments]
        runner = click.testing.CliRunner()
        return runner.invoke(expedition, words, input=stdin, catch_exceptions=False)

    return run
