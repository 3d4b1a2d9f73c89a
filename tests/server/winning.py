"""Wins solo games the way a player does: move by move, along a line that the solver finds."""

import time

from server.room import Room
from server.solver.problem import from_position
from server.solver.search import Search
from server.solver.solve import solve
from shared.protocol import Refused
from tests.server.fakes import FakeViewer
from tests.server.house import House


async def win(house: House, room: Room, viewer: FakeViewer) -> None:
    """Play the room's game to its win."""
    position = room.state.position
    assert position is not None
    verdict = solve(from_position(room.state.rules, position), Search(1 << 24), time.monotonic, seconds=30)
    assert verdict.moves is not None, verdict.result
    for step in verdict.moves:
        told = await house.play(room, viewer, step)
        assert not any(isinstance(message, Refused) for message in told), told
    assert room.state.table.result is not None
