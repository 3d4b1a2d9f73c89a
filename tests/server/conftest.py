"""What several tests of the server begin with."""

from collections.abc import AsyncIterator

import pytest

from tests.server.hall import Hall
from tests.server.house import House


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    """A node with its lobby, started; it stops with the test."""
    house = await House().start()
    made = Hall(house)
    yield made
    await made.lobby.close()
    await house.rooms.close()
