"""Plans of explorations on the page: shown in full, and answered once by the person before it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.config import Overrides, Settings, load_settings
from server.explore.answers import Opened
from server.explore.explorations import Explorations
from server.explore.state import RunState
from server.passphrase import Cost, set_passphrase
from server.refusals import Refusal
from tests.explore_base import write_roads, write_small
from tests.hostile_page import PAYLOADS
from tests.page_visitor import Answer, Read, Visitor, visiting

CONTRACT = {
    "max_rounds": 3,
    "max_tokens": 10_000,
    "max_stall_count": 1,
    "max_reset_count": 2,
    "max_plan_revisions": 1,
    "enable_plan_review": True,
}
PLAN = "1. Read what binds.\n2. Commit one direction."


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    bases = (write_roads(tmp_path / "bases"), write_small(tmp_path / "bases"))
    return load_settings(Overrides(kb=bases, state=tmp_path / "state"), {})


@pytest.fixture
def runs(settings: Settings) -> Explorations:
    return Explorations(settings)


@pytest.fixture
def visitor(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


def waiting(runs: Explorations, plan: str = PLAN, objective: str = "Cheaper roads") -> RunState:
    """A run whose plan waits for a person."""
    sent: dict[str, Any] = {
        "objective": objective,
        "contract": CONTRACT,
        "bases": ["roads", "small"],
    }
    opened = runs.open_exploration(sent)
    assert isinstance(opened, Opened), opened
    submit(runs, opened.run, plan)
    return runs.load(opened.run)


def submit(runs: Explorations, run: str, plan: str) -> None:
    answer = runs.submit_plan(run, {"plan": plan, "current_progress": "", "tokens": 1})
    assert not isinstance(answer, Refusal), answer.text


def answered(visitor: Visitor, run: str, **fields: str) -> Answer:
    """The form of a run, filled in and sent."""
    page = visitor.read(f"/plans/{run}")
    shown = {"token": page.value("token"), "question": page.value("question")}
    return visitor.post(f"/plans/{run}/record", {**shown, **fields})


@pytest.mark.requirement("page:plans")
def test_a_plan_is_listed_shown_in_full_and_approved(runs: Explorations, visitor: Visitor) -> None:
    state = waiting(runs)
    assert visitor.read("/").all("a", href=f"/plans/{state.run}")
    page = visitor.read(f"/plans/{state.run}")
    assert "Plan review #1" in page.text
    assert " ".join(PLAN.split()) in page.text
    assert "(no progress ledger yet)" in page.text
    assert not [box for box in page.all("input", type="radio") if "checked" in box]
    assert runs.load(state.run) == state
    assert answered(visitor, state.run, decision="approve").status == 303
    after = runs.load(state.run)
    assert after.state == "ready"
    (review,) = after.reviews
    assert (review.decision, review.way, review.level) == ("approve", "page", "local")
    assert not visitor.read("/").all("a", href=f"/plans/{state.run}")
    assert "No plan of this run waits" in visitor.read(f"/plans/{state.run}").text


@pytest.mark.requirement("page:plans")
def test_a_plan_is_sent_back_word_for_word_and_the_next_one_asked_anew(
    runs: Explorations, visitor: Visitor
) -> None:
    state = waiting(runs)
    words = "Read N200 first.\n  Then ask."
    assert answered(visitor, state.run, decision="revise", feedback=words).status == 303
    after = runs.load(state.run)
    assert (after.state, after.reviews[0].feedback) == ("planning", words)
    submit(runs, state.run, "Another plan")
    page = visitor.read(f"/plans/{state.run}")
    assert "Plan review #2" in page.text
    assert "Read N200 first. Then ask." in page.text


@pytest.mark.requirement("page:plans")
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"decision": ""},
        {"decision": "yes"},
        {"decision": "APPROVE"},
        {"decision": "revise"},
        {"decision": "revise", "feedback": "  \n "},
        {"decision": "approve", "feedback": "but do"},
    ],
    ids=str,
)
def test_what_is_no_answer_records_nothing(
    runs: Explorations, visitor: Visitor, fields: dict[str, str]
) -> None:
    state = waiting(runs)
    answer = answered(visitor, state.run, **fields)
    assert answer.status == 422
    assert "one of the two" in Read(answer.text).text
    assert runs.load(state.run) == state


@pytest.mark.requirement("page:plans")
def test_an_answer_counts_for_the_plan_that_was_shown_and_no_other(
    runs: Explorations, visitor: Visitor
) -> None:
    state, other = waiting(runs), waiting(runs, objective="Another")
    page = visitor.read(f"/plans/{state.run}")
    shown = {"token": page.value("token"), "question": page.value("question")}
    approve = {**shown, "decision": "approve"}
    assert visitor.post(f"/plans/{other.run}/record", approve).status == 403
    assert visitor.post(f"/plans/{state.run}/record", {**approve, "token": "0"}).status == 403
    answered(visitor, state.run, decision="revise", feedback="again")
    submit(runs, state.run, "A worse plan")
    late = visitor.post(f"/plans/{state.run}/record", approve)
    assert late.status == 409
    assert "not open any more" in Read(late.text).text
    assert runs.load(state.run).state == "awaiting_review"
    assert runs.load(other.run) == other


@pytest.mark.requirement("page:plans")
def test_with_a_passphrase_the_page_asks_for_it(
    runs: Explorations, visitor: Visitor, settings: Settings
) -> None:
    state = waiting(runs)
    set_passphrase(settings.state, "three grey herons", Cost(n=16, r=1, p=1))
    wrong = answered(visitor, state.run, decision="approve", passphrase="another")
    assert wrong.status == 403
    assert runs.load(state.run) == state
    right = answered(visitor, state.run, decision="approve", passphrase="three grey herons")
    assert right.status == 303
    assert runs.load(state.run).reviews[0].level == "person"


@pytest.mark.requirement("page:text-nodes")
def test_no_words_of_a_plan_become_an_element(runs: Explorations, visitor: Visitor) -> None:
    plain = visitor.read(f"/plans/{waiting(runs).run}")
    hostile = "\n".join(PAYLOADS)
    state = waiting(runs, hostile, PAYLOADS[0])
    page = visitor.read(f"/plans/{state.run}")
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert PAYLOADS[0] in page.text
    listed = [tag for tag, _ in visitor.read("/").elements]
    assert "script" not in listed


@pytest.mark.requirement("page:one-answer")
def test_a_dig_is_no_plan_and_a_plan_no_dig(runs: Explorations, visitor: Visitor) -> None:
    state = waiting(runs)
    nothing = visitor.get("/digs/dig_none").text
    for path in (f"/digs/{state.run}", "/plans/exp_none", "/plans/dig_none"):
        answer = visitor.get(path)
        assert (answer.status, answer.text) == (404, nothing)
