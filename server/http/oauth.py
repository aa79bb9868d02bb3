"""Access tokens of an OAuth authorization server: JWTs by RFC 9068, for this resource only."""

from anyio.to_thread import run_sync
from mcp.server.auth.provider import AccessToken

from server.config_http import OAuth

# Signatures by a key pair only: a shared secret, or none, is nobody's proof.
_ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
_LEEWAY_SECONDS = 30
_FETCH_SECONDS = 5.0


class OAuthTokens:
    """Checks tokens with the keys that the issuer publishes (JWKS), fetched when missed."""

    def __init__(self, oauth: OAuth) -> None:
        from jwt import PyJWKClient

        self._oauth = oauth
        self._keys = PyJWKClient(oauth.jwks, timeout=_FETCH_SECONDS)

    async def verify(self, token: str) -> AccessToken | None:
        """Whose token it is; None unless the issuer signed it for this resource and it is young."""
        return await run_sync(self._verified, token)

    def _verified(self, token: str) -> AccessToken | None:
        import jwt

        try:
            claims = jwt.decode(
                token,
                self._keys.get_signing_key_from_jwt(token),
                algorithms=_ALGORITHMS,
                audience=self._oauth.resource,
                issuer=self._oauth.issuer,
                leeway=_LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError:
            return None
        subject = str(claims["sub"])
        scopes = claims.get("scope", "")
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or subject),
            scopes=scopes.split() if isinstance(scopes, str) else [],
            expires_at=int(claims["exp"]) + _LEEWAY_SECONDS,
            resource=self._oauth.resource,
            subject=subject,
            claims={"iss": self._oauth.issuer},
        )
