"""Fields as a block of YAML that gives every text back as it was."""

import sys
from collections.abc import Mapping, Sequence

import yaml

_TAG = "tag:yaml.org,2002:"


def frontmatter(fields: Mapping[str, object]) -> str:
    """The fields between their fences: quoted text on one line each, numbers, lists, mappings.

    Quoting keeps `1:30` and `no` text; escapes keep NEL and U+2028, which YAML reads as line ends.
    """
    block = yaml.serialize(
        _node(fields), Dumper=yaml.SafeDumper, allow_unicode=True, width=sys.maxsize
    )
    return f"---\n{block}---\n"


def _node(value: object) -> yaml.Node:
    """A node, new for every value: a shared one would be written as an alias."""
    if isinstance(value, Mapping):
        pairs = [(_plain("str", key), _node(item)) for key, item in value.items()]
        return yaml.MappingNode(_TAG + "map", pairs, flow_style=not pairs)
    if isinstance(value, str):
        return yaml.ScalarNode(_TAG + "str", value, style='"')
    if isinstance(value, Sequence):
        items = [_node(item) for item in value]
        return yaml.SequenceNode(_TAG + "seq", items, flow_style=not items)
    if isinstance(value, int):
        return _plain("int", value)
    raise TypeError(f"{type(value).__name__} has no place in frontmatter")


def _plain(kind: str, value: object) -> yaml.ScalarNode:
    return yaml.ScalarNode(_TAG + kind, str(value))
