"""The configuration that `expedition init` writes: every key there is, at its default."""

import json
import re
from pathlib import Path
from typing import Any, cast, get_args

import pytest
import yaml
from pydantic import BaseModel

from server.config_file import read_config
from server.config_judges import JudgeEntry
from server.config_schema import BaseEntry, ConfigFile
from server.config_template import render_config

# Named once with a word of its own, and once as a mapping.
SHORT = "# judge: offline"
# What has no default to show, or stands for any number of entries.
EXAMPLES = {"bases", "judges", "roles", "id", "path", "lang_rules", "tokens", "oauth"}


def uncommented(root: Path) -> dict[str, Any]:
    """The template with all that it leaves out said."""
    lines = [line for line in render_config(root).splitlines() if not line.startswith(SHORT)]
    keys = [re.sub(r"^( *)# (?=[ a-z_-]+:)", r"\1", line) for line in lines[2:]]
    text = "\n".join(line for line in keys if "the folder's name" not in line)
    # a key that is off by its comment mark stands at the indent of its neighbours
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def keys_of(model: type[BaseModel]) -> dict[str, Any]:
    """The keys of a section by name, those of its sections in them; None where a value stands."""
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kinds = [field.annotation, *get_args(field.annotation)]
        section = next(
            (kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None
        )
        found[name] = keys_of(section) if section and name not in EXAMPLES else None
    return found


def shape(value: Any) -> Any:
    if not isinstance(value, dict):
        return None
    inner = cast("dict[str, Any]", value)
    return {name: None if name in EXAMPLES else shape(within) for name, within in inner.items()}


@pytest.mark.requirement("init:every-key")
def test_the_template_names_every_key_that_there_is_and_no_other(tmp_path: Path) -> None:
    written = uncommented(tmp_path)
    assert shape(written) == keys_of(ConfigFile)
    (base,) = written["bases"]
    assert base.keys() | {"id", "engine"} == BaseEntry.model_fields.keys()
    assert {key for judge in written["judges"].values() for key in judge} == (
        JudgeEntry.model_fields.keys()
    )


@pytest.mark.requirement("init:every-key")
def test_what_the_template_shows_is_what_stands_without_it(tmp_path: Path) -> None:
    file = tmp_path / "expedition.yaml"
    file.write_text(render_config(tmp_path))
    bare = read_config(file)
    written = uncommented(tmp_path)
    said = {name: value for name, value in written.items() if name not in ("bases", "judges")}
    said["briefs"] = ""
    file.write_text(json.dumps(said))  # which is YAML
    assert read_config(file).model_dump(exclude={"bases"}) == bare.model_dump(exclude={"bases"})
