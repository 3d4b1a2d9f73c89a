"""The rules give the same bytes whatever order sets and dictionaries of a process happen to have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
from hashlib import sha256
import msgspec
from shared.engine import legal
from shared.stuck import search
from tests.shared.games import ALL, random_game
digest = sha256()
for terms in ALL:
    for seed in (1, 3):
        for number, (rules, position, seat, command, at) in enumerate(random_game(terms, seed, 60)):
            digest.update(msgspec.msgpack.encode(position) + msgspec.msgpack.encode(legal(rules, position, seat, at)))
            digest.update(msgspec.msgpack.encode(command))
            if number % 20 == 0:
                digest.update(str(search(rules, position, seat, 300)).encode())
print(digest.hexdigest())
"""


def digest(hash_seed: str) -> str:
    """Return what ``SCRIPT`` prints in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("other", ["1", "4711"])
def test_two_hash_seeds_fold_the_same_games_alike(other: str) -> None:
    assert digest("0") == digest(other)
