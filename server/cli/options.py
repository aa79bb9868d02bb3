"""Options that many commands share: which bases, which configuration, which state directory."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from server.config import Overrides, Settings, load_settings

R = TypeVar("R")

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
base_option = click.option("--base", metavar="ID", help="The base to use, if there are several.")

_FOLDER = click.Path(path_type=Path)
_OVERRIDES = (
    click.option(
        "--kb",
        multiple=True,
        metavar="PATH",
        type=_FOLDER,
        help="A folder of markdown; repeatable.",
    ),
    click.option("--config", metavar="FILE", type=_FOLDER, help="The configuration file to read."),
    click.option("--state", metavar="PATH", type=_FOLDER, help="The private state directory."),
    click.option("--lived", multiple=True, metavar="GLOB", help="Files of first-hand material."),
    click.option("--guidance", multiple=True, metavar="GLOB", help="Files that give guidance."),
)


def override_options(function: Callable[..., R]) -> Callable[..., R]:
    """Add --kb, --config, --state, --lived and --guidance; pass them on, unread, as `Overrides`."""

    @wraps(function)
    def with_overrides(**arguments: Any) -> R:
        given = {field.name: arguments.pop(field.name) for field in fields(Overrides)}
        return function(Overrides(**given), **arguments)

    for option in reversed(_OVERRIDES):
        with_overrides = option(with_overrides)
    return with_overrides


def settings_options(function: Callable[..., R]) -> Callable[..., R]:
    """Add the same options; pass on, first, the `Settings` that they and the configuration give."""

    @wraps(function)
    def with_settings(overrides: Overrides, **arguments: Any) -> R:
        settings: Settings = load_settings(overrides)
        return function(settings, **arguments)

    return override_options(with_settings)
