from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from index.faults import BadSettings, NotFound
from index.records import RoleRule
from server.config import Overrides, Settings, load_settings
from server.config_file import read_config
from server.config_schema import ConfigFile

DOCS = Path(__file__).parent.parent / "docs" / "config.md"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder of the test's own, with two folders of notes in it."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "blog").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configured(home: Path, text: str, **environment: str) -> Settings:
    (home / "expedition.yaml").write_text(text, encoding="utf-8")
    return load_settings(Overrides(), environment)


@pytest.mark.requirement("config:zero")
def test_a_folder_alone_is_a_base_under_its_own_name(home: Path) -> None:
    settings = load_settings(Overrides(kb=(Path("notes"),), state=Path("state")), {})
    assert [(base.id, base.root) for base in settings.bases] == [("notes", str(home / "notes"))]
    assert settings.state == home / "state"
    assert settings.briefs == home / "state" / "Agent_Briefs"
    assert settings.source is None


def test_the_role_globs_of_the_command_line_come_before_those_of_the_file(home: Path) -> None:
    (home / "expedition.yaml").write_text(
        "bases: [{path: notes, roles: [{category: Minyan, role: guidance}]}]", encoding="utf-8"
    )
    settings = load_settings(Overrides(lived=("v/**",), guidance=("g/**",)), {})
    assert settings.base().roles == (
        RoleRule("lived", glob="v/**"),
        RoleRule("guidance", glob="g/**"),
        RoleRule("guidance", category="Minyan"),
    )


def test_a_base_named_on_the_command_line_keeps_what_the_file_says_of_it(home: Path) -> None:
    (home / "expedition.yaml").write_text(
        "bases: {mine: {path: notes, lang: no}, other: blog}", encoding="utf-8"
    )
    settings = load_settings(Overrides(kb=(home / "notes",)), {})
    assert [(base.id, base.lang) for base in settings.bases] == [("mine", "no")]


EVERY_KEY = """\
bases:
  - id: codex
    path: notes
    kind: catalogue
    catalogue: rows.md
    strip_prefix: Corpus/
    unlisted: skip
    exclude: [drafts, "*.tmp.md"]
    roles:
      - {match: "VoiceLogs/**", role: lived}
      - {key: status, value: final, role: report}
    lang: no
    lang_rules: {"de/**": de, "sv/**": sv}
    dimension: north
    hard_links: true
  - {id: plain, path: blog, engine: whoosh}
engine: tantivy
state: kept
briefs: written
judge: {default: offline, steps: {terms: mine}}
judges:
  mine: {kind: command, command: [cat, -], timeout_seconds: 5, tries: 2, backoff_seconds: 0.5,
    concurrent: 3, max_bytes: 4 KiB}
  far: {kind: model, base_url: "http://127.0.0.1:1/v1", model: m, key_env: MY_KEY}
  known: {kind: model, provider: openai, model: m}
search: {columns: [summary, title]}
retrieval: specified
narrator: {names: Ada, nouns: [the keeper]}
guidance: {terms: images first, scores: be strict, pick: surprise me}
decide: {relayed: true}
excerpt: {min_words: 100, max_words: 300}
limits: {file: 2 MiB, catalogue: 1 MiB, frontmatter: 8 KiB, depth: 5, nodes: 100, keyword: 50,
  title: 60, draft: 4096}
explore: {ceilings: {rounds: 7}, require_review: true, artefacts: runs, inbox: answers}
http: {hosts: [dig.example], origins: ["https://notes.example"], calls_at_once: 3}
"""


def test_every_key_arrives_where_it_is_used(home: Path) -> None:
    settings = configured(home, EVERY_KEY)
    base = settings.base("codex")
    assert (base.kind, base.catalogue, base.strip_prefix) == ("catalogue", "rows.md", "Corpus/")
    assert (base.unlisted, base.exclude) == ("skip", ("drafts", "*.tmp.md"))
    assert base.roles == (
        RoleRule("lived", glob="VoiceLogs/**"),
        RoleRule("report", key="status", value="final"),
    )
    assert (base.lang, base.lang_rules) == ("no", (("de/**", "de"), ("sv/**", "sv")))
    assert (base.dimension, base.hard_links) == ("north", True)
    assert (base.engine, settings.base("plain").engine) == ("tantivy", "whoosh")
    assert (base.limits.file, base.limits.yaml_depth, base.limits.yaml_nodes) == (2 << 20, 5, 100)
    assert (settings.state, settings.briefs) == (home / "kept", home / "written")
    assert settings.columns == ("summary", "title")
    assert settings.retrieval == "specified"
    assert (settings.narrator.names, settings.narrator.nouns) == (("Ada",), ("the keeper",))
    assert settings.guidance.pick == "surprise me"
    assert settings.decide.relayed
    assert (settings.excerpt.min_words, settings.excerpt.max_words) == (100, 300)
    assert (settings.limits.keyword, settings.limits.title, settings.limits.draft) == (50, 60, 4096)
    assert (settings.explore.ceilings.rounds, settings.explore.require_review) == (7, True)
    assert settings.explore.artefacts == str(home / "runs")
    assert settings.explore.inbox == str(home / "answers")
    assert (settings.http.hosts, settings.http.calls_at_once) == (("dig.example",), 3)
    assert settings.source == home / "expedition.yaml"


