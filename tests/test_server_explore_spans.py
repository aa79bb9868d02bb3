"""The span of an exploration: one a run, made from its ledger, in its order."""

from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, Status, StatusCode

from server.config import Settings
from tests.exploring import REVIEWED, Agent, settings_at
from tests.orchestrated import FINAL, PLAN, Rehearsal, assessed, said
from tests.test_server_explore_magentic_parked import answered, park, resumed


class Span(NonRecordingSpan):
    """A span that remembers."""

    def __init__(self, name: str, given: dict[str, Any]) -> None:
        super().__init__(trace.INVALID_SPAN_CONTEXT)
        self.name, self.given = name, given
        self.events: list[tuple[str, Any, Any]] = []
        self.status: Any = None
        self.ended: Any = None

    def add_event(self, name: str, attributes: Any = None, timestamp: Any = None) -> None:
        self.events.append((name, attributes, timestamp))

    def set_status(self, status: Any, description: Any = None) -> None:
        assert isinstance(status, Status)
        self.status = status.status_code

    def end(self, end_time: Any = None) -> None:
        self.ended = end_time


class Tracer:
    """A tracer that keeps its spans."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def start_span(self, name: str, **given: Any) -> Span:
        self.spans.append(Span(name, given))
        return self.spans[-1]


@pytest.fixture
def tracer(monkeypatch: pytest.MonkeyPatch) -> Tracer:
    made = Tracer()
    known = trace.get_tracer

    def of(*named: Any, **more: Any) -> Any:
        return made if named == ("corpus-expedition",) else known(*named, **more)

    monkeypatch.setattr(trace, "get_tracer", of)
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.mark.requirement("explore:E118")
def test_a_parked_and_resumed_run_is_one_span_in_the_order_of_its_ledger(
    settings: Settings, tracer: Tracer
) -> None:
    park(settings)
    assert tracer.spans == []
    answered(settings)
    resumed(settings, manager=(assessed(satisfied=True), FINAL))
    (span,) = tracer.spans
    names = [name for name, _, _ in span.events]
    assert names == ["plan_created", "parked", "resumed", "progress_ledger_updated"]
    times = [span.given["start_time"], *(at for _, _, at in span.events), span.ended]
    assert times == sorted(times)
    row = span.events[-1][1]
    assert row["round_index"] == 1 and row["is_request_satisfied"] is True
    assert len(row) == 7
    assert "folded in" in span.given["attributes"]["times"]
    assert span.status is None


@pytest.mark.requirement("explore:E118")
def test_a_used_up_budget_is_an_error_of_the_span(settings: Settings, tracer: Tracer) -> None:
    Rehearsal(settings, manager=(PLAN[0], said("Plan.", 20_000))).start()
    (span,) = tracer.spans
    assert (span.events, span.status) == ([], StatusCode.ERROR)


@pytest.mark.requirement("explore:E118")
def test_a_run_of_an_agent_has_its_span_when_it_is_closed(
    settings: Settings, tracer: Tracer
) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    agent.close()
    assert tracer.spans == []
    agent = Agent(settings).begin()
    agent.close()
    agent.close()
    (span,) = tracer.spans
    assert [name for name, _, _ in span.events] == ["plan_created", "progress_ledger_updated"]
