import ast
from collections.abc import Iterator
from pathlib import Path

from tests.requirements import REQUIREMENTS

SOURCES = sorted(Path(__file__).parent.glob("test_*.py"))


def claims(source: Path) -> Iterator[str]:
    """The ids in `pytest.mark.requirement("…")`, wherever the file uses that mark."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr == "requirement":
            (name,) = node.args
            yield ast.literal_eval(name)


def test_every_requirement_is_proved_and_every_proof_is_of_a_requirement() -> None:
    claimed = {claim for source in SOURCES for claim in claims(source)}
    assert claimed == set(REQUIREMENTS)


def test_a_requirement_is_an_area_a_name_and_one_sentence() -> None:
    for name, sentence in REQUIREMENTS.items():
        area, _, what = name.partition(":")
        assert area.isidentifier(), name
        assert what, name
        assert sentence[0].isupper(), name
        assert sentence.endswith("."), name
