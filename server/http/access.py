"""Who is let in, and on whose behalf a request comes."""

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken, principal_components

from server.config_http import Http
from server.http.oauth import OAuthTokens
from server.http.tokens import owner_of
from server.principal import LOCAL

# No token of either kind is longer; what is gets no look.
_LONGEST = 16 * 1024


class Access:
    """Verifies bearer tokens, those of expedition.yaml first, then those of the issuer."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._oauth = OAuthTokens(http.oauth) if http.oauth else None

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token it is; None for one that opens nothing."""
        if len(token) > _LONGEST:
            return None
        if name := owner_of(token, self._http.tokens):
            scopes = list(self._http.oauth.scopes) if self._http.oauth else []
            return AccessToken(token=token, client_id=name, scopes=scopes)
        return await self._oauth.verify(token) if self._oauth else None


def asker() -> str:
    """Whose request is being answered."""
    token = get_access_token()
    return LOCAL if token is None else principal_of(token)


def principal_of(token: AccessToken) -> str:
    """The owner of a token: the name in expedition.yaml, or the subject as its issuer knows it."""
    name, issuer, subject = principal_components(token)
    # A name has no blank and no slash, so no subject of an issuer can pass for one.
    return name if issuer is None else f"{subject} {issuer}"
