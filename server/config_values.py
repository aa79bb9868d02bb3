"""Values of expedition.yaml: how a scalar, which arrives as text, is read."""

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from index.records import Value

KIB = 1024
_SECONDS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")
UNITS = {"": 1, "B": 1, "KiB": KIB, "MiB": KIB * KIB}


def _switch(value: Value) -> bool:
    """YAML scalars arrive as text, so that `no` can be Norwegian; only two words are a switch."""
    if value in ("true", "false"):
        return value == "true"
    raise ValueError("say true or false")


def _size(value: Value) -> int:
    """Bytes, plain or with a unit: 4194304, 64 KiB, 4 MiB."""
    if not isinstance(value, str):
        raise ValueError("say a number of bytes, such as 64 KiB or 4 MiB")
    number = value.rstrip("BKMi").rstrip()
    unit = value[len(number) :].strip()
    if unit not in UNITS or not (number.isascii() and number.isdigit()) or len(number) > 12:
        raise ValueError("say a number of bytes, such as 64 KiB or 4 MiB")
    return int(number) * UNITS[unit]


def whole_number(value: Value) -> int:
    """Digits and nothing else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    raise ValueError("say a whole number")


def _seconds(value: Value) -> float:
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        return float(value)
    raise ValueError("say a number of seconds, such as 0.5 or 2")


def several(value: Value) -> Value:
    """One word may stand for a list of one."""
    return [value] if isinstance(value, str) else value


Switch = Annotated[bool, BeforeValidator(_switch)]
Size = Annotated[int, BeforeValidator(_size), Field(gt=0)]
Count = Annotated[int, BeforeValidator(whole_number), Field(gt=0)]
Seconds = Annotated[float, BeforeValidator(_seconds)]
Words = Annotated[tuple[str, ...], BeforeValidator(several)]
PathText = Annotated[str, Field(pattern=r"^[^\x00]*$")]


class Section(BaseModel):
    """A mapping of the file: unknown keys are errors, a key without a value is a key left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_values(cls, data: Value) -> Value:
        if not isinstance(data, dict):
            return data
        return {
            key: data[key] for key in data if data[key] is not None or key not in cls.model_fields
        }
