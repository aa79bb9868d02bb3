"""Fields as a block of YAML that gives every text back as it was."""

# types-PyYAML leaves a parameter of `dump` and of `represent_scalar` without a type.
# pyright: reportUnknownMemberType=false

import sys
from collections.abc import Mapping

import yaml

# A field: text, a whole number, or a list or mapping of fields.
Field = str | int | list["Field"] | dict[str, "Field"]


def frontmatter(fields: Mapping[str, Field]) -> str:
    """The fields between their fences: quoted text on one line each, numbers, lists, mappings.

    Quoting keeps `1:30` and `no` text; escapes keep NEL and U+2028, which YAML reads as line ends.
    """
    marked = {key: _marked(value) for key, value in fields.items()}
    block = yaml.dump(
        marked, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=sys.maxsize
    )
    return f"---\n{block}---\n"


class _Text(str):
    """A value, as opposed to a key."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Plain keys, quoted values, and nothing written as a reference to something else."""

    def ignore_aliases(self, data: object) -> bool:
        """Equal values are written out, each in its place."""
        return True

    def quoted(self, text: str) -> yaml.ScalarNode:
        """The text in double quotes."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, style='"')


_Dumper.add_representer(_Text, _Dumper.quoted)


def _marked(value: Field) -> Field:
    if isinstance(value, str):
        return _Text(value)
    if isinstance(value, list):
        return [_marked(item) for item in value]
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    return value
