"""What the readers of YAML and TOML say of a block beside its values."""

from dataclasses import dataclass

from index.records import FrontmatterError


class Unreadable(Exception):
    """The block cannot be read as values; `line` counts from 1 within the block."""

    code: FrontmatterError

    def __init__(self, code: FrontmatterError, detail: str, line: int = 1) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd that cost no value; `line` counts from 1 within the block."""

    kind: str
    line: int
    detail: str