def test_every_key_of_a_judge_arrives_where_it_is_used(home: Path) -> None:
    settings = configured(home, EVERY_KEY)
    assert settings.judge.names == ("mine", "offline", "offline")
    assert settings.judge_named
    mine = settings.judges["mine"]
    assert (mine.command, mine.tries, mine.backoff_seconds) == (("cat", "-"), 2, 0.5)
    assert (mine.timeout_seconds, mine.concurrent, mine.max_bytes) == (5, 3, 4096)
    far = settings.judges["far"]
    assert (far.base_url, far.model, far.key_env) == ("http://127.0.0.1:1/v1", "m", "MY_KEY")


@pytest.mark.requirement("judge:no-program-from-a-base")
def test_a_configuration_inside_a_base_defines_no_judges(home: Path) -> None:
    text = "bases: [{path: .}]\nstate: ../kept\nbriefs: ../briefs\n"
    configured(home, text)
    with pytest.raises(BadSettings, match="a configuration with judges"):
        configured(home, text + "judges: {a: {kind: command, command: cat}}\n")


def test_the_keys_tested_are_all_the_keys_there_are(home: Path) -> None:
    written = configured(home, EVERY_KEY).source
    assert written is not None
    assert read_config(written).model_fields_set == set(ConfigFile.model_fields)


def test_relaying_a_decision_is_off_unless_the_file_turns_it_on(home: Path) -> None:
    assert not configured(home, "bases: [notes]").decide.relayed


def test_an_empty_file_and_keys_without_values_leave_the_defaults(home: Path) -> None:
    assert configured(home, "").bases == ()
    settings = configured(home, "bases: [{path: notes, lang: }]\nnarrator:\nlimits: {file: }\n")
    assert settings.base().lang == ""
    assert settings.narrator == ConfigFile().narrator
    assert settings.limits.file == 4 << 20


def test_a_named_file_that_is_absent_is_not_found(home: Path) -> None:
    for overrides, environment in (
        (Overrides(config=home / "none.yaml"), dict[str, str]()),
        (Overrides(), {"EXPEDITION_CONFIG": "none.yaml"}),
    ):
        with pytest.raises(NotFound, match=r"none\.yaml"):
            load_settings(overrides, environment)


def test_a_folder_cannot_be_read_as_a_file(home: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read"):
        load_settings(Overrides(config=home / "notes"), {})


def test_the_file_is_the_named_one_then_the_folder_s_then_the_user_s(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = home / "user.yaml"
    monkeypatch.setattr("server.config.user_config", lambda: user)
    for path in (user, home / "elsewhere.yaml", home / "named.yaml"):
        path.touch()
    elsewhere = {"EXPEDITION_CONFIG": "elsewhere.yaml"}
    assert load_settings(Overrides(), {"EXPEDITION_CONFIG": ""}).source == user
    assert configured(home, "").source == home / "expedition.yaml"
    assert load_settings(Overrides(), elsewhere).source == home / "elsewhere.yaml"
    named = load_settings(Overrides(config=Path("named.yaml")), elsewhere)
    assert named.source == home / "named.yaml"
    for path in (user, home / "expedition.yaml"):
        path.unlink()
    assert load_settings(Overrides(), {}).source is None


@pytest.mark.parametrize(
    ("option", "environment", "expected"),
    [
        pytest.param(Path("s1"), {"EXPEDITION_STATE": "s2"}, "s1", id="the option"),
        pytest.param(None, {"EXPEDITION_STATE": "s2"}, "s2", id="the environment"),
        pytest.param(None, {"EXPEDITION_STATE": ""}, "conf/s3", id="the file, from its own folder"),
    ],
)
def test_state_is_where_the_strongest_word_says(
    home: Path, option: Path | None, environment: Mapping[str, str], expected: str
) -> None:
    config = home / "conf" / "expedition.yaml"
    config.parent.mkdir()
    config.write_text("state: s3", encoding="utf-8")
    settings = load_settings(Overrides(config=config, state=option), environment)
    assert settings.state == home / expected


def test_without_any_word_state_is_in_the_user_s_state_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "xdg"))
    assert home in load_settings(Overrides(), {}).state.parents


