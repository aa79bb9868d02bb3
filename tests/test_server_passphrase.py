"""The passphrase: kept as a hash, asked before a decision counts, and slow to guess."""

import json
import stat
import time
import unicodedata
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click.testing
import pytest

from index.faults import StorageTrouble
from server import passphrase
from server.dig import Digs
from server.dig_state import Level
from server.passphrase import (
    Cost,
    Proof,
    Superseded,
    clear_passphrase,
    is_set,
    set_passphrase,
    verify,
)
from server.refusals import Refusal
from server.replies import Briefed, Status
from server.review import Review
from tests.digging import briefs, decide, digs_of, form_answer, hand_on, keep, reported, shown
from tests.page_visitor import Read, visiting
from tests.terminal import at_terminal

WORDS = "three grey herons"
CHEAP = Cost(n=16, r=1, p=1)
Command = Callable[..., click.testing.Result]


def known(state: Path) -> None:
    set_passphrase(state, WORDS, CHEAP)


def right(state: Path) -> bool:
    return isinstance(verify(state, WORDS, "decide"), Proof)


def refusal(state: Path, typed: str = "wrong") -> Refusal:
    found = verify(state, typed, "decide")
    assert isinstance(found, Refusal)
    return found


def guess(state: Path, number: int) -> str:
    """One try of a process of its own, in which no time passes: how it was refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: 1_000_000.0)
        return refusal(state, f"guess {number}").reason


@pytest.mark.requirement("passphrase:kept-as-hash")
def test_what_is_kept_is_a_salted_hash_that_only_the_owner_can_read(tmp_path: Path) -> None:
    known(tmp_path)
    first = (tmp_path / passphrase.NAME).read_text()
    assert stat.S_IMODE((tmp_path / passphrase.NAME).stat().st_mode) == 0o600
    assert set(json.loads(first)) == {"cost", "salt", "hash"}
    (tmp_path / passphrase.NAME).unlink()
    known(tmp_path)
    assert (tmp_path / passphrase.NAME).read_text() != first
    assert right(tmp_path)
    assert not any(WORDS in path.read_text() for path in tmp_path.iterdir())


@pytest.mark.requirement("passphrase:kept-as-hash")
def test_the_usual_cost_is_hard_and_still_bearable(tmp_path: Path) -> None:
    assert 128 * Cost().n * Cost().r >= 64 * 1024 * 1024
    set_passphrase(tmp_path, WORDS)
    assert right(tmp_path)


@pytest.mark.requirement("passphrase:slow-to-guess")
@pytest.mark.parametrize(
    "typed", ["", "three grey heron", f"{WORDS} ", "THREE GREY HERONS", "\udc80"]
)
def test_every_other_word_is_refused_in_the_same_words(tmp_path: Path, typed: str) -> None:
    known(tmp_path)
    assert refusal(tmp_path, typed).text == refusal(tmp_path, "other").text


@pytest.mark.requirement("passphrase:slow-to-guess")
def test_wrong_tries_make_the_next_one_wait_in_every_process_even_for_the_right_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(tmp_path)
    now = 1_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(passphrase.FREE_TRIES):
        refusal(tmp_path)
    waits: list[float] = []
    for _ in range(4):
        waiting = refusal(tmp_path, WORDS)
        assert waiting.reason == "too many wrong tries"
        waits.append(float(waiting.remedy.split()[1]))
        now += waits[-1]
        assert refusal(tmp_path).reason == "that is not the passphrase"
    assert waits == [1, 2, 4, 8]
    now += 16
    assert right(tmp_path)
    assert refusal(tmp_path).reason == "that is not the passphrase"


@pytest.mark.requirement("passphrase:slow-to-guess")
@pytest.mark.parametrize("back", [10.0, 3600.0, 1_000_000.0])
def test_a_clock_put_back_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, back: float
) -> None:
    known(tmp_path)
    now = 2_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(passphrase.FREE_TRIES):
        refusal(tmp_path)
    now -= back
    assert refusal(tmp_path, WORDS).reason == "too many wrong tries"
    now += 1
    assert right(tmp_path)


@pytest.mark.requirement("passphrase:slow-to-guess")
def test_guessing_from_many_processes_gives_no_try_more(tmp_path: Path) -> None:
    known(tmp_path)
    with ProcessPoolExecutor(4) as pool:
        reasons = list(pool.map(guess, [tmp_path] * 24, range(24)))
    assert reasons.count("that is not the passphrase") == passphrase.FREE_TRIES
    assert reasons.count("too many wrong tries") == 24 - passphrase.FREE_TRIES


COSTS_THAT_NOBODY_PAYS = (
    '{"cost":{"n":3,"r":1,"p":1},"salt":"%s","hash":"%s"}',
    '{"cost":{"n":1048576,"r":32,"p":16},"salt":"%s","hash":"%s"}',
    '{"cost":{"n":1e400,"r":1,"p":1},"salt":"%s","hash":"%s"}',
)


@pytest.mark.requirement("passphrase:slow-to-guess")
@pytest.mark.parametrize(
    "content",
    [
        *("", "{}", "[1]", "x" * 10_000),
        '{"cost":{"n":4,"r":1,"p":1},"salt":"","hash":""}',
        *(whole % ("0" * 32, "0" * 64) for whole in COSTS_THAT_NOBODY_PAYS),
    ],
)
def test_a_damaged_file_lets_nobody_through(tmp_path: Path, content: str) -> None:
    known(tmp_path)
    (tmp_path / passphrase.NAME).write_text(content)
    assert is_set(tmp_path)
    with pytest.raises(StorageTrouble, match="damaged"):
        verify(tmp_path, WORDS, "decide")


@pytest.mark.requirement("passphrase:slow-to-guess")
@pytest.mark.parametrize("content", ['{"wrong":9,"at":NaN}', '{"wrong":-1}', "", '{"wrong":true}'])
def test_damaged_tries_let_nobody_through(tmp_path: Path, content: str) -> None:
    known(tmp_path)
    (tmp_path / passphrase.TRIES).write_text(content)
    with pytest.raises(StorageTrouble, match="damaged"):
        verify(tmp_path, WORDS, "decide")


@pytest.mark.requirement("passphrase:slow-to-guess")
def test_a_try_from_the_far_future_waits_no_longer_than_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(tmp_path)
    now = 1_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    (tmp_path / passphrase.TRIES).write_text('{"wrong":99,"at":1e300}')
    assert refusal(tmp_path, WORDS).reason == "too many wrong tries"
    now += passphrase.LONGEST_WAIT
    assert right(tmp_path)


@pytest.mark.requirement("passphrase:replaced-by-who-knows-it")
def test_a_passphrase_is_replaced_or_cleared_only_by_who_knows_the_one_that_is_set_by_then(
    tmp_path: Path,
) -> None:
    known(tmp_path)
    proof = verify(tmp_path, WORDS, "set")
    assert isinstance(proof, Proof)
    for unproven in (None, Proof("0" * 64)):
        with pytest.raises(Superseded):
            set_passphrase(tmp_path, "somebody else's words", CHEAP, unproven)
        with pytest.raises(Superseded):
            clear_passphrase(tmp_path, unproven)
    assert right(tmp_path)
    set_passphrase(tmp_path, "the next words", CHEAP, proof)
    with pytest.raises(Superseded):
        clear_passphrase(tmp_path, proof)
    assert is_set(tmp_path)


@pytest.mark.requirement("passphrase:slow-to-guess")
def test_letters_composed_otherwise_are_the_same_words(tmp_path: Path) -> None:
    set_passphrase(tmp_path, unicodedata.normalize("NFD", "drei grüne Hügel"), CHEAP)
    typed = unicodedata.normalize("NFC", "drei grüne Hügel")
    assert isinstance(verify(tmp_path, typed, "decide"), Proof)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    known(tmp_path)
    kept = tmp_path / passphrase.NAME
    kept.rename(tmp_path / "elsewhere")
    kept.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageTrouble):
        verify(tmp_path, WORDS, "decide")


def test_cleared_it_is_asked_no_more(tmp_path: Path) -> None:
    known(tmp_path)
    proof = verify(tmp_path, WORDS, "clear")
    assert isinstance(proof, Proof)
    clear_passphrase(tmp_path, proof)
    assert not is_set(tmp_path)
    assert refusal(tmp_path, WORDS).reason == "no passphrase is set"


@pytest.mark.requirement("passphrase:only-person")
@pytest.mark.parametrize("level", ["local", "client", "relayed"])
def test_a_weaker_decision_is_refused_and_records_nothing(digs: Digs, level: Level) -> None:
    state = reported(digs)
    known(digs.settings.state)
    answer = Review(digs).decide(state.dig, hand_on(state, level), keep(state))
    assert isinstance(answer, Refusal)
    assert answer.flag == "NOT_DECIDED"
    assert digs.load(state.dig) == state


@pytest.mark.requirement("passphrase:only-person")
@pytest.mark.parametrize("deed", ["redirect", "point", "dictate"])
def test_nor_does_any_other_deed_go_round_it(digs: Digs, deed: str) -> None:
    state = reported(digs)
    known(digs.settings.state)
    review, hand, choices = Review(digs), hand_on(state), keep(state)
    deeds: dict[str, Callable[[], object]] = {
        "redirect": lambda: review.redirect(state.dig, hand, choices, "look for tides"),
        "point": lambda: review.point(state.dig, hand, choices, ("Logs/tide.md", 1)),
        "dictate": lambda: review.dictate(state.dig, hand, choices, "I was there. I saw it."),
    }
    assert isinstance(deeds[deed](), Refusal)
    assert digs.load(state.dig) == state


@pytest.mark.requirement("passphrase:only-person")
def test_the_host_is_not_asked_and_what_it_says_unasked_counts_for_nothing(digs: Digs) -> None:
    state = reported(digs)
    form = digs.question(state.dig)
    assert form is not None
    known(digs.settings.state)
    assert digs.question(state.dig) is None
    answer = digs.assemble_brief(state.dig, form_answer(state, "keep all"))
    assert isinstance(answer, Refusal)
    assert answer.flag == "NOT_DECIDED"
    after = digs.load(state.dig)
    assert (after.state, after.decision) == ("reported", None)
    assert briefs(digs.settings) == []


@pytest.mark.requirement("passphrase:only-person")
@pytest.mark.requirement("decide:anew")
def test_a_decision_made_before_it_was_set_opens_nothing_and_is_made_anew(digs: Digs) -> None:
    state = reported(digs)
    dropped = shown(state)[1]
    assert not isinstance(decide(digs, state.dig, [dropped]), Refusal)
    known(digs.settings.state)
    refused = digs.assemble_brief(state.dig)
    assert isinstance(refused, Refusal)
    assert refused.flag == "NOT_DECIDED"
    review, again = Review(digs), digs.load(state.dig)
    assert "decide" in review.deeds(again)
    answer = review.decide(state.dig, hand_on(again, "person"), keep(again))
    assert isinstance(answer, Status)
    after = digs.load(state.dig)
    assert after.decision is not None
    assert after.decision.level == "person"
    assert dropped not in after.dropped
    assert "decide" not in review.deeds(after)
    assert isinstance(review.decide(state.dig, hand_on(after, "person"), keep(after)), Refusal)
    brief = digs_of(digs.settings).assemble_brief(state.dig)
    assert isinstance(brief, Briefed)
    assert 'level: "person"' in Path(brief.path).read_text()


@pytest.mark.requirement("passphrase:page")
def test_the_page_asks_for_it_and_records_nothing_without(digs: Digs) -> None:
    state = reported(digs)
    known(digs.settings.state)
    choices = {f"choice_{id_}": "keep" for id_ in shown(state)}
    with visiting(digs.settings) as visitor:
        confirmed = visitor.confirm(state.dig, **choices)
        assert Read(confirmed.text).all("input", name="passphrase", type="password")
        for typed in ({}, {"passphrase": "wrong"}):
            answer = visitor.record(state.dig, confirmed, **typed)
            assert answer.status == 403
            assert "that is not the passphrase" in Read(answer.text).text
            assert "wrong" not in answer.text.replace("wrong tries", "")
            assert digs.load(state.dig) == state
        answer = visitor.record(state.dig, confirmed, passphrase=WORDS)
        assert answer.status == 303
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.way) == ("person", "page")
    database = digs.settings.state / "expedition.sqlite3"
    assert WORDS.encode() not in database.read_bytes()


@pytest.mark.requirement("passphrase:page")
def test_page_and_terminal_share_one_count_of_tries(digs: Digs) -> None:
    state = reported(digs)
    known(digs.settings.state)
    for _ in range(passphrase.FREE_TRIES + 1):
        refusal(digs.settings.state)
    choices = {f"choice_{id_}": "keep" for id_ in shown(state)}
    with visiting(digs.settings) as visitor:
        confirmed = visitor.confirm(state.dig, **choices)
        answer = visitor.record(state.dig, confirmed, passphrase=WORDS)
    assert answer.status == 403
    assert "too many wrong tries" in Read(answer.text).text


@pytest.mark.requirement("passphrase:terminal")
def test_the_terminal_asks_for_it_and_shows_nothing_of_it(digs: Digs) -> None:
    state = reported(digs)
    known(digs.settings.state)
    options = ["--kb", digs.settings.bases[0].root, "--state", str(digs.settings.state)]
    with at_terminal(["decide", state.dig, *options]) as terminal:
        for _ in shown(state):
            terminal.type_in("[q]uit: ", "k")
        terminal.type_in("[c]onfirm", "c")
        terminal.type_in("Your passphrase: ", "not this one")
        terminal.expect("that is not the passphrase")
        terminal.type_in("[c]onfirm", "c")
        terminal.type_in("Your passphrase: ", WORDS)
        assert terminal.end() == 0
    assert WORDS not in terminal.text
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.way) == ("person", "terminal")


@pytest.mark.requirement("passphrase:terminal")
def test_it_is_set_changed_and_cleared_at_a_terminal_by_whoever_knows_it(tmp_path: Path) -> None:
    options = ["--state", str(tmp_path)]
    with at_terminal(["passphrase", "set", *options]) as terminal:
        terminal.type_in("New passphrase: ", WORDS)
        terminal.type_in("Once more: ", WORDS)
        assert terminal.end() == 0
    assert right(tmp_path)
    with at_terminal(["passphrase", "set", *options]) as terminal:
        terminal.type_in("that is set now: ", "a guess of mine")
        assert terminal.end() == 1
    with at_terminal(["passphrase", "check", *options]) as terminal:
        terminal.type_in("The passphrase: ", WORDS)
        terminal.expect("That is it.")
        assert terminal.end() == 0
    with at_terminal(["passphrase", "clear", *options]) as terminal:
        terminal.type_in("The passphrase: ", WORDS)
        assert terminal.end() == 0
    assert not is_set(tmp_path)


@pytest.mark.requirement("passphrase:terminal")
@pytest.mark.parametrize("verb", ["set", "clear"])
def test_without_a_terminal_nothing_is_set_or_cleared(
    expedition: Command, tmp_path: Path, verb: str
) -> None:
    if verb == "clear":
        known(tmp_path)
    result = expedition("passphrase", verb, "--state", str(tmp_path), stdin=f"{WORDS}\n{WORDS}\n")
    assert result.exit_code == 1
    assert "terminal" in result.stderr
    assert is_set(tmp_path) is (verb == "clear")


@pytest.mark.parametrize(
    ("typed", "again", "said"),
    [("short", "", "take 8 to 1,024"), (WORDS, "three gray herons", "not the same")],
)
def test_a_new_one_is_long_enough_and_typed_twice(
    tmp_path: Path, typed: str, again: str, said: str
) -> None:
    with at_terminal(["passphrase", "set", "--state", str(tmp_path)]) as terminal:
        terminal.type_in("New passphrase: ", typed)
        if again:
            terminal.type_in("Once more: ", again)
        terminal.expect(said)
        assert terminal.end() == 1
    assert not is_set(tmp_path)


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_doctor_says_whether_it_is_kept_from_others(
    expedition: Command, codex: Path, tmp_path: Path, mode: int
) -> None:
    state = tmp_path / "private"
    state.mkdir(mode=0o700)
    known(state)
    (state / passphrase.NAME).chmod(mode)
    result = expedition("doctor", "--kb", str(codex), "--state", str(state))
    assert ("can be read by others" in result.output) is (mode == 0o644)
