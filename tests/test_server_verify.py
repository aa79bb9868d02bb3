from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.faults import BaseUnavailable, NotFound, PathRefused
from server.brief import BriefTrouble, compose_brief
from server.brief_text import render_brief
from server.config import Settings
from server.dig_state import DigState
from server.nearest import nearest_text
from server.verify import Checked, Verification, verify
from tests.decided import ANCHOR, Made, Passage, decided_dig, record, sha256

FIRST = "I walked out on the ice and it sang.\nNobody had told me that ice sings."
SECOND = "We came home by the long road, and I said nothing of it to my mother."
NOTE = f"---\ntitle: Ice\n---\n\n{FIRST}\n\n{SECOND}\n"


class Base:
    """A base of one note, a brief that quotes it twice, and the settings that know both."""

    def __init__(self, root: Path, settings: Settings, folder: Path) -> None:
        self.note = root / "ice.md"
        self.note.parent.mkdir(parents=True, exist_ok=True)
        self.note.write_bytes(NOTE.encode())
        self.settings = settings
        self.brief = folder / "brief.md"
        self.write(self.passages())

    def passages(self) -> list[Passage]:
        content = NOTE.encode()
        return [
            Passage(
                text,
                path="ice.md",
                start=content.index(text.encode()),
                first_line=content[: content.index(text.encode())].count(b"\n") + 1,
                file=content,
            )
            for text in (FIRST, SECOND)
        ]

    def write(self, passages: list[Passage], made: Made | None = None) -> DigState:
        dig = decided_dig(passages, made or Made())
        self.brief.write_bytes(render_brief(compose_brief(dig, ANCHOR)).encode())
        return dig

    def verify(self) -> Verification:
        return verify(self.brief, self.settings)

    def passage(self, number: int = 1) -> Checked:
        return self.verify().passages[number - 1]


@pytest.fixture
def base(tmp_path: Path, settings_for: Callable[..., Settings]) -> Base:
    root = tmp_path / "codex"
    root.mkdir()
    return Base(root, settings_for(root), tmp_path)


@pytest.mark.requirement("verify:verbatim")
def test_untouched_sources_are_verbatim(base: Base) -> None:
    verification = base.verify()
    assert verification.holds
    assert [(p.standing, p.detail) for p in verification.passages] == [("verbatim", "")] * 2


@pytest.mark.requirement("verify:one-byte")
def test_one_changed_byte_is_found_and_named(base: Base) -> None:
    base.note.write_bytes(NOTE.replace("sang", "sank").encode())
    verification = base.verify()
    assert not verification.holds
    changed, other = verification.passages
    assert (changed.standing, changed.detail) == (
        "changed",
        "nearest text at lines 5-6, similarity 97 %",
    )
    assert (other.standing, other.detail) == ("verbatim", "the file changed elsewhere")


def test_text_that_moved_is_found_where_it_is(base: Base) -> None:
    base.note.write_bytes(
        NOTE.replace("\n\nI walked", "\n\nA new first line.\n\nI walked").encode()
    )
    assert [p.standing for p in base.verify().passages] == ["moved", "moved"]
    assert base.passage().detail == "now at lines 7-8"
    assert base.verify().holds


def test_of_several_places_the_nearest_is_named(base: Base) -> None:
    far = NOTE + "\nfiller\n" * 50 + f"\n{SECOND}\n"
    base.note.write_bytes(far.replace("title: Ice", "title: Ice and snow").encode())
    assert base.passage(2).detail == "now at lines 8-8"


def test_line_numbers_that_the_brief_got_wrong_are_corrected(base: Base) -> None:
    first, second = base.passages()
    base.write([replace(first, first_line=40), second])
    assert (base.passage().standing, base.passage().detail) == ("moved", "now at lines 5-6")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(NOTE.replace("\n", "\r\n").encode(), id="other line ends"),
        pytest.param(NOTE.replace("ice", "íce").encode("latin-1"), id="another encoding"),
        pytest.param(NOTE.replace(FIRST, FIRST.upper()).encode(), id="another letter case"),
    ],
)
def test_the_same_words_in_other_bytes_are_changed(base: Base, content: bytes) -> None:
    base.note.write_bytes(content)
    assert base.passage().standing == "changed"
    assert base.passage().detail.startswith("nearest text at lines ")


@pytest.mark.parametrize("content", [b"", b"Other words entirely.", b"\0\xff" * 50])
def test_where_nothing_is_left_that_is_said(base: Base, content: bytes) -> None:
    base.note.write_bytes(content)
    assert (base.passage().standing, base.passage().detail) == (
        "changed",
        "nothing like it is in the file",
    )


def test_a_deleted_file_is_gone(base: Base) -> None:
    base.note.unlink()
    assert {p.standing for p in base.verify().passages} == {"gone"}
    assert not base.verify().holds


