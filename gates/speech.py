"""What the author of a markdown text says in their own words, sentence by sentence."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from gates.inline import blanked, prose_of
from gates.markup import paragraphs
from gates.quotes import quoted
from gates.tokens import Sentence, origin, read_sentences
from index.text import Span, without_ignorable

# A list mark and the blanks after it, as far as anybody looks back for a hyphen.
_MARK = 8
# One character for one, so that places stay: full-width letters and the blanks that do not break.
_WIDTHS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(
    (0x00A0, 0x2007, 0x202F, 0x3000), 0x20
)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The paragraphs of prose as sentences outside quotations; `given` leads back to the text."""

    paragraphs: tuple[tuple[Sentence, ...], ...]
    given: Callable[[int], int]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    def span(self, sentence: Sentence) -> Span:
        """Where a sentence stands in the text as it was given."""
        return self.given(sentence.start), self.given(sentence.end - 1) + 1


@lru_cache(maxsize=4)  # several gates read the same excerpt in turn
def own_words(text: str) -> OwnWords:
    """Read a markdown text, leaving out whatever is not its author speaking."""
    seen, removed = without_ignorable(text.translate(_WIDTHS))
    found: list[tuple[Sentence, ...]] = []
    spans = paragraphs(seen)
    followers = [*(seen[start] for start, _ in spans[1:]), ""]
    for (start, end), following in zip(spans, followers, strict=False):
        prose = prose_of(seen[start:end])
        hyphened = seen[max(0, start - _MARK) : start].rstrip(" \t").endswith("-")
        sentences = read_sentences(blanked(prose, quoted(prose, hyphened, following)), start)
        if sentences:
            found.append(sentences)
    return OwnWords(tuple(found), origin(removed))
