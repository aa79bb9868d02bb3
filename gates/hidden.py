"""Does a text show all that it says?"""

from gates.verdict import Verdict, passed
from index.text import hidden, visible

_SHOWN = 3


def nothing_hidden(text: str) -> Verdict:
    """Every character can be seen or belongs to its script; others are shown, not refused."""
    places = hidden(text)
    if not places:
        return passed("nothing_hidden")
    escapes = ", ".join(dict.fromkeys(visible(text[place]) for place in places[:_SHOWN]))
    return passed("nothing_hidden", f"{len(places)} hidden characters: {escapes}", "HIDDEN_TEXT")
