"""A form as it came."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Posted:
    """A form as it came: its fields, and the cookie that came with it."""

    fields: Mapping[str, str]
    cookie: str

    def field(self, name: str) -> str:
        """A field; empty if it was not sent."""
        return self.fields.get(name, "")
