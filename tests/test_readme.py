"""The README tells what the program is told: every option of `serve`, with its variable and default."""

import re
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup, TyperOption

from server.cli import app

ROOT = Path(__file__).resolve().parent.parent


def table() -> dict[str, tuple[str, str]]:
    """Option -> variable and default, as the README's table has them."""
    rows = re.findall(r"^\| `(--[a-z-]+)` \| `([A-Z_]+)` \| (.*?) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    return {option: (variable, default.strip("`")) for option, variable, default in rows}


def options() -> list[TyperOption]:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    serve = group.commands["serve"]
    return [parameter for parameter in serve.params if isinstance(parameter, TyperOption) and parameter.envvar]


def test_the_table_is_complete() -> None:
    assert set(table()) == {option.opts[0] for option in options()}


@pytest.mark.parametrize("option", options(), ids=lambda option: option.opts[0])
def test_variable_and_default_are_told(option: TyperOption) -> None:
    variable, default = table()[option.opts[0]]
    assert variable == option.envvar
    if option.default not in (None, False):
        assert default == str(option.default)
