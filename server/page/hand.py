"""Whose hand a form of this page is, as far as the page can tell."""

from collections.abc import Mapping

from server.refusals import Refusal
from server.review import Hand


def hand_of(form: Mapping[str, str], report_sha256: str) -> Hand | Refusal:
    """The hand that sent these fields about a report.

    Somebody with a browser under this user: nothing was asked that only the person knows. What is
    asked once there is a passphrase stands in templates/_hand.html, and never travels in `Form`.
    """
    return Hand("local", "page", report_sha256)
