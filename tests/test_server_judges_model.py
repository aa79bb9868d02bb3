"""The judge `model` against a stand-in that misbehaves: documented ends, and nothing invented."""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from index.faults import BadSettings
from server.config_judges import JudgeEntry
from server.dig import Digs
from server.driving import drive
from server.judges.model import open_named
from server.judges.prompted import PromptedJudge
from server.refusals import Refusal
from server.replies import Reported
from tests.digging import TERMS, WHY, open_dig
from tests.honest import data_of, honest
from tests.standin import (
    Act,
    StandIn,
    break_off,
    completion,
    hang,
    hang_up,
    say,
    saying,
    sending,
    stand_in,
)

MARKED = "ZEBRAFISH"


@pytest.fixture
def model() -> Iterator[StandIn]:
    with stand_in() as standin:
        yield standin


def judge_at(url: str, **more: str) -> PromptedJudge:
    values = {"kind": "model", "base_url": url, "model": "m", "backoff_seconds": "0", "tries": "3"}
    return open_named("far", JudgeEntry.model_validate({**values, **more}))


def judged(digs: Digs) -> Digs:
    return Digs(digs.library, "judge")


def scoring(digs: Digs) -> str:
    """A dig whose first batch is open."""
    dig = open_dig(digs)
    digs.retrieve_candidates(dig, list(TERMS))
    return dig


def edit(change: str) -> Act:
    """The honest scores with their first entry changed by one assignment."""

    def changed(text: str) -> str:
        answer = json.loads(text)
        scope: dict[str, Any] = {"scores": answer["scores"], "first": answer["scores"][0]}
        exec(change, scope)  # our own words
        return json.dumps({"scores": scope["scores"]})

    return saying(changed)


