"""YAML as plain values: no tags, no types, no references left; every scalar is text or None."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from index.records import FrontmatterError, Limits, Value

_Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_CORE_TAG = "tag:yaml.org,2002:"
_CORE = frozenset(
    _CORE_TAG + name
    for name in (
        "binary bool float int map merge null omap pairs seq set str timestamp value".split()
    )
)
# YAML 1.1 also breaks lines at these; in a file whose lines end at LF and CR they are text.
_TEXT_BREAKS = "\x85\u2028\u2029"


class YamlRefused(Exception):
    """The text is no YAML we read; `line` counts from 1 within the text."""

    def __init__(self, code: FrontmatterError, detail: str, line: int) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd that cost nothing but should be known; `line` counts from 1 within the text."""

    kind: str
    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A value with what it weighs once its aliases are written out."""

    value: Value
    nodes: int = 1
    chars: int = 0
    height: int = 0


@dataclass(slots=True)
class _Builder:
    """Values from parser events; the caps hold for the expanded tree, so sharing cannot hide a bomb."""

    events: Iterator[yaml.Event]
    limits: Limits
    remarks: list[Remark] = field(default_factory=list)
    anchors: dict[str, _Node | None] = field(default_factory=dict)

    def document(self) -> Value:
        """The only document's value; None for an empty text."""
        value: Value = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                value = self.node(next(self.events), 0).value
                break
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise YamlRefused("yaml", "more than one document", _line(event))
        return value

    def node(self, event: yaml.Event, depth: int) -> _Node:
        """The node that starts with this event, depth collections deep."""
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, depth)
        if not isinstance(event, yaml.NodeEvent):
            raise YamlRefused("yaml", "a value was expected", _line(event))
        anchor = event.anchor
        if anchor is not None:
            self.anchors[anchor] = None
        node = self.fresh(event, depth)
        if node.nodes > self.limits.yaml_nodes or node.chars > 4 * self.limits.frontmatter:
            raise YamlRefused("too-large", "aliases expand beyond the cap", _line(event))
        if anchor is not None:
            self.anchors[anchor] = node
        return node

    def alias(self, event: yaml.AliasEvent, depth: int) -> _Node:
        """The anchored node again, weighed as if it were written out."""
        if event.anchor not in self.anchors:
            raise YamlRefused("yaml", "an alias without its anchor", _line(event))
        node = self.anchors[event.anchor]
        if node is None:
            raise YamlRefused("yaml", "an alias inside its own anchor", _line(event))
        self.check_depth(depth + node.height, event)
        return node

    def fresh(self, event: yaml.Event, depth: int) -> _Node:
        """A scalar or collection read from its own events."""
        tag = self.tag(event)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event, tag)
        self.check_depth(depth + 1, event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(depth + 1)
        return self.mapping(depth + 1)

    def tag(self, event: yaml.Event) -> str:
        """The tag, which never changes the value; one that asks for more than plain data is refused."""
        tag: str = getattr(event, "tag", None) or ""
        if tag in ("", "!"):
            return tag
        if tag not in _CORE:
            raise YamlRefused("yaml", "a tag that asks for more than plain data", _line(event))
        self.remarks.append(Remark("tag-ignored", _line(event), tag.removeprefix(_CORE_TAG)))
        return tag

    def check_depth(self, depth: int, event: yaml.Event) -> None:
        """Refuse collections nested deeper than the cap."""
        if depth > self.limits.yaml_depth:
            raise YamlRefused(
                "too-deep", f"nested deeper than {self.limits.yaml_depth}", _line(event)
            )

    def sequence(self, depth: int) -> _Node:
        """The items up to the end of the sequence."""
        items: list[Value] = []
        weight = _Weight()
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            item = self.node(event, depth)
            items.append(item.value)
            weight.add(item)
        return weight.node(items)

    def mapping(self, depth: int) -> _Node:
        """The pairs up to the end of the mapping; of equal keys the last wins."""
        pairs: dict[str, Value] = {}
        weight = _Weight()
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self.key(event, depth)
            if key in pairs:
                self.remarks.append(Remark("duplicate-key", _line(event), key))
            item = self.node(next(self.events), depth)
            pairs[key] = item.value
            weight.add(item)
        return weight.node(pairs)

    def key(self, event: yaml.Event, depth: int) -> str:
        """A key as text; a collection cannot be one."""
        if isinstance(event, yaml.ScalarEvent):
            self.node(event, depth)
            return str(event.value)
        value = self.node(event, depth).value
        if isinstance(value, str) or value is None:
            return value or ""
        raise YamlRefused("yaml", "a collection used as a key", _line(event))


@dataclass(slots=True)
class _Weight:
    """What the items of a collection weigh together."""

    nodes: int = 1
    chars: int = 0
    height: int = 0

    def add(self, item: _Node) -> None:
        self.nodes += item.nodes
        self.chars += item.chars
        self.height = max(self.height, item.height)

    def node(self, value: Value) -> _Node:
        return _Node(value, self.nodes, self.chars, self.height + 1)


def _scalar(event: yaml.ScalarEvent, tag: str) -> _Node:
    text = str(event.value)
    plain = event.style is None or event.style == ""
    if plain and text in _NULLS and tag not in ("!", _CORE_TAG + "str"):
        return _Node(None)
    return _Node(text, chars=len(text))


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1


def load_yaml(text: str, limits: Limits) -> tuple[Value, tuple[Remark, ...]]:
    """One YAML document as plain values, with what was odd about it; raises YamlRefused."""
    builder = _Builder(yaml.parse(text, Loader=_Parser), limits)
    try:
        value = builder.document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlRefused("yaml", error.problem or "no YAML", line) from error
    except yaml.YAMLError as error:
        raise YamlRefused("yaml", "a character that YAML does not allow", 1) from error
    return value, tuple(builder.remarks)