def test_a_file_that_became_a_link_is_gone_and_not_followed(base: Base, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_bytes(NOTE.encode())
    base.note.unlink()
    base.note.symlink_to(tmp_path / "outside.md")
    assert base.passage().standing == "gone"


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "a\0b", ""])
def test_a_brief_cannot_make_verify_read_outside_the_base(
    base: Base, tmp_path: Path, path: str
) -> None:
    (tmp_path / "outside.md").write_bytes(NOTE.encode())
    base.write([replace(passage, path=path) for passage in base.passages()])
    assert {p.standing for p in base.verify().passages} == {"gone"}


@pytest.mark.requirement("verify:own-quotation")
def test_a_quotation_altered_in_the_brief_is_changed(base: Base) -> None:
    base.brief.write_text(base.brief.read_text().replace("> We came", "> They came"))
    assert base.passage(1).standing == "verbatim"
    assert (base.passage(2).standing, base.passage(2).detail) == (
        "changed",
        "the brief's own quotation is no longer what was cut",
    )


def test_a_quotation_made_up_in_the_brief_with_its_hash_is_changed(base: Base) -> None:
    text = base.brief.read_text().replace(sha256(SECOND), sha256("I never wrote this."))
    base.brief.write_text(text.replace(f"> {SECOND}", "> I never wrote this."))
    assert base.passage(2).standing == "changed"


def test_a_base_that_nobody_configured_is_named(
    base: Base, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(NotFound, match="no base is called codex"):
        verify(base.brief, settings_for(tmp_path / "other"))


def test_a_base_whose_folder_is_away_is_no_reason_to_say_gone(base: Base) -> None:
    base.note.parent.rename(base.note.parent.with_name("away"))
    with pytest.raises(BaseUnavailable):
        base.verify()


@pytest.mark.parametrize("kind", ["a folder", "a note", "binary", "nothing"])
def test_what_is_no_brief_is_refused(base: Base, tmp_path: Path, kind: str) -> None:
    path = {
        "a folder": tmp_path,
        "a note": base.note,
        "binary": tmp_path / "binary.md",
        "nothing": tmp_path / "nothing.md",
    }[kind]
    (tmp_path / "binary.md").write_bytes(b"\xff\0")
    with pytest.raises((BriefTrouble, NotFound, PathRefused)):
        verify(path, base.settings)


class TestTheRecord:
    def test_is_unknown_where_the_dig_is(self, base: Base) -> None:
        assert base.verify().record == "unknown here"
        assert not base.settings.state.exists()

    def test_agrees_with_a_brief_as_it_was_written(self, base: Base) -> None:
        record(base.settings, base.write(base.passages()), base.brief)
        assert base.verify().record == "as written"

    @pytest.mark.requirement("verify:edited")
    def test_tells_of_a_brief_that_was_edited(self, base: Base) -> None:
        record(base.settings, base.write(base.passages()), base.brief)
        text = base.brief.read_text()
        base.brief.write_text(text.replace('level: "local"', 'level: "person"'))
        assert base.verify().record == "edited"
        assert base.verify().holds


class TestADictatedPassage:
    SAID = Passage("I say this now.", path="dictated", via="dictated")

    def test_is_checked_against_the_dig(self, base: Base) -> None:
        record(base.settings, base.write([self.SAID]), base.brief)
        assert (base.passage().standing, base.passage().detail) == ("dictated", "as the dig has it")

    def test_of_an_unknown_dig_stands_in_the_brief_alone(self, base: Base) -> None:
        base.write([self.SAID])
        assert base.passage().standing == "dictated"
        assert "unknown here" in base.passage().detail

    def test_that_the_dig_never_heard_is_changed(self, base: Base) -> None:
        record(base.settings, base.write([self.SAID]), base.brief)
        base.write([replace(self.SAID, text="I never said this.")])
        assert (base.passage().standing, base.passage().detail) == (
            "changed",
            "the dig has no such passage",
        )

    def test_needs_no_base(
        self, base: Base, tmp_path: Path, settings_for: Callable[..., Settings]
    ) -> None:
        base.write([self.SAID])
        (tmp_path / "other").mkdir()
        assert verify(base.brief, settings_for(tmp_path / "other")).holds


@given(before=st.text(max_size=40), after=st.text(max_size=40), text=st.text(min_size=1))
def test_the_nearest_text_of_a_text_that_is_there_is_that_text_or_as_good(
    before: str, after: str, text: str
) -> None:
    found = nearest_text(f"{before}\n{text}\n{after}", text)
    if found is not None:
        assert 0 <= found.similarity <= 100
        assert found.start < found.end <= len(before) + len(text) + len(after) + 2


def test_the_nearest_text_is_where_most_words_are_shared() -> None:
    text = "cold cold cold. The ice sang loud at night. cold"
    found = nearest_text(text, "the ice sang at night")
    assert found is not None
    assert text[found.start : found.end] == "The ice sang loud at"
