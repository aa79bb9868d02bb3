"""YAML as plain values: no tags, no types and no references left, every scalar is text or None."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import yaml

from index.records import FrontmatterError, Limits, Value
from index.values import Remark, Unreadable

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_CORE = "tag:yaml.org,2002:"
_CORE_NAMES = (
    *("str", "null", "bool", "int", "float", "timestamp", "binary", "seq", "map", "set"),
    *("omap", "pairs", "merge", "value"),
)
# YAML 1.1 breaks lines at these too; in a file whose lines end at LF and CR they are text.
_UNICODE_BREAKS = "\x85\u2028\u2029"
_PRIVATE_USE = range(0xE000, 0xF900)
# Aliases may repeat text as well as nodes: the values may not outgrow their block more than this.
_GROWTH = 4


def load_yaml(text: str, limits: Limits) -> tuple[Value, tuple[Remark, ...]]:
    """One YAML document as plain values, and what was odd about it; raises Unreadable."""
    stand_ins = _stand_ins(text)
    parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events = yaml.parse(text.translate(stand_ins), Loader=parser)
    back = {new: old for old, new in stand_ins.items()}
    builder = _Builder(events, limits, back)
    try:
        value = builder.document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = error.problem or "no YAML"
        # libyaml has a cap of its own, and may reach it while it looks ahead of ours
        code: FrontmatterError = "too-deep" if "maximum nesting" in problem else "yaml"
        raise Unreadable(code, problem, line) from error
    except yaml.YAMLError as error:
        raise Unreadable("yaml", "a character that YAML does not allow") from error
    return value, tuple(builder.remarks)


def _stand_ins(text: str) -> dict[int, int]:
    """For each Unicode line break of the text a private character that the text does not use."""
    present = [ord(character) for character in _UNICODE_BREAKS if character in text]
    free = (code for code in _PRIVATE_USE if chr(code) not in text)
    return dict(zip(present, free, strict=False))


@dataclass(slots=True)
class _Node:
    """A value and what it weighs once its aliases are written out."""

    value: Value
    nodes: int = 1
    chars: int = 0
    height: int = 0


@dataclass(slots=True)
class _Builder:
    """Values from parser events; the caps are on the expanded tree, so sharing hides no bomb."""

    events: Iterator[yaml.Event]
    limits: Limits
    back: Mapping[int, int]
    remarks: list[Remark] = field(default_factory=list[Remark])
    anchors: dict[str, _Node | None] = field(default_factory=dict[str, _Node | None])

    def document(self) -> Value:
        """The only document's value; None for an empty text."""
        value: Value = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                value = self.node(next(self.events), 0).value
                break
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise Unreadable("yaml", "more than one document", _line(event))
        return value

    def node(self, event: yaml.Event, depth: int) -> _Node:
        """The node that starts with this event, inside `depth` collections."""
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, depth)
        anchor: str | None = getattr(event, "anchor", None)
        if anchor is not None:
            self.anchors[anchor] = None
        node = self.scalar(event) if isinstance(event, yaml.ScalarEvent) else None
        node = node or self.collection(event, depth + 1)
        if anchor is not None:
            self.anchors[anchor] = node
        return node

    def alias(self, event: yaml.AliasEvent, depth: int) -> _Node:
        """The anchored node again, weighed as if it were written out."""
        if event.anchor not in self.anchors:
            raise Unreadable("yaml", "an alias without its anchor", _line(event))
        node = self.anchors[event.anchor]
        if node is None:
            raise Unreadable("yaml", "an alias inside its own anchor", _line(event))
        self.check_depth(depth + node.height, event)
        return node

    def scalar(self, event: yaml.ScalarEvent) -> _Node:
        """Text, or None for an empty or null plain scalar."""
        tag = self.tag(event)
        text = str(event.value)
        if not event.style and text in _NULLS and tag not in ("!", "str"):
            return _Node(None)
        return _Node(text.translate(self.back), chars=len(text))

    def tag(self, event: yaml.Event) -> str:
        """The tag's name; it never changes a value, and one for more than plain data is refused."""
        tag = str(getattr(event, "tag", None) or "")
        name = tag.removeprefix(_CORE)
        if tag in ("", "!"):
            return tag
        if name == tag or name not in _CORE_NAMES:
            raise Unreadable("yaml", "a tag that asks for more than plain data", _line(event))
        self.remarks.append(Remark("tag-ignored", _line(event), f"!!{name}"))
        return name

    def check_depth(self, depth: int, event: yaml.Event) -> None:
        """Refuse collections nested deeper than the cap."""
        if depth > self.limits.yaml_depth:
            detail = f"nested deeper than {self.limits.yaml_depth}"
            raise Unreadable("too-deep", detail, _line(event))

    def hold(self, holder: _Node, item: _Node, event: yaml.Event) -> None:
        """Add an item's weight to its collection's, and refuse what outgrows the caps."""
        holder.nodes += item.nodes
        holder.chars += item.chars
        holder.height = max(holder.height, item.height + 1)
        if holder.nodes > self.limits.yaml_nodes:
            detail = f"more than {self.limits.yaml_nodes:,} values, aliases written out"
            raise Unreadable("too-large", detail, _line(event))
        if holder.chars > _GROWTH * self.limits.frontmatter:
            raise Unreadable("too-large", "aliases repeat too much text", _line(event))

    def collection(self, event: yaml.Event, depth: int) -> _Node:
        """The sequence or mapping that starts with this event."""
        self.check_depth(depth, event)
        self.tag(event)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(depth)
        items: list[Value] = []
        node = _Node(items, height=1)
        for first in self.events:
            if isinstance(first, yaml.SequenceEndEvent):
                break
            item = self.node(first, depth)
            items.append(item.value)
            self.hold(node, item, first)
        return node

    def mapping(self, depth: int) -> _Node:
        """The pairs up to the end of a mapping; of equal keys the last wins."""
        pairs: dict[str, Value] = {}
        node = _Node(pairs, height=1)
        for first in self.events:
            if isinstance(first, yaml.MappingEndEvent):
                break
            key = self.key(first, depth, node)
            if key in pairs:
                self.remarks.append(Remark("duplicate-key", _line(first), key))
            item = self.node(next(self.events), depth)
            pairs[key] = item.value
            self.hold(node, item, first)
        return node

    def key(self, event: yaml.Event, depth: int, holder: _Node) -> str:
        """A key as text, whatever scalar it is; a collection cannot be one."""
        node = self.node(event, depth)
        self.hold(holder, node, event)
        if node.value is None:
            return str(getattr(event, "value", ""))
        if isinstance(node.value, str):
            return node.value
        raise Unreadable("yaml", "a collection used as a key", _line(event))


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1
