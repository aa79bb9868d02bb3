"""The page on which a person decides, asked over HTTP: what it shows, and what its forms record."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.brief_text import read_brief
from server.config import Overrides, Settings, load_settings
from server.dig import Digs
from server.dig_state import DigState
from server.flags import FLAGS
from server.store import Store
from tests.digging import DICTATED, Ground, briefs, digs_of, drive, open_dig, reported, shown
from tests.page_visitor import Answer, Read, Visitor, visiting
from tests.voices_base import LETTER, UNHEARD, reported_on

RAIN = "The oven was lit at dawn and it burned birch until the stone was warm."
# Words of the first paragraphs of Logs/long.md, so that it has another passage after the best.
EARLY = (
    *("jars", "sister", "boat", "shelf", "house", "cold"),
    *("lantern", "winter", "father", "bricks", "cones", "counted"),
)


@pytest.fixture
def settings(ground: Ground, tmp_path: Path) -> Settings:
    return ground.at(tmp_path / "state")


@pytest.fixture
def digs(settings: Settings) -> Digs:
    return digs_of(settings)


@pytest.fixture
def visitor(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


def all_kept(state: DigState, *dropped: str) -> dict[str, str]:
    return {f"choice_{id_}": "drop" if id_ in dropped else "keep" for id_ in shown(state)}


def recorded(answer: Answer) -> None:
    assert answer.status == 303, Read(answer.text).text


def test_the_first_page_lists_what_waits_before_the_rest(digs: Digs, visitor: Visitor) -> None:
    waiting = reported(digs).dig
    other = open_dig(digs, keyword_primary="harbour")
    links = [link["href"] for link in visitor.read("/").all("a")]
    assert links.index(f"/digs/{waiting}") < links.index(f"/digs/{other}")
    assert "Waits for your decision" in visitor.read("/").text


def test_without_digs_the_first_page_says_so(visitor: Visitor) -> None:
    assert "Nothing waits for you" in visitor.read("/").text


@pytest.mark.requirement("page:evidence")
def test_a_dig_shows_context_report_reasons_and_excerpts(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    page = visitor.read(f"/digs/{state.dig}")
    assert state.report is not None
    for said in (state.context.pattern, state.context.keyword_primary, state.report.sha256):
        assert said in page.text
    assert " ".join(state.report.text.split()) in page.text
    (cut,) = state.picks.deep_cuts
    assert cut.connection in page.text
    for id_ in shown(state):
        assert state.candidates[id_].row.path in page.text
        excerpt = state.evidence[id_].excerpt
        assert " ".join(excerpt.text.split()[:12]) in page.text
    assert page.classed("agent") == len(shown(state))
    assert page.classed("cut") > len(shown(state))
    assert page.classed("voice")


@pytest.mark.requirement("page:evidence")
def test_flags_are_explained_in_plain_words(voices_ground: Ground, tmp_path: Path) -> None:
    settings = voices_ground.at(tmp_path / "voices")
    state = reported_on(digs_of(settings), [UNHEARD])
    with visiting(settings) as visitor:
        text = visitor.read(f"/digs/{state.dig}").text
    undecidable = FLAGS["VOICE_UNDECIDABLE"]
    assert f"{undecidable.comes}. Next: {undecidable.remedy}." in text
    assert "Nothing in this report anchors the voice" in text


def test_the_search_is_drawn_and_told(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    page = visitor.read(f"/digs/{state.dig}")
    assert [svg["aria-labelledby"] for svg in page.all("svg", role="img")] == [
        "scatter-title scatter-words",
        "matrix-title matrix-words",
    ]
    assert page.classed("dot") == len(state.scores) + 4  # and the legend
    assert len(page.all("th", scope="row")) == len(state.candidates)
    for term in state.terms:
        assert term in page.text


@pytest.mark.requirement("page:no-default")
def test_nothing_is_chosen_for_the_person(digs: Digs, visitor: Visitor) -> None:
    page = visitor.read(f"/digs/{reported(digs).dig}")
    chosen = [box["name"] for box in page.all("input") if "checked" in box]
    assert chosen == ["deed"]
    assert page.all("input", type="radio", value="keep")


@pytest.mark.requirement("page:no-default")
def test_what_is_not_chosen_is_asked_for_and_what_is_stays(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    first, second, *_ = shown(state)
    answer = visitor.confirm(state.dig, **{f"choice_{first}": "drop"})
    page = Read(answer.text)
    assert answer.status == 422
    assert not page.all("a", href=f"#{first}")
    assert page.all("a", href=f"#{second}")
    assert "checked" in page.all("input", name=f"choice.{first}", value="drop")[0]
    assert digs.load(state.dig) == state


@pytest.mark.requirement("page:decides")
def test_keep_and_drop_are_confirmed_and_then_recorded(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    dropped = shown(state)[1]
    confirmed = visitor.confirm(state.dig, **all_kept(state, dropped))
    for id_ in shown(state):
        assert state.candidates[id_].row.path in Read(confirmed.text).text
    assert digs.load(state.dig) == state
    answer = visitor.record(state.dig, confirmed)
    recorded(answer)
    assert answer.headers["location"] == f"/digs/{state.dig}"
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert state.report is not None
    assert (decision.level, decision.way) == ("local", "page")
    assert decision.report_sha256 == state.report.sha256
    assert decision.drop == (dropped,)
    assert decision.keep == tuple(id_ for id_ in shown(state) if id_ != dropped)
    assert digs.store.load(state.dig)[1][-1].actor == "person"
    assert "on this page, without a passphrase" in visitor.read(f"/digs/{state.dig}").text


@pytest.mark.requirement("page:decides")
def test_a_brief_is_written_and_verified_against_its_files(changing: Settings) -> None:
    digs = digs_of(changing)
    state = reported(digs)
    with visiting(changing) as somebody:
        recorded(somebody.record(state.dig, somebody.confirm(state.dig, **all_kept(state))))
        answer = somebody.post(f"/digs/{state.dig}/brief", somebody.hidden(state.dig))
        assert answer.headers["location"] == f"/digs/{state.dig}/brief"
        page = somebody.read(f"/digs/{state.dig}/brief")
        assert "Every passage still stands as it was quoted" in page.text
        assert page.classed("fails") == 0
        source = read_brief((changing.briefs / briefs(changing)[0]).read_text("utf-8")).sources[0]
        file = Path(changing.bases[0].root) / source.file
        file.write_bytes(file.read_bytes().replace(source.text.encode()[:9], b"Something"))
        page = somebody.read(f"/digs/{state.dig}/brief")
    assert "Something is not as it was quoted" in page.text
    assert page.classed("fails") == 2  # in the table, and at the passage
    assert digs.load(state.dig).state == "briefed"


@pytest.mark.requirement("page:decides")
def test_all_dropped_closes_the_dig(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    confirmed = visitor.confirm(state.dig, **all_kept(state, *shown(state)))
    assert "You keep nothing" in Read(confirmed.text).text
    recorded(visitor.record(state.dig, confirmed))
    assert digs.load(state.dig).state == "abandoned"


@pytest.mark.requirement("page:decides")
def test_a_redirect_sends_the_agent_back_with_the_words(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    words = "Not the kiln.\nLook at what <b>ripens</b>."
    first = shown(state)[0]
    confirmed = visitor.confirm(
        state.dig, deed="redirect", words=words, **{f"choice_{first}": "keep"}
    )
    recorded(visitor.record(state.dig, confirmed))
    after = digs.load(state.dig)
    assert (after.state, after.redirects, after.kept) == ("opened", (words,), (first,))
    assert "Look at what <b>ripens</b>." in visitor.read(f"/digs/{state.dig}").text


@pytest.mark.requirement("page:adds")
def test_dictated_words_are_kept_to_the_letter(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    farmer = "\U0001f469\u200d\U0001f33e"
    text = f"\n  {DICTATED}\n\nI wrote \u201cyes\u201d & <i>no</i>, {farmer} said she.\t"
    confirmed = visitor.confirm(
        state.dig, deed="dictate", passage=text.replace("\n", "\r\n"), **all_kept(state)
    )
    assert "You dictate" in Read(confirmed.text).text
    recorded(visitor.record(state.dig, confirmed))
    assert digs.load(state.dig).evidence["dictated_1"].excerpt.text == text


@pytest.mark.requirement("page:adds")
def test_a_passage_pointed_to_is_shown_before_it_is_added(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    confirmed = visitor.confirm(
        state.dig, deed="point", file="Logs/long.md", line="14", **all_kept(state)
    )
    recorded(visitor.record(state.dig, confirmed))
    added = digs.load(state.dig).evidence["added_1"].excerpt
    assert added.first_line >= 14
    assert " ".join(added.text.split()[:12]) in Read(confirmed.text).text


@pytest.mark.requirement("page:adds")
def test_another_passage_than_the_one_shown_is_not_recorded(changing: Settings) -> None:
    digs = digs_of(changing)
    state = reported(digs)
    with visiting(changing) as visitor:
        confirmed = visitor.confirm(
            state.dig, deed="point", file="Logs/long.md", line="14", **all_kept(state)
        )
        file = Path(changing.bases[0].root) / "Logs" / "long.md"
        file.write_text(file.read_text("utf-8").replace("I ", "I never "), encoding="utf-8")
        answer = visitor.record(state.dig, confirmed)
    assert answer.status == 409
    assert digs.load(state.dig) == state


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"deed": "point", "file": "Logs/lang.md"}, "Near: Logs/long.md", id="a slip"),
        pytest.param({"deed": "point"}, "Name the file", id="no file"),
        pytest.param({"deed": "point", "file": "a", "line": "x"}, "a whole number", id="no line"),
        pytest.param({"deed": "dictate", "passage": " "}, "Write the passage", id="no words"),
        pytest.param({"deed": "dictate", "passage": RAIN}, "first person", id="no voice"),
        pytest.param({"deed": "redirect", "words": "\n"}, "Tell the agent", id="no direction"),
        pytest.param({"deed": ""}, "Say what shall happen", id="no deed"),
    ],
)
def test_what_a_deed_lacks_is_said_before_it_is_confirmed(
    fields: dict[str, str], said: str, digs: Digs, visitor: Visitor
) -> None:
    state = reported(digs)
    answer = visitor.confirm(state.dig, **{**all_kept(state), **fields})
    assert answer.status == 422
    assert said in Read(answer.text).text
    assert digs.load(state.dig) == state


@pytest.mark.requirement("page:decides")
def test_the_next_passage_voids_what_was_chosen_before(digs: Digs, visitor: Visitor) -> None:
    dig = open_dig(digs)
    digs.retrieve_candidates(dig, list(EARLY))
    state = drive(digs, dig)
    long = next(id_ for id_ in shown(state) if state.candidates[id_].row.path == "Logs/long.md")
    confirmed = visitor.confirm(dig, **all_kept(state))
    answer = visitor.post(f"/digs/{dig}/passage", {**visitor.hidden(dig), "candidate": long})
    assert answer.headers["location"] == f"/digs/{dig}#{long}"
    after = digs.load(dig)
    before, now = (one.evidence[long].excerpt.first_line for one in (state, after))
    assert now > before
    void = visitor.record(dig, confirmed)
    assert void.status == 409
    assert "The report has changed" in Read(void.text).text
    assert [box["name"] for box in Read(void.text).all("input") if "checked" in box] == ["deed"]
    assert digs.load(dig) == after


def test_where_there_is_no_further_passage_the_choices_stay(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    first = shown(state)[0]
    chosen = {f"choice.{first}": "keep", "candidate": "row_99"}
    answer = visitor.post(f"/digs/{state.dig}/passage", {**visitor.hidden(state.dig), **chosen})
    page = Read(answer.text)
    assert answer.status == 409
    assert "Nothing was recorded" in page.text
    assert "checked" in page.all("input", name=f"choice.{first}", value="keep")[0]


@pytest.mark.requirement("page:adds")
def test_the_ways_out_of_a_missing_anchor_are_on_the_page(
    voices_ground: Ground, tmp_path: Path
) -> None:
    settings = voices_ground.at(tmp_path / "voices")
    digs = digs_of(settings)
    state = reported_on(digs, ["Essays/oven.md"])
    with visiting(settings) as visitor:
        confirmed = visitor.confirm(state.dig, **all_kept(state))
        assert "anchors the voice" in Read(confirmed.text).text
        recorded(visitor.record(state.dig, confirmed))
        page = visitor.read(f"/digs/{state.dig}")
        assert "The brief is not written: nothing that was kept anchors the voice" in page.text
        assert [box["value"] for box in page.all("input", name="deed")] == [
            "dictate",
            "point",
            "redirect",
        ]
        confirmed = visitor.confirm(
            state.dig, deed="point", file=LETTER, **all_kept(digs.load(state.dig))
        )
        recorded(visitor.record(state.dig, confirmed))
        visitor.post(f"/digs/{state.dig}/brief", visitor.hidden(state.dig))
        assert LETTER in visitor.read(f"/digs/{state.dig}/brief").text


@pytest.mark.requirement("page:adds")
def test_a_person_vouches_only_where_they_are_asked(voices_ground: Ground, tmp_path: Path) -> None:
    settings = voices_ground.at(tmp_path / "voices")
    digs = digs_of(settings)
    state = reported_on(digs, [UNHEARD, LETTER])
    unheard, letter = shown(state)
    with visiting(settings) as visitor:
        boxes = visitor.read(f"/digs/{state.dig}").all("input", type="checkbox")
        assert [box["name"] for box in boxes] == [f"vouch.{unheard}"]
        vouched = {f"vouch_{unheard}": "yes"}
        dropped = visitor.confirm(state.dig, **all_kept(state, unheard), **vouched)
        assert (dropped.status, digs.load(state.dig)) == (422, state)
        confirmed = visitor.confirm(state.dig, **all_kept(state, letter), **vouched)
        recorded(visitor.record(state.dig, confirmed))
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert decision.vouched == (unheard,)


@pytest.mark.requirement("page:reads-only")
def test_to_look_at_every_page_changes_nothing(digs: Digs, visitor: Visitor) -> None:
    state = reported(digs)
    store = Store(digs.settings.state).path
    before = store.read_bytes()
    paths = ["/", "/style.css", f"/digs/{state.dig}", "/digs/dig_none", f"/digs/{state.dig}/brief"]
    paths += [f"/digs/{state.dig}/{act}" for act in ("confirm", "record", "passage")]
    statuses = [visitor.get(f"{path}?deed=decide&choice.row_1=keep").status for path in paths]
    assert statuses == [200, 200, 200, 404, 404, 405, 405, 405]
    assert store.read_bytes() == before


def test_a_dig_of_a_base_that_is_not_configured_shows_what_is_stored(
    digs: Digs, tmp_path: Path
) -> None:
    state = reported(digs)
    (tmp_path / "other").mkdir()
    other = load_settings(Overrides(kb=(tmp_path / "other",), state=digs.settings.state), {})
    with visiting(other) as visitor:
        page = visitor.read(f"/digs/{state.dig}")
    assert "Its file cannot be read: no base is called" in page.text
    assert page.classed("cut")


def test_a_file_that_changed_is_not_shown_as_if_it_had_not(changing: Settings) -> None:
    digs = digs_of(changing)
    state = reported(digs)
    first = state.evidence[shown(state)[0]].excerpt
    file = Path(changing.bases[0].root) / first.path
    file.write_text("---\ntitle: New\n---\n\nAnother text entirely.\n", encoding="utf-8")
    with visiting(changing) as visitor:
        page = visitor.read(f"/digs/{state.dig}")
    assert "The file has changed since this was cut" in page.text
    assert "Another text entirely." not in page.text
    assert " ".join(first.text.split()[:12]) in page.text
