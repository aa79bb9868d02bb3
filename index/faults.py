"""The foreseen ways in which files, indexes and settings fail: what, where, and what to do."""

from typing import ClassVar


class Fault(Exception):
    """A foreseen failure; `remedy` is the next move, `exit_code` the command line's answer."""

    exit_code: ClassVar[int] = 4

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """The failure and the next move, in one line."""
        return f"{self.message} — {self.remedy}" if self.remedy else self.message


class NotFound(Fault):
    """Nothing of that name here."""

    exit_code = 3


class PathRefused(Fault):
    """This path may not be opened: outside the base, a link, no plain file, too large, unlisted."""

    exit_code = 1


class Unreadable(PathRefused):
    """The file is there and is ours to read, but the system does not let us."""

    exit_code = 4


class BadSettings(Fault):
    """The configuration or an argument says something impossible."""

    exit_code = 2


class ExtraMissing(BadSettings):
    """The configuration asks for an optional part of this program that is not installed."""


class BaseUnavailable(Fault):
    """The folder of a base cannot be read at all."""


class IndexTrouble(Fault):
    """The index is absent, damaged or not ours; rebuilding is the cure."""


class OtherEngine(IndexTrouble):
    """The index is whole, and another engine or another version of it made it."""


class StorageTrouble(Fault):
    """The state directory cannot be written or trusted."""
