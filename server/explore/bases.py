"""The bases as an exploration knows them: who they are now, and what they hold now."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from threading import Lock

from index.faults import BadSettings, BaseUnavailable
from index.holdings import Holdings, folder_name, survey_holdings
from index.paths import BaseFolder
from index.records import BaseSettings
from server.config import Settings
from server.explore.state import RunBase


@dataclass(frozen=True, slots=True)
class Opened:
    """A base at this moment: its folder, held open, and what is in it."""

    ref: RunBase
    folder: BaseFolder
    holdings: Holdings


class Bases:
    """The configured bases; what was seen of each is kept and refreshed by a walk."""

    def __init__(self, settings: Settings) -> None:
        self._settings = {base.id: base for base in settings.bases}
        self._known: dict[str, Holdings] = {}
        self._locks = {base.id: Lock() for base in settings.bases}

    @contextmanager
    def opened(self, ref: RunBase) -> Generator[Opened]:
        """A base as it is now; raises BaseUnavailable where it is gone."""
        settings = self._settings.get(ref.place)
        if settings is None:
            raise BaseUnavailable(
                f"the base {ref.id} is not configured any more", "tell the operator"
            )
        with BaseFolder.open(settings.root) as folder:
            yield Opened(ref, folder, self._survey(ref, folder, settings))

    def settings(self, ref: RunBase) -> BaseSettings:
        """A base as the operator configured it."""
        return self._settings[ref.place]

    def refs(self) -> tuple[RunBase, ...]:
        """Every configured base under the id that names it now."""
        return tuple(self._ref(base) for base in self._settings.values())

    def unambiguous(self) -> tuple[RunBase, ...]:
        """The same; raises BadSettings where two have one id, with the names of both folders."""
        refs = self.refs()
        for one, other in combinations(refs, 2):
            if one.id == other.id:
                names = " and ".join(self.folder_name(ref) for ref in (one, other))
                raise BadSettings(
                    f"two bases have the id {one.id}: the folders {names}",
                    "give each a bundle_id of its own, or configure only one of them",
                )
        return refs

    def folder_name(self, ref: RunBase) -> str:
        """What the folder of a base is called; two of one name are told apart by their place."""
        name = folder_name(self.settings(ref))
        namesakes = sum(folder_name(base) == name for base in self._settings.values())
        return name if namesakes == 1 else f"{name} ({ref.place})"

    def _ref(self, base: BaseSettings) -> RunBase:
        try:
            with self.opened(RunBase(base.id, base.id)) as found:
                return RunBase(found.holdings.id, base.id)
        except BaseUnavailable:
            return RunBase(folder_name(base), base.id)

    def _survey(self, ref: RunBase, folder: BaseFolder, settings: BaseSettings) -> Holdings:
        with self._locks[settings.id]:
            known = self._known.get(settings.id)
            if known is not None and known.held and folder.is_empty():
                raise BaseUnavailable(
                    f"the folder of the base {ref.id} holds nothing any more",
                    "tell the operator: its disk may not be mounted",
                )
            found = survey_holdings(folder, settings, known)
            self._known[settings.id] = found
            return found


def named(refs: Sequence[RunBase], name: str) -> RunBase | None:
    """The base of a run that has this id."""
    return next((ref for ref in refs if ref.id == name), None)
