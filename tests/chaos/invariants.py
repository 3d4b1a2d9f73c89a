"""What must hold whatever happened, checked at the end against the log as the store has it."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from server.facts import Forked, Wished, unpack
from server.match.arbiter import Arbiter
from server.storage.base import Appended, Store, Stored
from server.storage.redis import open_redis
from tests.chaos.players import Actor
from tests.live.node import ROOT
from tests.live.table import Oracle

_FOLD_SECONDS: Final = 60


@contextlib.asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    """The store itself, past all nodes."""
    store = await open_redis(url, lambda: time.monotonic_ns() // 1_000_000, randbytes=os.urandom, durability="process")
    try:
        yield store
    finally:
        await store.close()


async def read_log(url: str, match: str) -> tuple[Stored, ...]:
    """The log as the store has it."""
    async with open_store(url) as store:
        answer = await store.log.read(match, 0)
        assert isinstance(answer, Appended), answer
        return answer.entries


async def check(url: str, match: str, actors: Sequence[Actor], *, forks: bool = False) -> tuple[Stored, ...]:
    """Check everything; return the log. ``forks``: the store may have lost a tail, and says so."""
    log = await read_log(url, match)
    assert [stored.no for stored in log] == list(range(1, len(log) + 1)), "numbers without gaps"
    assert [stored.at for stored in log] == sorted(stored.at for stored in log), "play time never goes back"
    entries = [unpack(stored.data) for stored in log]
    if not forks:
        assert not any(isinstance(entry, Forked) for entry in entries)
        assert not any(actor.session.rewound for actor in actors)
    oracle = Oracle(match, log)
    oracle.check_conservation()
    _check_acks(oracle, actors)
    _check_hashes(match, log)
    for actor in actors:
        if not forks:
            oracle.check_frames(actor.guest.frames)
        session = actor.session
        assert session.position == oracle.view(session.seat, session.no), "what he sees is what the log says"
        if session.no == len(log):
            assert session.table is not None
            mine, theirs = session.table, oracle.arbiter.state.table
            assert (mine.games, mine.sums, mine.result) == (theirs.games, theirs.sums, theirs.result)
    one, two = await asyncio.gather(*(asyncio.to_thread(fold_elsewhere, match, log, seed) for seed in (1, 2)))
    assert one == two == oracle.arbiter.state.digest.hex(), "every process folds to the same"
    return log


def _check_acks(oracle: Oracle, actors: Sequence[Actor]) -> None:
    """No acknowledged play is lost, none counts twice, and what a player was told is what the log says."""
    counted = [(folded.seat, folded.n) for folded in oracle.folded if folded.n is not None]
    assert len(counted) == len(set(counted)), "no play counts twice"
    for actor in actors:
        assert actor.acks, "he played"
        for ack in actor.acks:
            if ack.rewound < actor.session.rewound:
                continue  # the store lost what it had acknowledged, and said so
            folded = oracle.folded[ack.no - 1]
            assert (folded.seat, folded.n, folded.refusal) == (ack.seat, ack.n, ack.refusal), f"{ack} is not in the log"


def _check_hashes(match: str, log: Sequence[Stored]) -> None:
    """Each play carries what its node had folded to: all nodes had the same. After a fork the old ones are void."""
    arbiter = Arbiter(match)
    digests = [b""]
    for stored in log:
        entry = unpack(stored.data)
        folded = arbiter.fold(stored)
        digests.append(arbiter.state.digest)
        if isinstance(entry, Wished) and entry.have < stored.no and not folded.forked:
            assert entry.digest == digests[entry.have], f"entry {stored.no}: its node had folded to something else"


def fold_elsewhere(match: str, log: Sequence[Stored], hash_seed: int) -> str:
    """Fold the log in a process of its own; return its digest."""
    given = json.dumps([match, [[stored.no, stored.at, stored.data.hex()] for stored in log]])
    run = subprocess.run(
        [sys.executable, "-m", "tests.chaos.fold"],
        cwd=ROOT,
        input=given,
        capture_output=True,
        text=True,
        check=True,
        timeout=_FOLD_SECONDS,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )
    return run.stdout.strip()
