"""Templates to text. Every value that a template prints becomes a text node, its hidden characters
escapes; no template decides that, and none can forget it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from index.text import visible

FOLDER = Path(__file__).parent / "templates"
STYLE = Path(__file__).parent / "style.css"


class Exact(str):
    """A person's own words on their way through a form: printed as they are, to come back so."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page to be shown: a template and its values."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict[str, object])
    status: int = 200


@dataclass(frozen=True, slots=True)
class Away:
    """Where to go on, after something was recorded."""

    path: str


Shown = Sheet | Away


def render(sheet: Sheet) -> str:
    """The page as HTML."""
    return _environment().get_template(sheet.template).render(sheet.values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters["exact"] = Exact
    return environment


def _finalize(value: object) -> object:
    """What is printed for a value; markup that the environment itself made stays markup."""
    if isinstance(value, str) and type(value) is str:
        return visible(value)
    return value
