"""The acceptance examples of exploration, through the tools of the server; and where each is."""

import errno
import json
import os
import subprocess
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from server.app import build_app
from server.config import Overrides, Settings, load_settings
from server.explore.explorations import Explorations
from tests.explore_acceptance import WHERE
from tests.explore_base import BASELINE, write_files, write_roads
from tests.exploring import CONTRACT, HYPOTHESIS, REVIEWED, ROUNDABOUT, settings_at
from tests.mcp_client import answered, text_of
from tests.terminal import COMMAND
from tests.test_gates_savings import CASES

pytestmark = pytest.mark.anyio

ROW: Mapping[str, Any] = {
    "is_request_satisfied": False,
    "is_in_loop": False,
    "is_progress_being_made": True,
    "next_speaker": "navigator",
    "instruction_or_question": "Go on.",
    "tokens": 0,
}
ROOMY = {**CONTRACT, "max_tokens": 100_000}
GUIDE = {"base": "roads", "path": "guide/a.md"}
N100 = {"base": "roads", "path": "krav/N100"}
LOOKED = (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


class Driver:
    """An agent with nothing but the tools."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.run = ""

    async def ask(self, tool: str, **sent: object) -> tuple[str, dict[str, Any], str]:
        """What was answered: ok or the kind of the refusal, the record, the text."""
        named = {} if tool == "open_exploration" or "run" in sent else {"run": self.run}
        result: CallToolResult = await self.client.call_tool(tool, {**named, **sent})
        record = dict(result.structured_content or {})
        flag = str(record.get("flag", "error")) if result.is_error else "ok"
        return flag, record, text_of(result)

    async def told(self, tool: str, **sent: object) -> dict[str, Any]:
        flag, record, text = await self.ask(tool, **sent)
        assert flag == "ok", text
        return record

    async def open(self, contract: Mapping[str, object] = ROOMY, **sent: object) -> None:
        opened = await self.told("open_exploration", objective="o", contract=contract, **sent)
        self.run = opened["run"]

    async def plan(self, plan: str = "Look", tokens: int = 0) -> dict[str, Any]:
        return await self.told("submit_plan", plan=plan, tokens=tokens)

    async def round(self, index: int, **changes: object) -> dict[str, Any]:
        return await self.told("record_round", round_index=index, **{**ROW, **changes})

    async def begin(self, contract: Mapping[str, object] = ROOMY, **sent: object) -> None:
        await self.open(contract, **sent)
        await self.plan()
        await self.round(1)

    async def close(self) -> dict[str, Any]:
        return await self.told("close_exploration", tokens=0)


@asynccontextmanager
async def driving(settings: Settings) -> AsyncGenerator[Driver]:
    async with Client(build_app(settings, "explore")) as client:
        yield Driver(client)


def trace(settings: Settings, run: str) -> dict[str, Any]:
    path = settings.state / "explorations" / f"{run}-exploration.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


async def test_every_acceptance_example_has_a_test() -> None:
    assert set(WHERE) == {f"A{number}" for number in range(1, 97)}
    for row, places in WHERE.items():
        assert places, row
        for place in places:
            module, _, name = place.partition("::")
            assert hasattr(import_module(f"tests.{module}"), name), (row, place)


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in CONTRACT.items() if key != name}


@pytest.mark.requirement("explore:E8")
@pytest.mark.requirement("explore:E9")
@pytest.mark.requirement("explore:E10")
@pytest.mark.requirement("explore:E12")
@pytest.mark.parametrize(
    ("contract", "words"),
    [
        pytest.param(without("max_reset_count"), ["max_reset_count"], id="A1"),
        pytest.param({**CONTRACT, "max_reset_count": 0}, ["max_reset_count"], id="A2 resets"),
        pytest.param({**CONTRACT, "max_rounds": 0}, ["max_rounds"], id="A2 rounds"),
        pytest.param({**CONTRACT, "max_tokens": 0}, ["max_tokens"], id="A2 tokens"),
        pytest.param(
            {**CONTRACT, "max_plan_revisions": 3},
            ["max_plan_revisions", "enable_plan_review"],
            id="A4",
        ),
        pytest.param({**CONTRACT, "max_rounds": True}, ["max_rounds"], id="A5 boolean"),
        pytest.param({**CONTRACT, "max_rounds": "3"}, ["max_rounds"], id="A5 text"),
        pytest.param({**CONTRACT, "max_rounds": 3.0}, ["max_rounds"], id="A5 float"),
        pytest.param({**CONTRACT, "max_tokens": 3_000_000}, ["max_tokens"], id="A7"),
    ],
)
async def test_a_contract_out_of_bounds_is_refused_by_the_tool(
    contract: Mapping[str, object], words: list[str], settings: Settings
) -> None:
    async with driving(settings) as driver:
        flag, _, text = await driver.ask("open_exploration", objective="o", contract=contract)
        assert flag == "INVALID_ARGUMENT"
        assert all(word in text for word in words)
        status = await driver.told("exploration_status", run="")
    assert status["runs"] == []


@pytest.mark.requirement("explore:E8")
async def test_a3_a_contract_without_stalls_and_revisions_is_accepted(settings: Settings) -> None:
    changes = {"max_stall_count": 0, "max_plan_revisions": 0, "enable_plan_review": True}
    async with driving(settings) as driver:
        await driver.open({**CONTRACT, **changes})
        assert (await driver.plan())["state"] == "awaiting_review"


@pytest.mark.requirement("explore:E11")
async def test_a6_a_contract_file_that_is_missing_is_no_default(
    settings: Settings, tmp_path: Path
) -> None:
    where = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    words = ["--objective", "o", "--base", "roads", "--contract", str(tmp_path / "none.json")]
    told = subprocess.run(
        [COMMAND, "explore", "run", *words, *where], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert "none.json" in told.stderr
    assert Explorations(settings).ledger.runs() == []


@pytest.mark.requirement("explore:E15")
async def test_a8_a_server_of_two_bases_of_one_id_does_not_start(tmp_path: Path) -> None:
    write_roads(tmp_path)
    write_files(tmp_path / "other", {"a.md": "---\nbundle_id: roads\n---\nA\n"})
    bases = [word for name in ("veg", "other") for word in ("--kb", str(tmp_path / name))]
    told = subprocess.run(
        [COMMAND, "serve", *bases, "--state", str(tmp_path / "state")],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (told.returncode, told.stdout) == (2, "")
    assert "veg" in told.stderr and "other" in told.stderr and "roads" in told.stderr


@pytest.mark.requirement("explore:E20")
async def test_a16_ten_thousand_documents_cost_the_catalogue_no_more_than_ten(
    tmp_path: Path,
) -> None:
    sizes: list[int] = []
    for count in (10, 10_000):
        root = tmp_path / f"b{count}"
        write_files(root, {"index.md": '---\nokf_version: "0.2"\n---\n# All\n'})
        for number in range(count):
            (root / f"{number}.md").touch()
        settings = load_settings(Overrides(kb=(root,), state=tmp_path / "state"), {})
        async with driving(settings) as driver:
            catalogue = await driver.told("list_bundles")
        assert catalogue["bases"][0]["documents"] == count
        sizes.append(len(json.dumps(catalogue, ensure_ascii=False, separators=(",", ":"))))
    assert max(sizes) <= 1000
    assert sizes[1] - sizes[0] <= 10


# The row, the tool, what is sent, the kind of the answer, and what is in its record.
READING: list[tuple[str, str, dict[str, Any], str, dict[str, Any]]] = [
    ("A9", "read_bundle", {"base": "veg"}, "UNKNOWN_BASE", {"remedy": "roads, small"}),
    ("A17", "read_bundle", {"base": "roads"}, "ok", {"total": 2, "documents": []}),
    ("A18", "read_dir", N100, "ok", {"total": 2, "total_matches": None}),
    ("A19", "read_dir", {**N100, "filter": "rundkjoring"}, "ok", {"total_matches": 1}),
    ("A19", "read_dir", {**N100, "filter": "RUNDKJØRING"}, "ok", {"total_matches": 1}),
    ("A20", "read_dir", {**N100, "filter": "N100"}, "ok", {"total_matches": 0}),
    ("A20", "read_dir", {**N100, "filter": "xyz"}, "ok", {"total": 2, "total_matches": 0}),
    (
        "A21",
        "read_dir",
        {"base": "roads", "path": "krav", "filter": "rundkjoring"},
        "ok",
        {"total": 2, "total_matches": 0, "matches_below": 1},
    ),
    ("A22", "read_dir", {**N100, "limit": 0}, "ok", {"limit": 1}),
    ("A22", "read_dir", {**N100, "limit": 1000}, "ok", {"limit": 200}),
    ("A22", "read_dir", {**N100, "offset": -3}, "ok", {"offset": 0}),
    ("A22", "read_dir", {**N100, "offset": 9}, "ok", {"documents": [], "total": 2}),
    (
        "A23",
        "read_dir",
        {"base": "roads", "path": ROUNDABOUT},
        "DOCUMENT_PATH_REFUSED",
        {"remedy": "read_file("},
    ),
    ("A24", "read_dir", {"base": "roads", "path": "verdicts"}, "BUNDLE_PATH_NOT_FOUND", {}),
    ("A25", "read_file", N100, "DIRECTORY_PATH_REFUSED", {"remedy": "read_dir("}),
    (
        "A26",
        "read_file",
        {"base": "roads", "path": "krav/N10/x.md"},
        "BUNDLE_PATH_NOT_FOUND",
        {"reason": "krav", "neighbours": ["krav/N100", "krav/N200"]},
    ),
    *(
        ("A27", "read_file", {"base": "roads", "path": path}, "PATH_OUTSIDE_BASE", {})
        for path in ("../x.md", "krav/../guide/a.md", "/x.md", "guide\\a.md")
    ),
    *(
        ("A28", "read_file", {"base": "roads", "path": path}, "BUNDLE_PATH_NOT_FOUND", {})
        for path in ("%2e%2e/x.md", "guide/a.md ")
    ),
    ("A30", "read_file", {"base": "roads", "path": "notes.txt"}, "NOT_A_DOCUMENT", {}),
    ("A31", "read_file", {"base": "roads", "path": "cost-baseline.json"}, "ok", {}),
    (
        "A32",
        "read_file",
        {"base": "roads", "path": "verdicts/v1.md"},
        "VERDICT_LAYER_REFUSED",
        {},
    ),
    ("A36", "read_file", {**GUIDE, "run": "exp_never"}, "UNKNOWN_RUN", {}),
    ("A38", "read_dir", {**N100, "limit": "10"}, "ok", {"limit": 10}),
    ("A38", "read_dir", {**N100, "limit": True}, "INVALID_ARGUMENT", {}),
    (
        "A49",
        "quick_validate",
        {"base": "rods", "proposal_json": "{}"},
        "ok",
        {"decision": "refused", "anchored": False, "reason": "roads, small"},
    ),
    (
        "A50",
        "quick_validate",
        {"base": "roads", "proposal_json": "{"},
        "ok",
        {"decision": "unparseable", "anchored": True},
    ),
]


@pytest.mark.requirement("explore:E25")
@pytest.mark.requirement("explore:E26")
@pytest.mark.requirement("explore:E33")
async def test_reading_is_answered_as_the_examples_say(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        for row, tool, sent, wanted, facts in READING:
            flag, record, text = await driver.ask(tool, **sent)
            assert flag == wanted, (row, text)
            assert "OCHRE-KINGFISHER" not in text and "v1" not in text.replace("verdicts/v1", "")
            for key, value in facts.items():
                held = value in record[key] if isinstance(value, str) else record[key] == value
                assert held or record[key] == value, (row, key, record[key])
        status = await driver.told("exploration_status")
    assert status["declarations"] == []
    run = Explorations(settings).load(driver.run)
    assert run.reads("roads") == {}
    assert [call.limit for call in run.calls[-4:-2]] == [10, 0]


@pytest.mark.requirement("explore:E34")
@pytest.mark.requirement("explore:E43")
async def test_a37_a_file_that_may_not_be_read_is_an_error_and_no_refusal(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_ = os.open

    def shut(path: Any, *arguments: Any, **named: Any) -> int:
        if Path(os.fsdecode(path)).name == "a.md":
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_(path, *arguments, **named)

    async with driving(settings) as driver:
        await driver.begin()
        monkeypatch.setattr("os.open", shut)
        flag, record, _ = await driver.ask("read_file", **GUIDE)
        monkeypatch.undo()
        assert flag == "error"
        assert "remedy" not in record
        await driver.round(2, is_request_satisfied=True)
        await driver.close()
    (call,) = trace(settings, driver.run)["tool_calls"]
    assert call["outcome"] == "error"


def proposal(**changes: object) -> str:
    return json.dumps({**json.loads(CASES["W1"][0]), **changes})


@pytest.mark.requirement("explore:E55")
@pytest.mark.requirement("explore:E60")
async def test_a51_a52_the_check_answers_over_the_tool_as_worked(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        measures = [{"id": "m1", "label": "m", "codes": ["99.9"], "max_share": 0.2}]
        for changes, check in (
            ({"currency": "EUR"}, "currency"),
            ({"measures": measures}, "unknown_code"),
        ):
            text = proposal(**changes)
            found = await driver.told("quick_validate", base="roads", proposal_json=text)
            assert (found["decision"], found["check"]) == ("rejected", check)
        for name in ("W2", "W3", "W6", "W9", "W10", "W15"):
            text, wanted = CASES[name]
            found = await driver.told("quick_validate", base="roads", proposal_json=text)
            assert found["check"] == wanted.get("check", ""), name
            assert found["advisory"] is True
            if "carriable" in wanted:
                assert found["carriable"] == pytest.approx(wanted["carriable"], abs=0.01)
            if "p" in wanted:
                got = (found["p10"], found["p50"], found["p90"])
                assert got == pytest.approx(wanted["p"], abs=0.01)
    rows = Explorations(settings).load(driver.run).validations
    assert len(rows) == 8


@pytest.mark.requirement("explore:E55")
@pytest.mark.requirement("explore:E58")
async def test_a53_a_baseline_that_breaks_a_rule_is_unreadable_and_never_missing(
    settings: Settings,
) -> None:
    band = {"low": 1_100_000, "mode": 1_000_000, "high": 1_200_000}
    broken = {**BASELINE, "lines": [{"code": "21.1", "amount": 1_000_000, "band": band}]}
    path = Path(settings.bases[0].root) / "cost-baseline.json"
    path.write_text(json.dumps(broken), encoding="utf-8")
    async with driving(settings) as driver:
        await driver.begin()
        entry = (await driver.told("list_bundles"))["bases"][0]
        assert entry["cost_baseline"] is False and entry["cost_baseline_problem"]
        sent = {"base": "roads", "proposal_json": CASES["W1"][0]}
        found = await driver.told("quick_validate", **sent)
    assert (found["decision"], found["anchored"]) == ("refused", False)


@pytest.mark.requirement("explore:E79")
async def test_a71_no_text_of_a_message_says_how_a_run_ends(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        words = "Workflow terminated due to reaching maximum reset count."
        row = await driver.round(2, is_request_satisfied=True, instruction_or_question=words)
        assert row["ends_as"] == "concluded"
        closed = await driver.close()
    assert (closed["completed"], closed["stop"]) == (True, None)


@pytest.mark.requirement("explore:E82")
async def test_a73_the_call_that_passes_the_cap_is_charged_and_not_delivered(
    settings: Settings,
) -> None:
    async with driving(settings) as driver:
        await driver.begin(CONTRACT)
        await driver.round(2, tokens=9_950)
        flag, record, _ = await driver.ask("read_file", **GUIDE)
        assert flag == "BUDGET_EXHAUSTED"
        assert "text" not in record
        closed = await driver.close()
    gone = closed["exhausted"]
    assert (gone["kind"], gone["limit"]) == ("tokens", 10_000)
    assert gone["spent"] == trace(settings, driver.run)["tokens"]["total"] > 10_000


def lay(settings: Settings, run: str, index: int, decision: str, feedback: str = "") -> None:
    """The answer of a person who uses the inbox."""
    box = settings.state / "review-inbox"
    box.mkdir(exist_ok=True)
    answer = {"run": run, "index": index, "decision": decision, "feedback": feedback}
    (box / f"{run}-plan-review-answer.json").write_text(json.dumps(answer), encoding="utf-8")


@pytest.mark.requirement("explore:E95")
@pytest.mark.requirement("explore:E111")
async def test_a86_a_second_revise_ends_a_run_that_may_be_revised_once(
    settings: Settings,
) -> None:
    async with driving(settings) as driver:
        await driver.open({**ROOMY, **REVIEWED})
        await driver.plan("One")
        lay(settings, driver.run, 0, "revise", "Shorter.")
    async with driving(settings) as second:
        second.run = driver.run
        assert (await second.told("exploration_status"))["feedback"] == "Shorter."
        await second.plan("Two")
        lay(settings, driver.run, 1, "revise", "Again.")
    async with driving(settings) as third:
        third.run = driver.run
        assert (await third.told("exploration_status"))["state"] == "ended"
        flag, _, _ = await third.ask("submit_plan", plan="Three", tokens=0)
        assert flag == "WRONG_MOMENT"
        closed = await third.close()
    assert (closed["completed"], closed["stop"]) == (True, "plan_revisions_exhausted")


@pytest.mark.requirement("explore:E43")
async def test_a93_the_run_of_another_is_told_in_the_words_for_none(settings: Settings) -> None:
    stranger = Explorations(settings, principal="stranger")
    opened = stranger.open_exploration({"objective": "o", "contract": CONTRACT})
    texts: set[str] = set()
    async with driving(settings) as driver:
        for run in (getattr(opened, "run", ""), "exp_never"):
            for tool in ("exploration_status", "list_bundles"):
                flag, _, text = await driver.ask(tool, run=run)
                assert flag == "UNKNOWN_RUN"
                texts.add(text.replace(tool, "TOOL"))
    assert len(texts) == 1


@pytest.mark.requirement("explore:E84")
async def test_a94_a_request_key_opens_one_run(settings: Settings) -> None:
    sent = {"contract": CONTRACT, "request_key": "k"}
    async with driving(settings) as driver:
        one = await driver.told("open_exploration", objective="o", **sent)
        again = await driver.told("open_exploration", objective="o", **sent)
        flag, _, _ = await driver.ask("open_exploration", objective="other", **sent)
    assert one["run"] == again["run"]
    assert flag == "INVALID_ARGUMENT"


CLAIM = {"base": "roads", "path": ROUNDABOUT, "ref": "4.1.2-1"}


@pytest.mark.requirement("explore:E47")
@pytest.mark.requirement("explore:E49")
@pytest.mark.requirement("explore:E50")
async def test_a41_a42_a46_a47_only_what_was_read_among_others_is_declared(
    settings: Settings,
) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        for path in ("x.md", "y.md", "z.md"):
            await driver.ask("read_file", base="roads", path=path)
        flag, record, _ = await driver.ask("declare_requirement", **{**CLAIM, "path": "x.md"})
        assert (flag, "the 0 read" in record["reason"]) == ("REQUIREMENT_NOT_READ", True)
        await driver.told("read_file", base="roads", path="index.md")
        flag, _, _ = await driver.ask("declare_requirement", **{**CLAIM, "path": "index.md"})
        assert flag == "REQUIREMENT_NOT_READ"
        await driver.told("read_file", base="roads", path=ROUNDABOUT)
        for path in ("p.md", "q.md"):
            await driver.told("read_file", base="small", path=path)
        flag, record, _ = await driver.ask("declare_requirement", **CLAIM)
        assert flag == "NOT_LOOKED_ENOUGH"
        assert record["reason"] == "1 of 4 documents read, 3 at least"
        await driver.told("declare_requirement", base="small", path="p.md", ref="P1")


@pytest.mark.requirement("explore:E47")
@pytest.mark.requirement("explore:E49")
@pytest.mark.requirement("explore:E52")
@pytest.mark.requirement("explore:E53")
async def test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says(
    settings: Settings,
) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        for path in (*LOOKED, "./guide/a.md", "guide//a.md"):
            await driver.told("read_file", base="roads", path=path)
        declared = await driver.told("declare_requirement", **CLAIM)
        assert declared["ref_matches"] is True
        assert (declared["title"], declared["number"]) == ("Rundkjøring", "Krav 4.1.2-1")
        flag, _, text = await driver.ask("declare_requirement", **{**CLAIM, "ref": "4.1.2-2"})
        assert (flag, "Krav 4.1.2-1" in text) == ("REQUIREMENT_REF_MISMATCH", True)
        guide = await driver.told("declare_requirement", **GUIDE, ref="G1")
        assert (guide["number"], guide["ref_matches"]) == ("", None)
        file = Path(settings.bases[0].root) / ROUNDABOUT
        file.write_text(file.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
        flag, _, _ = await driver.ask("declare_requirement", **CLAIM)
        assert flag == "REQUIREMENT_NOT_READ"
    state = Explorations(settings).load(driver.run)
    assert len(state.reads("roads")) == 3
    assert [call.path for call in state.calls if call.path.endswith("a.md")][:3] == [
        "guide/a.md",
        "./guide/a.md",
        "guide//a.md",
    ]


@pytest.mark.requirement("explore:E67")
@pytest.mark.requirement("explore:E68")
@pytest.mark.requirement("explore:E72")
async def test_a54_to_a56_a_hypothesis_is_whole_and_routed(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.begin()
        for path in LOOKED:
            await driver.told("read_file", base="roads", path=path)
        await driver.told("declare_requirement", **CLAIM)
        await commits(driver)


async def commits(driver: Driver) -> None:
    """What is no hypothesis, and what is one."""
    whole = dict(HYPOTHESIS)
    unread = {"path": "krav/N100/innledning.md", "ref": "1.1-1"}
    none = {**whole, "requirement": None, "why_none": "none binds"}
    for changes, wanted in (
        ({"requirement": None}, "HYPOTHESIS_INCOMPLETE"),
        ({"requirement": {"path": ROUNDABOUT}}, "HYPOTHESIS_INCOMPLETE"),
        ({"requirement": unread}, "REQUIREMENT_NOT_DECLARED"),
        ({**none, "base": None}, "UNROUTABLE_APPROACH"),
        ({**none, "base": "rods"}, "UNROUTABLE_APPROACH"),
        ({}, "ok"),
    ):
        flag, record, text = await driver.ask("commit_hypothesis", **{**whole, **changes})
        assert flag == wanted, text
        if wanted == "UNROUTABLE_APPROACH":
            assert "roads, small" in record["remedy"]
    left_out = {key: value for key, value in whole.items() if key != "requirement"}
    flag, _, _ = await driver.ask("commit_hypothesis", **left_out)
    assert flag in ("INVALID_ARGUMENT", "HYPOTHESIS_INCOMPLETE")


@pytest.mark.requirement("explore:E87")
@pytest.mark.requirement("explore:E85")
async def test_a62_a63_a79_moves_have_their_moment(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.open({**ROOMY, **REVIEWED})
        await driver.plan()
        flag, record, _ = await driver.ask("read_file", **GUIDE)
        assert (flag, "expedition explore review" in record["remedy"]) == ("AWAITING_REVIEW", True)
        lay(settings, driver.run, 0, "approve")
        flag, record, _ = await driver.ask("read_file", **GUIDE)
        assert (flag, "record_round" in record["remedy"]) == ("WRONG_MOMENT", True)
        assert await driver.round(1) == await driver.round(1)
        for changes in ({"round_index": 1, "next_speaker": "hypothesiser"}, {"round_index": 3}):
            flag, _, text = await driver.ask("record_round", **{**ROW, **changes})
            assert (flag, "2" in text) == ("ROUND_OUT_OF_ORDER", True)
        assert (await driver.told("exploration_status"))["tokens"]["delivered"] == 0


@pytest.mark.requirement("explore:E20")
async def test_a_window_costs_what_it_shows_and_nothing_of_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    root = tmp_path / "wide"
    write_files(root, {f"d/{number:03}.md": f"# N{number:03}\n" for number in range(300)})
    settings = load_settings(Overrides(kb=(root,), state=tmp_path / "state"), {})
    sizes: dict[int, int] = {}
    async with Client(build_app(settings, "explore")) as client:
        driver = Driver(client)
        await driver.begin()
        for limit in (10, 20, 40):
            listing = await answered(
                client, "read_dir", run=driver.run, base="wide", path="d", limit=limit
            )
            sizes[limit] = len(json.dumps(listing["documents"]))
            assert len(listing["documents"]) == limit
    assert sizes[40] == 2 * sizes[20] == 4 * sizes[10]


@pytest.mark.requirement("explore:E95")
async def test_a74_a_revise_beyond_the_cap_is_kept_and_not_applied(settings: Settings) -> None:
    async with driving(settings) as driver:
        await driver.open({**ROOMY, "enable_plan_review": True})
        await driver.plan()
        lay(settings, driver.run, 0, "revise", "Shorter.")
        assert (await driver.told("exploration_status"))["state"] == "ended"
        assert (await driver.close())["stop"] == "plan_revisions_exhausted"
    (review,) = trace(settings, driver.run)["plan_reviews"]
    assert (review["feedback"], review["applied"]) == ("Shorter.", False)


@pytest.mark.requirement("explore:E103")
async def test_a85_a_document_read_before_a_park_counts_after_it(settings: Settings) -> None:
    contract = {**ROOMY, **REVIEWED, "max_stall_count": 0}
    async with driving(settings) as driver:
        await driver.open(contract)
        await driver.plan()
        lay(settings, driver.run, 0, "approve")
        await driver.round(1)
        for path in LOOKED:
            await driver.told("read_file", base="roads", path=path)
        stalled = await driver.round(2, is_progress_being_made=False)
        assert stalled["state"] == "planning"
        await driver.plan("Another")
        lay(settings, driver.run, 1, "approve")
    async with driving(settings) as after:
        after.run = driver.run
        await after.round(3)
        assert (await after.told("declare_requirement", **CLAIM))["declared"] is True


@pytest.mark.requirement("explore:E117")
async def test_a87_a_run_out_of_tokens_leaves_its_trace_and_code_five(
    settings: Settings, tmp_path: Path
) -> None:
    contract, script = tmp_path / "contract.json", tmp_path / "script.json"
    contract.write_text(json.dumps(CONTRACT))
    script.write_text(json.dumps({"manager": [{"text": "Facts.", "usage": 10_001}]}))
    words = ["--objective", "o", "--base", "roads", "--run", "r1", "--contract", str(contract)]
    where = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    told = subprocess.run(
        [COMMAND, "explore", "run", *words, "--rehearse", str(script), *where],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 5
    assert told.stdout.startswith("Exploration: stopped (tokens: 10,001 spent of 10,000)")
    kept = trace(settings, "r1")
    assert (kept["completed"], kept["mandate"]) == (False, None)
    assert not (settings.state / "explorations" / "r1-mandate.json").exists()
