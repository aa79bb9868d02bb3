"""Arguments of any kind made into what a gate can judge, or the reason why they cannot be."""

from dataclasses import dataclass

from gates.forms import is_text
from index.ladder import DEFAULT_LIMIT

# Further than any level or text reaches.
_FARTHEST = 10**12


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a traced tool as it is recorded: what was not passed is empty or 0."""

    name: str
    base: str = ""
    path: str = ""
    filter: str = ""
    offset: int = 0
    limit: int = 0
    role: str = ""

    @property
    def words(self) -> str:
        """How a refusal names this call."""
        from server.explore.refusals import echoed

        place = f" {echoed(self.path)}" if self.path else ""
        where = f" in {echoed(self.base)}" if self.base else ""
        return f"{self.name}{place}{where}"


@dataclass(frozen=True, slots=True)
class Wrong:
    """An argument that no gate could judge, and how to send it."""

    reason: str
    remedy: str


def text(name: str, sent: object, longest: int = 0, blank: bool = True) -> str | Wrong:
    """A text as it was sent; null is no text, and stands for one left out where it may be."""
    if sent is None and blank:
        return ""
    bound = f"send {name} as text" + (f" of at most {longest:,} characters" if longest else "")
    if not isinstance(sent, str) or not is_text(sent):
        return Wrong(f"{name} is no text", bound)
    if longest and len(sent) > longest:
        return Wrong(f"{name} has {len(sent):,} characters", bound)
    if not blank and not sent.strip():
        return Wrong(f"{name} is blank", bound)
    return sent


def number(name: str, sent: object, default: int) -> int | Wrong:
    """A whole number, also as digits; a boolean is none."""
    if sent is None:
        return default
    if isinstance(sent, str) and len(sent) <= 12 and sent.removeprefix("-").isdecimal():
        sent = int(sent)
    if isinstance(sent, bool) or not isinstance(sent, int):
        return Wrong(f"{name} is no whole number", f"send {name} as a whole number")
    return max(-_FARTHEST, min(sent, _FARTHEST))


def count(name: str, sent: object) -> int | Wrong:
    """A whole number that is not negative, and nothing else."""
    if isinstance(sent, bool) or not isinstance(sent, int) or not 0 <= sent <= _FARTHEST:
        return Wrong(f"{name} is no whole number >= 0", f"send {name} as a whole number >= 0")
    return sent


def switch(name: str, sent: object) -> bool | Wrong:
    """A boolean and nothing that looks like one."""
    return sent if isinstance(sent, bool) else Wrong(f"{name} is no boolean", "send true or false")


def traced(name: str, **sent: object) -> tuple[Asked, Wrong | None]:
    """A call as it is recorded, and the first of its arguments that is wrong."""
    kinds = {
        "base": text("base", sent.get("base")),
        "path": text("path", sent.get("path")),
        "filter": text("filter", sent.get("filter"), 200),
        "offset": number("offset", sent.get("offset"), 0),
        "limit": number("limit", sent.get("limit"), 0),
    }
    wrong = next((kind for kind in kinds.values() if isinstance(kind, Wrong)), None)
    kept = {key: kind for key, kind in kinds.items() if not isinstance(kind, Wrong)}
    return Asked(name, role=str(sent.get("role") or ""), **kept), wrong  # type: ignore[arg-type]


def limit_of(asked: Asked, sent: object) -> int:
    """How many entries are wanted; 0 is a wish like another, and nothing is the default."""
    return DEFAULT_LIMIT if sent is None else asked.limit
