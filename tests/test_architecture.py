"""docs/architecture.md names files and functions that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text()
#: A file or folder of the project; a file with a name in it.
PATHS = sorted(set(re.findall(r"`((?:shared|server|client)/[\w./]*)`", TEXT)))
NAMES = sorted(set(re.findall(r"`((?:shared|server|client)/[\w./]+\.(?:py|js))` `([\w.]+)`", TEXT)))


def python_names(text: str) -> set[str]:
    """Functions and classes of a module, and the methods of its classes as `Class.method`."""
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("shared."):
            found.update(alias.name for alias in node.names)  # told again under this module's name
        if isinstance(node, ast.ClassDef):
            methods = (inner for inner in node.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)))
            found.update(f"{node.name}.{method.name}" for method in methods)
    return found


def script_names(text: str) -> set[str]:
    """Functions of a script, and the methods of the objects in it."""
    return set(re.findall(r"^\s*(?:export )?(?:async )?(?:function )?(\w+)\([^;]*\) \{$", text, re.MULTILINE))


def test_enough_is_named() -> None:
    assert len(NAMES) > 20
    assert len(PATHS) > len({path for path, _ in NAMES})


@pytest.mark.parametrize("path", PATHS)
def test_the_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("path", "name"), NAMES)
def test_the_name_exists(path: str, name: str) -> None:
    text = (ROOT / path).read_text()
    assert name in (python_names(text) if path.endswith(".py") else script_names(text))


def test_a_wrong_name_is_noticed() -> None:
    assert "Room.fly" not in python_names((ROOT / "server/room.py").read_text())
    assert "fly" not in script_names((ROOT / "client/web/js/drag.js").read_text())
