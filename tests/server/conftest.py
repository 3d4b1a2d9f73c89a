"""What several tests of the server begin with."""

import logging
from collections.abc import AsyncIterator, Iterator

import pytest
import structlog

from tests.server.hall import Hall
from tests.server.house import House


@pytest.fixture
def quiet_log() -> Iterator[None]:
    """Leaves the log of the process as it was found."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    root.handlers[:], level = before
    root.setLevel(level)


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    """A node with its lobby, started; it stops with the test."""
    house = await House().start()
    made = Hall(house)
    yield made
    await made.lobby.close()
    await house.rooms.close()
