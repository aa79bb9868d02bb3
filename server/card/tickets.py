"""What a card must show before its decision is heard: proof that the host rendered it.

One half of a token stands in the card's page, which the host reads; the other, the ticket, travels
with the report in `_meta`, which hosts keep from the model. Only the rendered card has both. A
ticket is bound to its dig and report, so a decision, a redirect or another passage uses it up.
"""

import hashlib
import hmac
from dataclasses import dataclass

# A person may take a day, as with a form.
TTL_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Tickets:
    """Issues and checks tickets with a secret `key`; times are seconds of Unix time."""

    key: bytes

    @property
    def page_half(self) -> str:
        """The half that stands in the card's page, the same for every report."""
        return self._seal("page")

    def issue(self, dig: str, report_sha256: str, now: float) -> str:
        """The half that travels with one report."""
        expires = str(int(now) + TTL_SECONDS)
        return f"{expires}.{self._seal('ticket', dig, report_sha256, expires)}"

    def admit(self, token: str, dig: str, report_sha256: str, now: float) -> bool:
        """Whether a token is both halves, in time, for this dig and this report."""
        expires = token.partition(".")[2].partition(".")[0]
        if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
            return False
        expected = f"{self.page_half}.{expires}.{self._seal('ticket', dig, report_sha256, expires)}"
        matches = hmac.compare_digest(token.encode(errors="replace"), expected.encode())
        return matches and now <= int(expires)

    def _seal(self, *parts: str) -> str:
        # each part by its length, so that no two lists of parts read alike
        text = "".join(f"{len(part)}:{part}" for part in ("card", *parts))
        return hmac.new(self.key, text.encode(errors="replace"), hashlib.sha256).hexdigest()
