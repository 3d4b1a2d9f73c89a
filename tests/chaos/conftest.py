"""Real Redis servers and nodes, as processes of this machine; each test has its own."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from scripts.cluster import Cluster
from scripts.relay import Relay

LONG = os.environ.get("CHAOS") == "long"
#: Of a scenario that make test has no time for: its rule has a faster test besides, or one scenario like it is played.
only_long = pytest.mark.skipif(not LONG, reason="takes long; make chaos plays it")


def rounds(short: int, long: int) -> int:
    """How often a scenario is played: `short` in make test, `long` in make chaos (CHAOS=long)."""
    return long if LONG else short


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    """Redis, two nodes, a balancer."""
    async with Cluster(tmp_path / "cluster") as made:
        yield made


class Lines:
    """Lines of the test's own to single ports, to be cut, held or slowed."""

    def __init__(self) -> None:
        self._made: list[Relay] = []

    async def to(self, port: int) -> Relay:
        relay = Relay(lambda: (port,))
        await relay.start()
        self._made.append(relay)
        return relay

    async def stop(self) -> None:
        await asyncio.gather(*(relay.stop() for relay in self._made))


@pytest.fixture
async def lines() -> AsyncIterator[Lines]:
    made = Lines()
    yield made
    await made.stop()
