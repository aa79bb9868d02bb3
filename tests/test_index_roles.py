"""What a file is to a reader, and in which language: its own word first, then the operator's."""

import pytest

from index.fields import OwnFields
from index.markdown import read_document
from index.records import RoleRule
from index.roles import language_of, role_of

RULES = (
    RoleRule("lived", glob="Diary/**"),
    RoleRule("guidance", category="Voice of the house"),
    RoleRule("draft", key="status", value="Draft"),
    RoleRule("lived", key="tags", value="log"),
)


def role(path: str, head: str, category: str = "", column: str = "") -> str:
    data = read_document(path, f"---\n{head}\n---\n".encode()).frontmatter.data
    return role_of(path, category, OwnFields(data), column, RULES)


@pytest.mark.requirement("roles:order")
@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        pytest.param("Minyan/a.md", "role: ' Lived'", "lived", id="the file's own word"),
        pytest.param("Diary/2024/a.md", "status: draft", "lived", id="the first rule"),
        pytest.param("a.md", "status: draft", "draft", id="a key"),
        pytest.param("a.md", "tags: [river, log]", "lived", id="a key with a list"),
        pytest.param("VoiceLogs/a.md", "", "lived", id="a folder of voice logs"),
        pytest.param("x/voice_log/a.md", "", "lived", id="a folder however written"),
        pytest.param("Transcripts/x/a.md", "", "lived", id="a folder of transcripts"),
        pytest.param("Minyan/a.md", "", "guidance", id="a folder of guidance"),
        pytest.param("VoiceLogs/Blaze/a.md", "", "guidance", id="the inner folder"),
        pytest.param("Blaze.md", "", "guidance", id="a file of that name"),
        pytest.param("a.md", "type: Blaze", "guidance", id="a type of that name"),
        pytest.param("a.md", "kind: [note, transcript]", "lived", id="a kind of that name"),
        pytest.param("VoiceLogsOld/a.md", "", "", id="a name that only begins so"),
        pytest.param("Essays/a.md", "", "", id="nothing says"),
    ],
)
def test_a_role_is_found(path: str, head: str, expected: str) -> None:
    assert role(path, head) == expected


@pytest.mark.requirement("roles:order")
def test_the_column_comes_between_the_file_and_the_rules() -> None:
    assert role("Diary/a.md", "", column="Guidance ") == "guidance"
    assert role("Diary/a.md", "role: lived", column="guidance") == "lived"


def test_a_category_may_give_the_role() -> None:
    assert role("a.md", "", category="voice_of the HOUSE") == "guidance"
    assert role("a.md", "", category="Voice Log") == "lived"


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        pytest.param("no/a.md", "lang: NN", "nn", id="the file's own word"),
        pytest.param("no/a.md", "language: de", "de", id="the other key"),
        pytest.param("no/a.md", "lang: no", "no", id="a language that YAML would take for false"),
        pytest.param("no/a.md", "", "nb", id="the folder's rule"),
        pytest.param("a.md", "", "en", id="the base's default"),
    ],
)
def test_a_language_is_found(path: str, head: str, expected: str) -> None:
    data = read_document(path, f"---\n{head}\n---\n".encode()).frontmatter.data
    assert language_of(path, OwnFields(data), (("no", "nb"), ("**", "en")), "fr") == expected
    assert language_of("a.md", OwnFields({}), (), "fr") == "fr"
