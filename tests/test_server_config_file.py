import re
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from index.faults import BadSettings
from server.config_file import read_config
from server.config_judges import JudgeEntry
from server.config_schema import BaseEntry, ConfigFile, RoleEntry

DOCS = Path(__file__).parent.parent / "docs" / "config.md"


def read(folder: Path, content: str | bytes) -> ConfigFile:
    path = folder / "expedition.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_config(path)


@pytest.mark.requirement("config:unknown-key")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(
            "narator: {}", "line 1: narator: unknown key, the nearest is narrator", id="top"
        ),
        pytest.param(
            "bases:\n  notes:\n    path: notes\n    unlistd: skip\n",
            "line 4: bases.notes.unlistd: unknown key, the nearest is unlisted",
            id="in a named base",
        ),
        pytest.param(
            "bases:\n- path: notes\n  roles:\n  - {mach: v, role: lived}\n",
            "line 4: bases.1.roles.1.mach: unknown key, the nearest is match",
            id="in a rule of a listed base",
        ),
        pytest.param(
            "\nlimits:\n\n  fiel: 1\n",
            "line 4: limits.fiel: unknown key, the nearest is file",
            id="caps",
        ),
        pytest.param(
            "decide: {relayd: }",
            "line 1: decide.relayd: unknown key, the nearest is relayed",
            id="no value",
        ),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(BadSettings) as refusal:
        read(tmp_path, text)
    assert f"expedition.yaml {complaint}" in refusal.value.message


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(
            "decide: {relayed: yes}", "line 1: decide.relayed: say true or false", id="switch"
        ),
        pytest.param(
            "limits: {depth: many}", "line 1: limits.depth: say a whole number", id="count"
        ),
        pytest.param(
            "limits: {depth: 0}", "line 1: limits.depth: should be greater than 0", id="zero"
        ),
        pytest.param(
            "limits: {file: 3 parsecs}", "line 1: limits.file: say a number of bytes", id="size"
        ),
        pytest.param(
            "limits: {file: [1]}", "line 1: limits.file: say a number of bytes", id="list"
        ),
        pytest.param("judge: gpt", "line 1: judge: there is no judge gpt", id="judge"),
        pytest.param(
            "judge: {default: offline, stepps: {}}",
            "judge.stepps: unknown key, the nearest is steps",
            id="a key of judge",
        ),
        pytest.param(
            "judges: {a: {kind: model, modell: m}}",
            "judges.a.modell: unknown key, the nearest is model",
            id="a key of a judge",
        ),
        pytest.param(
            "judges: {a: {kind: model, model: m}}",
            "a model judge has a model and either base_url or provider",
            id="a model nowhere",
        ),
        pytest.param(
            "judges: {a: {kind: command, command: x, model: m}}",
            "a command judge has a command",
            id="a command with a model",
        ),
        pytest.param(
            "judges: {a: {kind: command, command: x, backoff_seconds: soon}}",
            "say a number of seconds",
            id="a pause",
        ),
        pytest.param(
            "judges: {offline: {kind: command, command: x}}", "is there already", id="a name"
        ),
        *(
            pytest.param(
                f"judges: {{a: {{kind: model, base_url: '{url}', model: m}}}}",
                "is no address",
                id=f"the address {url}",
            )
            for url in ("http://[::1", "http://h:99999999", "https:///v1", "http://h:0/v1")
        ),
        pytest.param(
            'judges: {a: {kind: command, command: ["a\\0b"]}}', "holds no NUL", id="a NUL"
        ),
        pytest.param("search: {columns: []}", "line 1: search.columns", id="no columns"),
        pytest.param("search: {columns: [body]}", "line 1: search.columns.1", id="no column"),
        pytest.param("bases: [{id: notes}]", "line 1: bases.1.path: is missing", id="no path"),
        pytest.param("bases: notes", "line 1: bases", id="bases are no list"),
        pytest.param(
            "bases: {a: {id: b, path: notes}}", "the base is called a and b", id="two names"
        ),
        pytest.param(
            "narrator: Ada", "line 1: narrator: should be keys with values", id="no mapping"
        ),
        pytest.param("- notes", "the file: should be keys with values", id="a list"),
        pytest.param('state: "a\\0b"', "line 1: state", id="a NUL in a path"),
        pytest.param(
            "guidance: {pick: '" + "x" * 2001 + "'}", "line 1: guidance.pick", id="a manual"
        ),
        pytest.param(
            "excerpt: {min_words: 501}",
            "line 1: excerpt: min_words is more than max_words",
            id="bounds",
        ),
        pytest.param(
            "bases: [{path: notes, roles: [{role: lived}]}]",
            "line 1: bases.1.roles.1: say exactly one of match, category or key",
            id="a rule without a condition",
        ),
        pytest.param(
            "bases: [{path: notes, roles: [{role: lived, match: a, category: b}]}]",
            "line 1: bases.1.roles.1: say exactly one of match, category or key",
            id="a rule with two conditions",
        ),
        pytest.param(
            "bases: [{path: notes, roles: [{role: lived, key: status}]}]",
            "line 1: bases.1.roles.1: key and value go together",
            id="a key without its value",
        ),
        pytest.param(
            "a: 1\njudge: offline\njudge: offline", "line 3: judge is said twice", id="twice"
        ),
        pytest.param("state: [", "line 2: did not find", id="no YAML"),
        pytest.param("state: !!python/name:os.system x", "line 1: a tag", id="a tag"),
        pytest.param("x: " + "[" * 25, "line 1: nested deeper than 20", id="deep"),
    ],
)
def test_an_impossible_value_is_an_error_with_its_place(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(BadSettings) as refusal:
        read(tmp_path, text)
    assert complaint in refusal.value.message


@pytest.mark.requirement("judge:no-key-in-the-file")
@pytest.mark.parametrize(
    "entry",
    [
        "{kind: model, base_url: 'http://h/v1', model: m, api_key: sk-hidden}",
        "{kind: model, base_url: 'http://h/v1', model: m, token: sk-hidden}",
        "{kind: model, base_url: 'http://h/v1', model: m, key_env: sk-hidden}",
        "{kind: model, base_url: 'http://me:sk-hidden@h/v1', model: m}",
        "{kind: model, base_url: 'http://h/v1?api_key=sk-hidden', model: m}",
    ],
)
def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path: Path, entry: str) -> None:
    with pytest.raises(BadSettings) as refusal:
        read(tmp_path, f"judges: {{a: {entry}}}")
    assert "sk-hidden" not in refusal.value.message


