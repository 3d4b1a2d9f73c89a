from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.storage.fakes import JumpingClock
from tests.contract.stores import KINDS, Kind, Rig


@asynccontextmanager
async def rig_of(kind: Kind, place: Path) -> AsyncIterator[Rig]:
    clock = JumpingClock()
    made = Rig(kind, place, clock, await kind.open(place, clock))
    await made.store.log.join("boot-1")
    try:
        yield made
    finally:
        await made.store.close()


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
async def rig(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    """Each store."""
    async with rig_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture(params=[kind for kind in KINDS if kind.lasts], ids=lambda kind: kind.name)
async def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    """Each store that outlives its process."""
    async with rig_of(request.param, tmp_path) as made:
        yield made
