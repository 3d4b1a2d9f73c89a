"""The scripts that Redis runs: one runner for batches, with the operations of the logs, the lobby or the records."""

import hashlib
from importlib import resources
from typing import Final

from msgspec import Struct

from server.storage.base import DEAD_MS, MAX_ENTRIES, MAX_STEP_MS, PAIRING_MS

#: The bounds of the contract, as the scripts call them.
_BOUNDS: Final = {"MAX_STEP": MAX_STEP_MS, "DEAD": DEAD_MS, "PAIRING": PAIRING_MS, "MAX_ENTRIES": MAX_ENTRIES}


class Script(Struct, frozen=True):
    """``sha``: how Redis calls it. ``reads``: the operations that change nothing but the play time."""

    text: bytes
    sha: bytes
    reads: frozenset[str]


def _load(name: str, reads: str) -> Script:
    folder = resources.files("server.storage.redis") / "lua"
    bounds = "".join(f"local {bound} = {value}\n" for bound, value in _BOUNDS.items()).encode()
    text = bounds + b"".join((folder / f"{part}.lua").read_bytes() for part in ("head", name, "tail"))
    return Script(text, hashlib.sha1(text, usedforsecurity=False).hexdigest().encode(), frozenset(reads.split()))


LOGS: Final = _load("logs", "read archived archives")
LOBBY: Final = _load("lobby", "look beat")
RECORDS: Final = _load("records", "identity tokens led games_of results books books_no")