def test_all_complaints_of_a_file_come_at_once_and_in_order(tmp_path: Path) -> None:
    with pytest.raises(BadSettings) as refusal:
        read(tmp_path, "judge: gpt\nbreifs: here\ndecide: {relayed: 1}\n")
    lines = [line.rpartition("expedition.yaml ")[2] for line in refusal.value.message.splitlines()]
    assert [line.partition(":")[0] for line in lines] == ["line 1", "line 2", "line 3"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param(b"state: \xff", "is not UTF-8 at byte 7", id="latin-1"),
        pytest.param(b"# " + b"x" * 300_000, "is larger than", id="huge"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    with pytest.raises(BadSettings, match=complaint):
        read(tmp_path, content)


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffjudge: offline").judge.default == "offline"


FRAGMENTS = [
    *("bases", "path", "roles", "limits", "file", ": ", "- ", "\n", "  ", "{", "}", "[", "]", ","),
    *("'", '"', "&a ", "*a", "!!int ", "|", "#", "---\n", "\t", "\u0085", "\u2028"),
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join) | st.text(max_size=200))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    with NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        try:
            assert isinstance(read_config(Path(file.name)), ConfigFile)
        except BadSettings as refusal:
            assert f"{file.name} line " in refusal.message


def key_paths(model: type[BaseModel], prefix: str = "") -> list[str]:
    """`limits.file` and its like, for every key that a mapping of the file may hold."""
    paths: list[str] = []
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            paths += key_paths(inner, f"{prefix}{name}.")
        else:
            paths.append(prefix + name)
    return paths


def test_the_page_on_configuration_explains_every_key_and_no_other() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    models = (ConfigFile, BaseEntry, RoleEntry, JudgeEntry)
    assert sorted(rows) == sorted(key for model in models for key in key_paths(model))


def test_the_example_on_the_page_is_read(tmp_path: Path) -> None:
    _, _, rest = DOCS.read_text(encoding="utf-8").partition("```yaml\n")
    (base,) = read(tmp_path, rest.partition("```")[0]).bases
    assert (base.id, base.lang_rules) == ("codex", {"Norsk/**": "nb"})
