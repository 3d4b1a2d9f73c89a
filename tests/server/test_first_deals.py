"""Nothing that deals has a seed of its own: each process deals something else, and only a code deals the same again."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTS = 20

# Every child is the same process up to the moment it deals: only the system's randomness tells them apart.
DEAL = f"""
import asyncio, os
from server.app import Node
from server.settings import Settings
from shared.terms import KlondikeTerms

async def deal():
    node = Node(Settings(port=0))
    await node.start()
    room = await node._rooms.create("ann", "Ann", KlondikeTerms())
    print(room.state.table.deal_code, flush=True)

for _ in range({STARTS}):
    child = os.fork()
    if child == 0:
        asyncio.run(asyncio.wait_for(deal(), 20))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
def test_each_start_deals_another_first_game() -> None:
    done = subprocess.run([sys.executable, "-c", DEAL], cwd=ROOT, capture_output=True, text=True, check=False)
    codes = [word for word in done.stdout.split() if word.startswith("KL1-")]
    assert len(codes) == STARTS, done.stderr
    assert len(set(codes)) == STARTS


def seeded(tree: ast.AST) -> list[int]:
    """Lines that draw from anything but what they are handed."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(name.name == "random" for name in node.names):
            lines.append(node.lineno)
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            lines.append(node.lineno)
    return lines


@pytest.mark.parametrize("folder", ["shared", "server"])
def test_nothing_that_is_shipped_has_a_generator_of_its_own(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    assert {str(path): lines for path in files if (lines := seeded(ast.parse(path.read_text())))} == {}


def test_a_generator_is_noticed() -> None:
    assert seeded(ast.parse("import random\nrandom.seed(1)")) == [1]
    assert seeded(ast.parse("def f():\n    from random import Random")) == [2]
