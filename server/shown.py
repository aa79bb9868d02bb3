"""Text of the corpus as it is shown: as data, on its own lines, with nothing hidden in it."""

from index.text import visible

SUMMARY_SHOWN = 1200


def quoted(text: str) -> str:
    """Text of the corpus as data: every line behind `> `, hidden characters as escapes."""
    return "\n".join("> " + visible(line) for line in text.split("\n"))


def visible_line(text: str) -> str:
    """Text of the corpus on one line, hidden characters as escapes."""
    return visible(" ".join(text.split()))


def shown_summary(text: str) -> tuple[str, bool]:
    """A summary as shown, and whether it was cut at 1,200 characters."""
    return text[:SUMMARY_SHOWN], len(text) > SUMMARY_SHOWN