def test_a_tilde_is_the_home_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    assert configured(home, "bases: [~/notes]\nstate: ~/s").state == home / "s"
    with pytest.raises(BadSettings, match="there can be no such path"):
        configured(home, "state: ~nobody-of-this-name/s")


def test_briefs_lie_beside_the_file_unless_that_is_inside_a_base(home: Path) -> None:
    assert configured(home, "bases: [notes]").briefs == home / "Agent_Briefs"
    inside = home / "notes" / "expedition.yaml"
    inside.write_text("bases: [.]\nstate: ../state", encoding="utf-8")
    settings = load_settings(Overrides(config=inside), {})
    assert settings.briefs == home / "state" / "Agent_Briefs"


@pytest.mark.requirement("config:nothing-in-a-base")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("bases: [notes]\nbriefs: notes/Agent_Briefs", id="briefs below a base"),
        pytest.param("bases: [notes]\nbriefs: blog/../notes", id="briefs in a base, by detour"),
        pytest.param("bases: [notes]\nbriefs: link/b", id="briefs in a base, by a link"),
        pytest.param("bases: [notes]\nstate: notes/.state/deep", id="state below a base"),
        pytest.param("bases: [notes]\nstate: notes", id="state is a base"),
    ],
)
def test_nothing_of_ours_is_kept_inside_a_base(home: Path, text: str) -> None:
    (home / "link").symlink_to(home / "notes")
    with pytest.raises(BadSettings, match="lies inside the base notes"):
        configured(home, text)


def test_a_sibling_with_the_same_beginning_is_not_inside(home: Path) -> None:
    assert configured(home, "bases: [notes]\nbriefs: notes-briefs").briefs == home / "notes-briefs"


@pytest.mark.requirement("config:one-base-one-place")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(
            "bases: [{id: a, path: notes}, {id: a, path: blog}]", "two bases are called a", id="id"
        ),
        pytest.param(
            "bases: {a: notes, b: notes}", "one base lies inside another", id="one folder"
        ),
        pytest.param("bases: {a: ., b: notes}", "one base lies inside another", id="inner last"),
        pytest.param("bases: {a: notes, b: .}", "one base lies inside another", id="inner first"),
        pytest.param("bases: {a: notes, b: link}", "one base lies inside another", id="by a link"),
    ],
)
def test_one_id_is_one_base_and_one_file_is_in_one_base(
    home: Path, text: str, complaint: str
) -> None:
    (home / "link").symlink_to(home / "notes")
    with pytest.raises(BadSettings, match=complaint):
        configured(home, text + "\nstate: ../kept")


def test_a_base_without_its_folder_stops_the_start(home: Path) -> None:
    (home / "file.md").touch()
    for path in ("gone", "file.md"):
        with pytest.raises(NotFound, match=f"has no folder .*{path}"):
            configured(home, f"bases: [{path}]")


@pytest.mark.parametrize(
    "name", ["..", "a/b", r"a\\b", r"a\nb", "-rf", r"\u202eba", pytest.param("x" * 101, id="long")]
)
def test_an_id_that_could_mislead_is_refused(home: Path, name: str) -> None:
    with pytest.raises(BadSettings, match="a base cannot be called"):
        configured(home, f'bases: [{{id: "{name}", path: notes}}]')


def test_the_root_folder_has_no_name_to_go_by(home: Path) -> None:
    with pytest.raises(BadSettings, match="give it an id"):
        load_settings(Overrides(kb=(Path("/"),)), {})


def test_a_base_is_found_by_id_and_alone_without_one(home: Path) -> None:
    assert configured(home, "bases: [notes]").base().id == "notes"
    both = configured(home, "bases: [notes, blog]")
    assert both.base("blog").root == str(home / "blog")
    with pytest.raises(BadSettings, match="name one: blog, notes"):
        both.base()
    with pytest.raises(NotFound, match="or: blog, notes"):
        both.base("diary")
    with pytest.raises(BadSettings, match="--kb PATH"):
        configured(home, "").base()


def test_an_index_has_one_home_per_base_and_folder(home: Path) -> None:
    first = configured(home, "bases: {a: notes}")
    second = configured(home, "bases: {a: blog}")
    odd = configured(home, "bases: {'Ørets ende: 1.': notes}")
    homes = {settings.index_home(settings.base()) for settings in (first, second, odd)}
    assert len(homes) == 3
    assert {path.parent for path in homes} == {first.state / "index"}
    assert first.index_home(first.base()).name.startswith("a-")
    assert odd.index_home(odd.base()).name.startswith("Ørets-ende-1.-")


def test_settings_cannot_be_changed_afterwards(home: Path) -> None:
    settings = configured(home, "")
    with pytest.raises(FrozenInstanceError):
        settings.judge_named = True  # type: ignore[misc]
