"""Changes of a text that change nothing of what it says: no gate's verdict may depend on them.

Over real files: the share of texts whose verdict is another after each change, gate by gate.

    python bench/bench_metamorphic.py ../shared/corpora [--texts 400] [--seed 1]
    python bench/bench_metamorphic.py --smoke
"""

import argparse
import random
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from gates.digest import body_not_digest
from gates.hidden import nothing_hidden
from gates.narration import Narrator, not_narrated
from gates.voice import first_person, hear
from index.records import Digest

OURS = Path(__file__).resolve().parent.parent / "kb_fixtures" / "codex"
Way = Callable[[str], str]
_LETTERS = re.compile(r"(?<=[^\W_])(?=[^\W_])")
_LONG_WORD = re.compile(r"\b(\w{5,})\b")
# What begins no paragraph of prose.
_NO_PROSE = tuple("#|->*`<![0123456789")


def _some(text: str, pattern: re.Pattern[str], into: str) -> str:
    """Change every seventh place of a pattern, from the third on."""
    places = iter(range(3, 10**9))
    return pattern.sub(lambda m: into.replace("@", m[0]) if next(places) % 7 == 0 else m[0], text)


def _wrapped(text: str) -> str:
    wrap = textwrap.TextWrapper(61, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(wrap.fill(paragraph) for paragraph in text.split("\n\n"))


def _turned(text: str) -> str:
    return "\n\n".join(reversed(text.split("\n\n")))


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


WAYS: Mapping[str, Way] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: f"\ufeff{text}",
    "NBSP": lambda text: text.replace(" ", "\u00a0"),
    "zero width": lambda text: _some(text, _LETTERS, "\u200b"),
    "upper case": str.upper,
    "full width": _wide,
    "emphasis": lambda text: _some(text, _LONG_WORD, "*@*"),
    "wrapping": _wrapped,
    "paragraphs turned round": _turned,
}
# Where a verdict is to depend on a change, and why.
DEPENDS: Mapping[tuple[str, str], str] = {
    ("hidden", "zero width"): "it is what this gate looks for",
    ("digest", "paragraphs turned round"): "a copied opening is one only at the top",
    ("narration", "paragraphs turned round"): "who is told of is looked for at the top",
}


def verdicts(text: str, opening: str) -> dict[str, str]:
    """What each gate says of a text; the digest is one that begins as the text does."""
    return {
        "voice": first_person(hear(text)).outcome,
        "digest": body_not_digest(text, [Digest(opening, cut=True)], 3).outcome,
        "hidden": nothing_hidden(text).outcome,
        "narration": not_narrated(text, Narrator()).outcome,
    }


def changed(text: str) -> Iterator[tuple[str, str]]:
    """Each gate whose verdict is another after a change, with the change."""
    before = verdicts(text, text[:400])
    for name, way in WAYS.items():
        after = verdicts(way(text), text[:400])
        for gate, verdict in after.items():
            if verdict != before[gate] and (gate, name) not in DEPENDS:
                yield gate, name


def prose_of(folder: Path) -> Iterator[str]:
    """The first paragraphs of prose of each file that has three."""
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        text = text.split("---\n", 2)[-1] if text.startswith("---\n") else text
        blocks = (block.strip() for block in text.split("\n\n"))
        prose = [b for b in blocks if len(b.split()) > 12 and not b.startswith(_NO_PROSE)]
        if len(prose) >= 3:
            yield "\n\n".join(prose[:6])


def main() -> None:
    """Print what changed, most first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=OURS)
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="our own small base only")
    given = parser.parse_args()
    texts = list(prose_of(OURS if given.smoke else given.folder))
    random.Random(given.seed).shuffle(texts)
    texts = texts[: given.texts]
    found = Counter(one for text in texts for one in changed(text))
    print(f"{len(texts)} texts, {len(WAYS)} changes of each, 4 gates")
    for (gate, way), count in found.most_common():
        print(f"  {gate:<10}{way:<24}{count:5}  {count / len(texts):.2%}")
    if not found:
        print("  no verdict is another")


if __name__ == "__main__":
    main()
