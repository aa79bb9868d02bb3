"""Opening a dig: what is judged before it exists, and what it starts with."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from server.config import Settings
from server.dig import Digs
from server.moves.opening import new_id, slug_of
from server.refusals import Refusal
from server.replies import Answer, Opened
from server.review import Review
from tests.digging import ASKED, TERMS, digs_of, hand_on, keep, open_dig, reported
from tests.digging_base import BLAZE_PATH
from tests.rows_made import make_base


def opened(answer: Answer) -> Opened:
    assert isinstance(answer, Opened), answer.text
    return answer


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


@pytest.mark.requirement("dig:open")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"voice": "carbon"}, "there is no such voice", id="voice in small letters"),
        pytest.param({"voice": ""}, "there is no such voice", id="no voice"),
        pytest.param({"keyword_primary": " .,! "}, "keyword_primary says nothing", id="no keyword"),
        pytest.param({"title": ""}, "title says nothing", id="no title"),
        pytest.param({"title": "x" * 201}, "title has 201 characters", id="a long title"),
        pytest.param({"keyword_primary": "y" * 201}, "has 201 characters", id="a long keyword"),
        pytest.param({"slug": ""}, "the slug is out of form", id="an empty slug"),
        pytest.param({"slug": "Kiln"}, "the slug is out of form", id="a capital"),
        pytest.param({"slug": "../kiln"}, "the slug is out of form", id="a path"),
        pytest.param({"slug": "kiln\n"}, "the slug is out of form", id="a line end"),
        pytest.param({"slug": "k" * 81}, "the slug is out of form", id="a long slug"),
        pytest.param({"title": "kiln \ud800"}, "cannot be written down", id="a lone surrogate"),
    ],
)
def test_a_dig_is_not_opened_on_arguments_out_of_form(
    changes: dict[str, object], reason: str, digs: Digs
) -> None:
    refusal = refused(digs.open_dig({**ASKED, **changes}), "INVALID_ARGUMENT")
    assert reason in refusal.reason
    assert digs.store.runs("dig") == []


@pytest.mark.requirement("dig:open")
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        pytest.param("Logs/kiln.md", "this one is not", id="lived material"),
        pytest.param("Guides/blase.md", "no listed file", id="a slip"),
        pytest.param("../outside.md", "no listed file", id="outside"),
        pytest.param("/etc/passwd", "no listed file", id="absolute"),
    ],
)
def test_a_blaze_is_a_readable_file_of_role_guidance(path: str, reason: str, digs: Digs) -> None:
    refusal = refused(digs.open_dig({**ASKED, "blaze_path": path}), "PATH_REFUSED")
    assert reason in refusal.reason
    assert "passwd" not in refusal.text
    assert digs.store.runs("dig") == []


def test_a_slip_in_the_path_of_the_blaze_is_met_with_its_neighbours(digs: Digs) -> None:
    refusal = refused(digs.open_dig({**ASKED, "blaze_path": "Guides/blase.md"}), "PATH_REFUSED")
    assert refusal.neighbours[0] == BLAZE_PATH
    assert f"(near: {BLAZE_PATH}" in refusal.text


@pytest.mark.requirement("dig:context")
def test_the_context_holds_what_the_blaze_claims_asks_and_names(digs: Digs) -> None:
    context = opened(digs.open_dig(ASKED)).context
    assert context["slug"] == "what-the-kiln-keeps"
    assert context["blaze_claims"] == (
        "Waiting is a thing that is made, like a bowl.",
        "Whoever waits is fired with the clay.",
    )
    assert context["blaze_open_questions"] == ("Who was kept by the kiln, the potter or the pot?",)
    assert context["named_phrases"] == ("The Unopened Kiln", "unopened kiln")
    assert context["pattern"] == (
        'Keeper: patience, as in "What the Kiln Keeps" — '
        "Waiting is a thing that is made, like a bowl."
    )


def test_without_archetype_and_blaze_the_pattern_is_keyword_and_title(digs: Digs) -> None:
    answer = digs.open_dig({**ASKED, "archetype_primary": "", "blaze_path": None})
    assert opened(answer).context["pattern"] == 'patience, as in "What the Kiln Keeps"'


@pytest.mark.requirement("dig:open-again")
def test_the_same_words_open_the_same_dig_only_while_it_is_opened(digs: Digs) -> None:
    dig = open_dig(digs)
    assert open_dig(digs) == dig
    assert open_dig(digs_of(digs.settings)) == dig
    assert open_dig(digs, title="Another Kiln") != dig
    digs.retrieve_candidates(dig, list(TERMS))
    assert open_dig(digs) != dig


@pytest.mark.requirement("dig:open-again")
def test_the_same_call_made_many_times_at_once_opens_one_dig(digs: Digs) -> None:
    ready = Barrier(6)

    def open_at_once(_: int) -> str:
        ready.wait()
        return opened(digs_of(digs.settings).open_dig(ASKED)).dig_id

    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(open_at_once, range(6)))
    assert [run.run for run in digs.store.runs("dig")] == list(ids)


@pytest.mark.requirement("dig:open-again")
def test_a_redirected_dig_is_opened_but_not_anew(digs: Digs) -> None:
    state = reported(digs)
    Review(digs).redirect(state.dig, hand_on(state), keep(state), "look at the sea")
    assert digs.load(state.dig).state == "opened"
    assert open_dig(digs) != state.dig


@pytest.mark.requirement("dig:lived-material")
@pytest.mark.parametrize(
    ("roles", "voice", "flags"),
    [
        pytest.param(("essay", "guidance"), "Carbon", ("NO_LIVED_MATERIAL",), id="none lived"),
        pytest.param(("", ""), "Carbon", ("ROLE_UNSTATED",), id="no role at all"),
        pytest.param(("lived", ""), "Carbon", (), id="one lived"),
        pytest.param(("essay", ""), "Silicon", (), id="another voice needs none"),
    ],
)
def test_missing_lived_material_is_flagged_at_once(
    roles: tuple[str, str],
    voice: str,
    flags: tuple[str, ...],
    tmp_path: Path,
    settings_for: Callable[..., Settings],
) -> None:
    files = {
        f"{name}.md": f"---\nrole: {role}\n---\n\nI waited.\n" if role else "I waited.\n"
        for name, role in zip("ab", roles, strict=True)
    }
    make_base(tmp_path / "notes", files)
    digs = digs_of(settings_for(tmp_path / "notes"))
    answer = opened(digs.open_dig({**ASKED, "blaze_path": None, "voice": voice}))
    assert answer.flags == flags
    assert digs.load(answer.dig_id).flags == flags


@pytest.mark.requirement("dig:base-named")
def test_of_several_bases_one_is_to_be_named(
    ground_base: Path, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    make_base(tmp_path / "notes", {"a.md": "I waited.\n"})
    digs = digs_of(settings_for(tmp_path / "notes", ground_base))
    for base in (None, "", "other"):
        refusal = refused(digs.open_dig({**ASKED, "base": base}), "UNKNOWN_BASE")
        assert refusal.remedy == "send base as one of: notes, kb"
    answer = digs.open_dig({**ASKED, "blaze_path": None, "base": "notes"})
    assert opened(answer).base == "notes"


@pytest.fixture
def ground_base(digs: Digs) -> Path:
    return Path(digs.settings.bases[0].root)


@pytest.mark.requirement("dig:slug")
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        pytest.param("What the Kiln Keeps", "what-the-kiln-keeps", id="words"),
        pytest.param("  Å være — ærlig & ØDE  ", "a-vaere-aerlig-ode", id="Norwegian"),
        pytest.param("Straße nach Łódź", "strasse-nach-lodz", id="letters without a twin"),
        pytest.param("Ｆｕｌｌ", "full", id="full width"),
        pytest.param("炉", "dig", id="nothing left"),
        pytest.param("a" * 79 + " b", "a" * 79, id="no dash at the end of eighty"),
    ],
)
def test_a_slug_is_made_of_the_title(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_an_id_holds_128_bits_in_small_base32() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch(r"dig_[a-z2-7]{26}", id_) for id_ in ids)
    # the last character holds three bits of the 128
    assert {id_[-1] for id_ in ids} <= set("aeimquy4")


def test_the_owners_guidance_for_the_terms_comes_with_the_dig(digs: Digs) -> None:
    guided = digs.settings.guidance.model_copy(update={"terms": "think of ovens"})
    settings = replace(digs.settings, guidance=guided)
    answer = opened(digs_of(settings).open_dig(ASKED))
    assert answer.guidance == "think of ovens"
    assert "The owner's guidance for this step:\n> think of ovens" in answer.text