FIRST = '"embodies": '
ODD: list[Any] = [
    pytest.param(saying(lambda t: f"{MARKED}! Here you are:\n{t}"), id="prose before"),
    pytest.param(saying(lambda t: f"{t}\n{MARKED}, as you asked."), id="prose after"),
    pytest.param(saying(lambda t: f"Here:\n```json\n{t}\n```"), id="prose around a fence"),
    pytest.param(saying(lambda t: f"```json\n{t}"), id="an open fence"),
    pytest.param(saying(lambda t: t.replace("}]}", "},]}")), id="a trailing comma"),
    pytest.param(saying(lambda t: t.replace('"', "'")), id="single quotes"),
    pytest.param(saying(lambda t: "// scores\n" + t), id="a comment"),
    pytest.param(saying(lambda t: t[: len(t) // 2]), id="truncated"),
    pytest.param(saying(lambda t: ""), id="empty"),
    pytest.param(saying(lambda t: " \n\t"), id="blank"),
    pytest.param(saying(lambda t: t + t), id="twice the object"),
    pytest.param(saying(lambda t: t[:-1] + f', "{MARKED}": 1}}'), id="a key too many"),
    pytest.param(saying(lambda t: t[:-1] + ', "scores": []}'), id="a key twice"),
    pytest.param(saying(lambda t: json.dumps(json.loads(t)["scores"])), id="a bare list"),
    pytest.param(saying(lambda t: '{"terms": []}'), id="another question's answer"),
    pytest.param(saying(lambda t: "null"), id="null"),
    pytest.param(saying(lambda t: "[" * 100_000), id="nested without end"),
    pytest.param(saying(lambda t: t.replace(FIRST, FIRST + "9" * 5000, 1)), id="a long number"),
    pytest.param(saying(lambda t: t.replace("it waits", "\\ud800", 1)), id="half a character"),
    pytest.param(edit("first['embodies'] = float('nan')"), id="not a number"),
    pytest.param(saying(lambda t: re.sub(r"(embodies.: )\d", r"\g<1>1e999", t)), id="infinite"),
    pytest.param(edit("first['id'] = 'row_999'"), id="an id nobody gave"),
    pytest.param(edit("scores.pop()"), id="an id missing"),
    pytest.param(edit("scores.append(first)"), id="an id twice"),
    pytest.param(edit("scores.append({**first, 'id': 'row_40'})"), id="an id of elsewhere"),
    pytest.param(edit("first['embodies'] = True"), id="a boolean"),
    pytest.param(edit("first['embodies'] = '2'"), id="a number as text"),
    pytest.param(edit("first['embodies'] = 2.0"), id="a fraction"),
    pytest.param(edit("first['embodies'] = 4"), id="too much"),
    pytest.param(edit("first['embodies'] = -1"), id="too little"),
    pytest.param(edit(f"first['why'] = '{MARKED} ' * 23"), id="11 words too many"),
    pytest.param(edit("first['why'] = ''"), id="no reason"),
    pytest.param(edit("del first['why']"), id="a key missing"),
    pytest.param(edit("scores[:] = []"), id="no scores"),
    pytest.param(saying(lambda t: t + " " * 5_000_000), id="5 MB"),
    pytest.param(sending(json.dumps(completion(None)).encode()), id="no text"),
]


@pytest.mark.requirement("judge:misbehaviour")
@pytest.mark.parametrize("act", ODD)
def test_an_answer_out_of_form_goes_back_once_and_ends_the_step_the_second_time(
    digs: Digs, model: StandIn, act: Act
) -> None:
    dig = scoring(digs)
    model.acts = [act, say, act, act]
    ended = drive(judged(digs), dig, judge_at(model.url))
    assert isinstance(ended, Refusal)
    assert ended.flag.startswith("STEP_3 FAILED — ")
    state = digs.load(dig)
    assert (state.state, state.batches_scored) == ("failed", 1)
    assert state.refusals[:2] == ((3, 1), (3, 2))
    assert state.failure is not None
    assert (state.failure.step, state.failure.batch) == (3, 2)
    assert set(state.scores) == set(state.batches[0])
    assert {score.why for score in state.scores.values()} == {WHY}
    told = [data_of(prompt).get("refused", "") for prompt in model.prompts]
    assert [text[:16] for text in told] == ["", "[SCORES_INVALID]", "", "[SCORES_INVALID]"]
    kept = json.dumps([event.payload for event in digs.store.load(dig)[1]])
    assert MARKED not in kept + ended.text


FINE: list[Any] = [
    pytest.param(saying(lambda t: f"```json\n{t}\n```"), id="a fence"),
    pytest.param(saying(lambda t: f"```\r\n{t}\r\n```\n"), id="a fence with CR LF"),
    pytest.param(saying(lambda t: f"\ufeff \n{t}\n"), id="a BOM and blanks"),
    pytest.param(saying(lambda t: f"<think>so</think>{t}"), id="thoughts"),
    pytest.param(saying(lambda t: json.dumps(json.loads(t), indent=4)), id="on many lines"),
    pytest.param(edit(f"first['more'] = '{MARKED}'"), id="a key too many in a row"),
]


@pytest.mark.parametrize("act", FINE)
def test_what_only_wraps_the_object_is_taken_off(digs: Digs, model: StandIn, act: Act) -> None:
    dig = scoring(digs)
    model.acts = [act]
    assert isinstance(drive(judged(digs), dig, judge_at(model.url)), Reported)
    assert digs.load(dig).refusals == ()
    assert MARKED not in json.dumps([event.payload for event in digs.store.load(dig)[1]])


LATIN = json.dumps(completion("{}")).encode().replace(b"{}", b"{\xe9}")
PACKED = gzip.compress(json.dumps(completion("{}")).encode())
BUSY: list[Any] = [
    pytest.param(sending(b"{}", 429, Retry_After="0"), id="429"),
    pytest.param(sending(b"{}", 500), id="500"),
    pytest.param(sending(b"oops", 503), id="503"),
    pytest.param(sending(b"{}", 408), id="408"),
    pytest.param(hang, id="silence"),
    pytest.param(hang_up, id="hung up"),
    pytest.param(break_off, id="broken off"),
    pytest.param(sending(b"<html>please log in</html>"), id="a page"),
    pytest.param(sending(b""), id="no body"),
    pytest.param(sending(b"[]"), id="JSON of another kind"),
    pytest.param(sending(b'{"choices": []}'), id="no choice"),
    pytest.param(sending(b"[" * 100_000), id="a body nested without end"),
    pytest.param(sending(PACKED, Content_Encoding="gzip"), id="packed unasked"),
    pytest.param(sending(PACKED, Content_Encoding="gzip, gzip"), id="packed twice"),
    pytest.param(sending(LATIN), id="wrong encoding"),
    pytest.param(sending(b"{}", 302, Location="http://127.0.0.1:9/v1"), id="sent elsewhere"),
]


@pytest.mark.requirement("judge:unreachable")
@pytest.mark.parametrize("act", BUSY)
def test_trouble_on_the_way_is_waited_for_and_never_counted(
    digs: Digs, model: StandIn, act: Act
) -> None:
    dig = scoring(digs)
    # a second of silence is enough
    tries, seconds = ("1", "1") if act is hang else ("3", "10")
    model.acts = [act] * int(tries)
    judge = judge_at(model.url, timeout_seconds=seconds, tries=tries)
    stopped = drive(judged(digs), dig, judge)
    assert isinstance(stopped, Refusal)
    assert stopped.text.startswith("[JUDGE_UNREACHABLE] dig — judge far: ")
    assert stopped.text.endswith(f"expedition dig --resume {dig}")
    state = digs.load(dig)
    assert (state.state, state.scores, state.refusals) == ("scoring", {}, ())
    assert [one.calls for one in state.spent] == [int(tries)]

    model.acts = [act] if act is not hang else []
    assert isinstance(drive(judged(digs), dig, judge), Reported)
    assert digs.load(dig).refusals == ()


@pytest.mark.requirement("judge:unreachable")
@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_a_request_that_will_never_be_answered_is_sent_once(
    digs: Digs, model: StandIn, status: int
) -> None:
    dig = scoring(digs)
    model.acts = [sending(b'{"error": {"message": "ZEBRAFISH"}}', status)] * 2
    stopped = drive(judged(digs), dig, judge_at(model.url))
    assert isinstance(stopped, Refusal)
    assert f"judge far: its endpoint answers {status}" in stopped.text
    assert MARKED not in stopped.text
    assert len(model.prompts) == 1
    assert digs.load(dig).state == "scoring"


def test_nobody_listening_is_a_refusal(digs: Digs) -> None:
    dig = open_dig(digs)
    stopped = drive(judged(digs), dig, judge_at("http://127.0.0.1:9/v1"))
    assert isinstance(stopped, Refusal)
    assert stopped.flag == "JUDGE_UNREACHABLE"
    assert digs.load(dig).state == "opened"


@pytest.mark.requirement("judge:no-key-in-the-file")
def test_an_address_gets_the_key_that_was_named_and_no_other(
    digs: Digs, model: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-you")
    dig = open_dig(digs)
    assert isinstance(drive(judged(digs), dig, judge_at(model.url)), Reported)
    assert set(model.keys) == {"Bearer none"}
    other = open_dig(digs, title="Another")
    named = judge_at(model.url, key_env="THE_KEY")
    stopped = drive(judged(digs), other, named)
    assert isinstance(stopped, Refusal)
    assert "THE_KEY is not set" in stopped.text
    monkeypatch.setenv("THE_KEY", "for-you")
    drive(judged(digs), other, named)
    assert model.keys[-1] == "Bearer for-you"


@pytest.mark.requirement("judge:spent")
def test_what_was_spent_is_recorded_with_the_refused_answers_too(
    digs: Digs, model: StandIn
) -> None:
    dig = open_dig(digs)
    model.acts = [sending(b"{}", 500), saying(lambda _: "no")]
    drive(judged(digs), dig, judge_at(model.url))
    spent = digs.load(dig).spent
    assert [(one.step, one.batch, one.calls) for one in spent] == [
        (1, 0, 1),
        (3, 1, 2),
        (3, 1, 1),
        (3, 2, 1),
        (4, 0, 1),
    ]
    assert {(one.judge, one.input_tokens, one.output_tokens, one.cost) for one in spent} == {
        ("far", 100, 10, None)
    }


@pytest.mark.requirement("judge:batches-at-once")
def test_batches_asked_about_at_once_give_the_dig_that_one_by_one_gives(
    digs: Digs, model: StandIn
) -> None:
    plain, several = open_dig(digs), open_dig(digs, slug="several")
    drive(judged(digs), plain, judge_at(model.url))
    model.acts = [saying(lambda _: "no")]
    answer = drive(judged(digs), several, judge_at(model.url, concurrent="4"))
    assert isinstance(answer, Reported)
    one, other = digs.load(plain), digs.load(several)
    assert (one.scores, one.picks) == (other.scores, other.picks)
    scored = [e.payload["batch"] for e in digs.store.load(several)[1] if e.kind == "scored"]
    assert scored == sorted(scored)


@pytest.mark.requirement("judge:fence")
def test_no_text_of_the_corpus_stands_outside_the_fence(digs: Digs, model: StandIn) -> None:
    dig = open_dig(digs)
    drive(judged(digs), dig, judge_at(model.url))
    for prompt in model.prompts:
        begun = prompt.index("DATA ", prompt.index("accepted; mend"))
        mark = prompt[begun:].split()[1]
        end = f"\nDATA {mark} END\n"
        assert prompt.count(end) == 1
        data = prompt[begun : prompt.index(end)]
        outside = prompt.replace(data, "")
        for row in data_of(prompt).get("rows", []):
            assert row["summary"] not in outside
        assert "assemble_brief" not in outside
        assert prompt.rstrip().endswith(
            "Only valid JSON of this schema. No prose before or after it, no code fences."
        )
        assert honest(prompt)


def test_without_the_library_the_way_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith("pydantic_ai.models.openai")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai.models.openai", None)
    with pytest.raises(BadSettings, match=r"pip install 'corpus-expedition\[judge\]'"):
        judge_at("http://127.0.0.1:9/v1")


@pytest.mark.requirement("judge:unreachable")
@pytest.mark.parametrize(("provider", "said"), [("groq", "not installed"), ("nobody", "cannot be")])
def test_a_provider_that_cannot_be_had_is_told_and_the_dig_waits(
    digs: Digs, provider: str, said: str
) -> None:
    values = {"kind": "model", "provider": provider, "model": "m", "backoff_seconds": "0"}
    judge = open_named("far", JudgeEntry.model_validate(values))
    dig = open_dig(digs)
    answer = drive(judged(digs), dig, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag == "JUDGE_UNREACHABLE"
    assert said in answer.reason
    assert digs.load(dig).state == "opened"
