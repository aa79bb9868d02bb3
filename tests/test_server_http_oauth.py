"""Access tokens of an authorization server: a key pair of its own, and every way to forge one."""

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.testclient import TestClient

from server.config import Settings
from server.config_http import Http, OAuth
from server.http.access import Access, principal_of
from server.http.app import Place, build
from tests.digging import Ground

pytestmark = pytest.mark.anyio
ISSUER, RESOURCE = "https://id.example", "https://dig.example/mcp"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def published() -> dict[str, Any]:
    made = RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True)
    curve = ECAlgorithm.to_jwk(CURVE.public_key(), as_dict=True)
    return {"keys": [{**made, "kid": "rsa"}, {**curve, "kid": "curve"}]}


@pytest.fixture(scope="module")
def issuer() -> Iterator[OAuth]:
    """An issuer that publishes its keys on this machine."""

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(published()).encode())

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Keys) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        jwks = f"http://127.0.0.1:{server.server_port}/keys"
        yield OAuth(issuer=ISSUER, resource=RESOURCE, jwks=jwks, scopes=("dig",))
        server.shutdown()
        thread.join()


def claims(**changes: object) -> dict[str, Any]:
    now = int(time.time())
    made = {"iss": ISSUER, "aud": RESOURCE, "sub": "u1", "exp": now + 86_400, "scope": "dig read"}
    return {key: value for key, value in {**made, **changes}.items() if value is not None}


def signed(key: Any = RSA, algorithm: str = "RS256", kid: str = "rsa", **changes: object) -> str:
    return jwt.encode(claims(**changes), key, algorithm, headers={"kid": kid})


@pytest.mark.requirement("http:oauth")
@pytest.mark.parametrize(
    "token",
    [
        pytest.param(signed(), id="RSA"),
        pytest.param(signed(CURVE, "ES256", "curve"), id="curve"),
        pytest.param(signed(aud=["https://other.example", RESOURCE]), id="several audiences"),
    ],
)
async def test_a_token_for_us_opens(token: str, issuer: OAuth) -> None:
    found = await Access(Http(oauth=issuer)).verify_token(token)
    assert found is not None
    assert principal_of(found) == f"u1 {ISSUER}"
    assert found.scopes == ["dig", "read"]


@pytest.mark.requirement("http:oauth")
@pytest.mark.parametrize(
    "token",
    [
        pytest.param("", id="nothing"),
        pytest.param("a.b.c", id="no token"),
        pytest.param(signed(STRANGER), id="another key"),
        pytest.param(signed(kid="missing"), id="unknown key"),
        pytest.param(signed(CURVE, "ES256", "rsa"), id="a key for another"),
        pytest.param(signed(None, "none"), id="no signature"),
        pytest.param(signed("s" * 64, "HS256"), id="a shared secret"),
        pytest.param(signed(iss="https://evil.example"), id="another issuer"),
        pytest.param(signed(aud="https://other.example"), id="another audience"),
        pytest.param(signed(aud=None), id="no audience"),
        pytest.param(signed(sub=None), id="no subject"),
        pytest.param(signed(exp=None), id="no end"),
        pytest.param(signed(exp=int(time.time()) - 3600), id="over"),
        pytest.param(signed(nbf=int(time.time()) + 3600), id="not yet"),
        pytest.param(signed()[:-4] + "AAAA", id="a changed signature"),
    ],
)
async def test_any_other_opens_nothing(token: str, issuer: OAuth) -> None:
    assert await Access(Http(oauth=issuer)).verify_token(token) is None


@pytest.mark.requirement("http:oauth")
async def test_keys_that_cannot_be_had_open_nothing(issuer: OAuth) -> None:
    gone = issuer.model_copy(update={"jwks": "http://127.0.0.1:9/keys"})
    assert await Access(Http(oauth=gone)).verify_token(signed()) is None


@pytest.mark.requirement("http:oauth")
def test_a_client_without_a_token_is_told_where_to_get_one(
    ground: Ground, tmp_path: Any, issuer: OAuth
) -> None:
    from dataclasses import replace

    settings: Settings = replace(ground.at(tmp_path / "state"), http=Http(oauth=issuer))
    with TestClient(build(Place(settings, "dig", 80)), base_url="http://127.0.0.1:80") as client:
        client.headers["host"] = "127.0.0.1:80"
        answer = client.get("/mcp")
        assert answer.status_code == 401
        place = "https://dig.example/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="{place}"' in answer.headers["www-authenticate"]
        told = client.get("/.well-known/oauth-protected-resource/mcp").json()
        assert told["resource"] == RESOURCE
        assert told["authorization_servers"] == [ISSUER]
        ready = {"ready": True, "store": True, "bases_unavailable": 0}
        assert client.get("/readyz").json() == ready
        for scope, status in (("read", 403), ("dig", 405)):
            bearer = {"Authorization": f"Bearer {signed(scope=scope)}"}
            assert client.get("/mcp", headers=bearer).status_code == status
