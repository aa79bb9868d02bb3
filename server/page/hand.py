"""Whose hand a form of this page is, as far as the page can tell."""

from collections.abc import Mapping
from pathlib import Path

from server.passphrase import is_set, verify
from server.refusals import Refusal
from server.review import Hand


def hand_of(state: Path, form: Mapping[str, str], report_sha256: str) -> Hand | Refusal:
    """The hand that sent these fields about a report; refused where its passphrase is wrong.

    Without a passphrase it is somebody with a browser under this user. What is asked stands in
    templates/_hand.html, and never travels in `Form`.
    """
    if not is_set(state):
        return Hand("local", "page", report_sha256)
    proof = verify(state, form.get("passphrase", ""), "decide")
    return proof if isinstance(proof, Refusal) else Hand("person", "page", report_sha256)
