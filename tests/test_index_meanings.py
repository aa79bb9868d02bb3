"""Nearness in meaning, by the vectors of the extra."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from index.faults import BadSettings
from index.meanings import PACKAGE, folder_of_vectors, meanings
from server.config import Overrides, load_settings
from tests.digging import Ground, digs_of
from tests.retrieval_base import ORDER_TERMS
from tests.test_server_candidates import candidates

installed = pytest.mark.skipif(
    importlib.util.find_spec(PACKAGE) is None, reason="the extra `semantic` is not installed"
)


@installed
@pytest.mark.requirement("retrieval:semantic")
def test_a_text_about_the_same_is_nearer_though_it_shares_no_word() -> None:
    texts = ["A boat sailed over the ocean.", "How to bake bread in an oven.", ""]
    boat, bread, nothing = meanings().likeness("the ship at sea", texts)
    assert boat > bread >= nothing == 0


@installed
def test_what_is_no_text_at_all_is_read_all_the_same() -> None:
    assert len(meanings().likeness("\ud800", ["\udcff", "\x00", "word " * 100_000])) == 3


@installed
@pytest.mark.requirement("retrieval:semantic")
def test_the_order_by_meaning_brings_the_same_candidates_with_the_same_facts(
    retrieval_ground: Ground, tmp_path: Path
) -> None:
    settings = retrieval_ground.at(tmp_path / "state")
    found = {
        rule: {row.row.path: (row.prescore, row.hits) for row in candidates(digs, ORDER_TERMS)}
        for rule in ("hybrid", "semantic")
        for digs in [digs_of(replace(settings, retrieval=rule))]
    }
    assert found["semantic"] == found["hybrid"]


@pytest.mark.requirement("retrieval:semantic")
def test_without_the_extra_the_configuration_is_refused_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.meanings.PACKAGE", "no_such_package")
    file = tmp_path / "expedition.yaml"
    file.write_text("retrieval: semantic\n", encoding="utf-8")
    with pytest.raises(BadSettings) as refused:
        load_settings(Overrides(config=file, state=tmp_path / "state"), {})
    assert "corpus-expedition[semantic]" in refused.value.remedy
    file.write_text("retrieval: hybrid\n", encoding="utf-8")
    assert load_settings(Overrides(config=file, state=tmp_path / "state"), {}).retrieval == "hybrid"
    with pytest.raises(BadSettings):
        folder_of_vectors()
