"""The section `http` of expedition.yaml: who may come over the network, and how often."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, field_validator

from server.config_values import Count, Section, Words
from server.principal import LOCAL

# What a caller with a token of ours is called.
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
TokenName = Annotated[str, Field(pattern=NAME)]
TokenHash = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$")]


def _web(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise ValueError("say an address that begins with https://")
    return address


Web = Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,500}$"), AfterValidator(_web)]


class OAuth(Section):
    """Who issues tokens, for which resource, and where the keys are that they are signed with."""

    issuer: Web
    resource: Web
    jwks: Web
    scopes: Words = ()


class Http(Section):
    """What `expedition serve --http` asks of its callers beside being on this machine."""

    hosts: tuple[HostName, ...] = ()
    origins: tuple[Web, ...] = ()
    tokens: dict[TokenName, TokenHash] = Field(default_factory=dict[TokenName, TokenHash])
    oauth: OAuth | None = None
    calls_per_minute: Count = 600
    calls_at_once: Count = 8

    @field_validator("tokens")
    @classmethod
    def _nobody_is_local(cls, tokens: dict[str, str]) -> dict[str, str]:
        if LOCAL in tokens:
            raise ValueError(f"{LOCAL} is whoever needs no token; give this one another name")
        if len(set(tokens.values())) < len(tokens):
            raise ValueError("two names have one token; make each its own: expedition token new")
        return tokens

    @property
    def guarded(self) -> bool:
        """Whether callers must show a token."""
        return bool(self.tokens) or self.oauth is not None
