"""How a body begins: the lead that stands in where nobody wrote a summary."""

from collections.abc import Iterator

from index.records import Document
from index.text import loose, sentences

LONGEST = 300

_PREFERRED = ("paragraph", "list_item", "block_quote")
_ENOUGH = 4 * LONGEST


def opening(document: Document) -> str:
    """The first sentences of the body that fit, or the first words of a longer one."""
    text = next(filter(None, (_prose(document, kind) for kind in _PREFERRED)), "")
    lead = ""
    for sentence in sentences(text):
        longer = f"{lead} {sentence}".strip()
        if len(longer) > LONGEST:
            break
        lead = longer
    return lead or _clipped(text)


def is_opening(summary: str, document: Document) -> bool:
    """Whether a summary is nothing but the beginning of the body."""
    bare = loose(summary.rstrip(".… "))
    return bool(bare) and any(
        loose(_prose(document, kind, len(summary) + _ENOUGH)).startswith(bare)
        for kind in _PREFERRED
    )


def _prose(document: Document, kind: str, longest: int = _ENOUGH) -> str:
    """The prose of the first blocks of a kind on one line, up to about so many characters."""
    return " ".join(_pieces(document, kind, longest))


def _pieces(document: Document, kind: str, longest: int) -> Iterator[str]:
    for block in document.blocks:
        if block.kind == kind and block.prose.strip():
            piece = " ".join(block.prose[:longest].split())
            yield piece
            longest -= len(piece)
            if longest <= 0:
                return


def _clipped(text: str) -> str:
    """The first words of a text, with an ellipsis if it goes on."""
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return (cut.rpartition(" ")[0] or cut) + "…"
