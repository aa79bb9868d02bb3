"""Reading expedition.yaml: a complaint names the line, the place and, for a key, the nearest."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from index.faults import BadSettings, NotFound
from index.records import Limits, Value
from server.config_judges import JudgeChoice, JudgeEntry, JudgeSteps
from server.config_schema import (
    BaseEntry,
    ConfigFile,
    Decide,
    ExcerptBounds,
    Guidance,
    Narrator,
    RoleEntry,
    Search,
    SizeLimits,
)
from server.config_values import Section

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from yaml import Node

MAX_BYTES = 256 * 1024
REMEDY = "docs/config.md lists every key"
SECTIONS: Mapping[str, type[Section]] = {
    "": ConfigFile,
    "bases": BaseEntry,
    "roles": RoleEntry,
    "search": Search,
    "narrator": Narrator,
    "guidance": Guidance,
    "decide": Decide,
    "excerpt": ExcerptBounds,
    "limits": SizeLimits,
    "judge": JudgeChoice,
    "steps": JudgeSteps,
}


def read_config(path: Path) -> ConfigFile:
    """The file's settings, checked; anything it says that the program does not know is an error."""
    text = _text(path)
    values = _values(path, text)
    try:
        return ConfigFile.model_validate({} if values is None else values)
    except ValidationError as wrong:
        complaints = sorted(_explained(error, text) for error in wrong.errors())
        lines = [f"{path} line {line}: {complaint}" for line, complaint in complaints]
        raise BadSettings("\n".join(lines), REMEDY) from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadSettings(f"{path} is larger than {MAX_BYTES} bytes", "is it the right file?")
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise NotFound(f"no configuration file {path}", "write one: expedition init PATH") from None
    except OSError as trouble:
        raise BadSettings(f"{path} cannot be read: {trouble.strerror}") from trouble
    except UnicodeDecodeError as trouble:
        raise BadSettings(f"{path} is not UTF-8 at byte {trouble.start}") from None


def _values(path: Path, text: str) -> Value:
    """The file's values, scalars as text so that `lang: no` stays Norwegian; no key twice."""
    from index.values import Unreadable
    from index.yaml_values import load_yaml

    try:
        values, remarks = load_yaml(text, Limits(frontmatter=MAX_BYTES))
    except Unreadable as refused:
        raise BadSettings(f"{path} line {refused.line}: {refused.detail}", REMEDY) from None
    for remark in remarks:
        if remark.kind == "duplicate-key":
            raise BadSettings(f"{path} line {remark.line}: {remark.detail} is said twice", REMEDY)
    return values


def _explained(error: "ErrorDetails", text: str) -> tuple[int, str]:
    line, steps = _located(error["loc"], text)
    return line, f"{'.'.join(steps) or 'the file'}: {_reason(error)}"


def _reason(error: "ErrorDetails") -> str:
    if error["type"] == "extra_forbidden":
        return f"unknown key, the nearest is {_nearest(error['loc'])}"
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == "model_type":
        return "should be keys with values"
    return error["msg"].removeprefix("Value error, ").removeprefix("Input ")


def _nearest(location: tuple[int | str, ...]) -> str:
    from difflib import get_close_matches

    names = ["", *(part for part in location if isinstance(part, str))]
    # What stands below `judges` is a name of the owner's.
    section = JudgeEntry if names[1] == "judges" else SECTIONS[names[-2]]
    known = list(section.model_fields)
    return get_close_matches(names[-1], known, n=1, cutoff=0)[0]


def _located(location: tuple[int | str, ...], text: str) -> tuple[int, list[str]]:
    """The line of the deepest node on the way to `location`, and the steps as the file has them."""
    node, line, steps = _composed(text), 1, list[str]()
    for part in location:
        name, at, node = _step(node, part)
        steps.append(name)
        line = at or line
    return line, steps


def _composed(text: str) -> "Node | None":
    """The file as nodes that know their lines; none if it holds line ends of Unicode's own."""
    import yaml

    try:
        return yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.YAMLError:
        return None


def _step(node: "Node | None", part: int | str) -> "tuple[str, int, Node | None]":
    """One step down: its name, its line (0 if the file does not go there) and the node reached."""
    import yaml

    if isinstance(node, yaml.SequenceNode) and isinstance(part, int):
        item = node.value[part]
        return str(part + 1), item.start_mark.line + 1, item
    if isinstance(node, yaml.MappingNode):
        # An entry of `bases` is counted, whether the file lists the bases or names them.
        for position, (key, value) in enumerate(node.value):
            if part in (position, key.value):
                return key.value, key.start_mark.line + 1, value
    return str(part), 0, None
