"""The keys of `judge` and `judges`: who makes the judgements of a dig without an agent."""

import re
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, field_validator, model_validator

from index.records import Value
from server.config_values import KIB, Count, Seconds, Section, Size, Words, whole_number

OFFLINE = "offline"
_SECRET = re.compile("key|token|secret|password|authorization", re.IGNORECASE)
JudgeName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]


class JudgeSteps(Section):
    """Another judge for one step; the default where nothing is said."""

    terms: str = ""
    scores: str = ""
    pick: str = ""


class JudgeChoice(Section):
    """Who makes the judgements of a dig without an agent, by name."""

    default: Annotated[str, Field(min_length=1)] = OFFLINE
    steps: JudgeSteps = JudgeSteps()
    # rows hidden in every batch that match nothing, to see whether they are scored all the same
    decoys: Annotated[int, BeforeValidator(whole_number), Field(le=3)] = 0

    @property
    def names(self) -> tuple[str, str, str]:
        """The judge of each step: terms, scores, pick."""
        steps = (self.steps.terms, self.steps.scores, self.steps.pick)
        terms, scores, pick = (name or self.default for name in steps)
        return terms, scores, pick


class JudgeEntry(Section):
    """One judge of the owner's: a model at an endpoint, or a program."""

    kind: Literal["model", "command"]
    model: str = ""
    base_url: Annotated[str, Field(pattern=r"^(https?://[^@\s]+)?$")] = ""
    provider: Annotated[str, Field(pattern=r"^[a-z0-9-]*$")] = ""
    key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    command: Words = ()
    timeout_seconds: Count = 120
    tries: Count = 5
    backoff_seconds: Seconds = 1.0
    concurrent: Annotated[int, BeforeValidator(whole_number), Field(gt=0, le=16)] = 1
    max_bytes: Size = KIB * KIB

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            named = not url or bool(parts.hostname and (parts.port is None or parts.port))
        except ValueError as wrong:
            raise ValueError(f"is no address: {wrong}") from wrong
        if not named:
            raise ValueError("is no address: it names no host, or port 0")
        if _SECRET.search(parts.query):
            raise ValueError("keys come from the environment only: name the variable as key_env")
        return url

    @model_validator(mode="before")
    @classmethod
    def _no_key(cls, data: Value) -> Value:
        if isinstance(data, dict) and any(_SECRET.search(key) for key in data if key != "key_env"):
            raise ValueError("keys come from the environment only: name the variable as key_env")
        return data

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "command":
            if not self.command or self.model or self.base_url or self.provider or self.key_env:
                raise ValueError("a command judge has a command, and nothing of a model")
        elif self.command or not self.model or bool(self.base_url) == bool(self.provider):
            raise ValueError("a model judge has a model and either base_url or provider")
        if any("\0" in word for word in self.command):
            raise ValueError("a command holds no NUL")
        if self.provider not in ("", "openai") and self.key_env:
            raise ValueError("key_env goes with base_url; providers know their own variable")
        return self
