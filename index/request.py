"""What a build is asked for and what it answers, as it passes from one process to another."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from index.records import BaseSettings, Limits, RoleRule

Mode = Literal["rebuild", "update"]


@dataclass(frozen=True, slots=True)
class Request:
    """Build the index of one base in `home`, from nothing or out of the last one."""

    settings: BaseSettings
    home: Path
    mode: Mode

    def to_json(self) -> str:
        """One line that `from_json` reads."""
        return json.dumps(
            {"settings": asdict(self.settings), "home": str(self.home), "mode": self.mode}
        )

    @classmethod
    def from_json(cls, text: str) -> "Request":
        """The request that `to_json` wrote."""
        record = json.loads(text)
        return cls(_settings(record["settings"]), Path(record["home"]), record["mode"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a build did: which generation is in force now, and how many documents it took in."""

    generation: str
    published: bool
    rows: int
    documents: int
    indexed: int
    removed: int
    counts: Mapping[str, int]


def fingerprint(settings: BaseSettings) -> str:
    """Stands for everything that shapes the rows of a base besides its files."""
    # The whole of reading hangs on it, and a parent that only starts a build need not load that.
    from index.corpus import READING

    shaped = json.dumps([READING, asdict(settings)], sort_keys=True)
    return sha256(shaped.encode()).hexdigest()


def _settings(record: Mapping[str, Any]) -> BaseSettings:
    lists: dict[str, Any] = {
        "exclude": tuple(record["exclude"]),
        "roles": tuple(RoleRule(**rule) for rule in record["roles"]),
        "lang_rules": tuple((glob, lang) for glob, lang in record["lang_rules"]),
        "limits": Limits(**record["limits"]),
    }
    return BaseSettings(**{**record, **lists})
