"""Matches that nobody plays go after a while, and their codes with them."""

import pytest

from server.lifetimes import Lifetimes
from server.room import Room
from server.rooms import IDLE_BEATS, Rooms
from shared.terms import DuelTerms, KlondikeTerms, Terms
from tests.server.house import House, at_once

BEAT_MS = 1000
LET_GO_MS = (IDLE_BEATS + 3) * BEAT_MS


class ShortHouse(House):
    """Its rooms go after one minute, its solo games after three."""

    def _rooms(self) -> Rooms:
        return Rooms(
            self.store,
            clock=self.clock,
            randbytes=lambda size: (self.clock.ms + self.conns).to_bytes(size, "little"),
            life=self.life,
            in_thread=at_once,
            lifetimes=Lifetimes(gathering_ms=60_000, solo_ms=180_000),
        )


async def left_alone(terms: Terms) -> tuple[ShortHouse, Room]:
    """A match whose only player was here for two minutes and left."""
    house = ShortHouse()
    await house.start()
    room, ann = await house.create(terms)
    await house.jump(120_000)
    assert await house.rooms.find(room.match) is room
    room.detach(ann)
    return house, room


async def test_a_room_in_which_no_game_began_goes_with_its_code() -> None:
    house, room = await left_alone(DuelTerms())
    code = room.state.code
    assert code is not None
    await house.jump(LET_GO_MS + 55_000)
    assert await house.store.lobby.find_code(code) == room.match
    await house.jump(10_000)
    assert await house.rooms.find(room.match) is None
    assert await house.rooms.by_code(code) is None
    assert await house.store.lobby.find_code(code) is None


@pytest.mark.parametrize("came_back", [False, True])
async def test_a_solo_game_goes_when_its_player_does_not_come_back(*, came_back: bool) -> None:
    house, room = await left_alone(KlondikeTerms())
    await house.jump(LET_GO_MS + 170_000)
    if came_back:
        again = await house.rooms.find(room.match)
        assert again is not None
        assert again is not room
    await house.jump(LET_GO_MS + 20_000)
    assert (await house.rooms.find(room.match) is not None) is came_back


async def test_a_room_that_was_hosted_beyond_its_time_is_there_after_a_crash() -> None:
    house, room = await left_alone(DuelTerms())
    await house.enter(room, "ann")
    await house.jump(120_000)
    await house.crash("c")
    await house.jump(5_000)
    assert await house.rooms.find(room.match) is not None


def test_settings_are_read_in_hours_and_days() -> None:
    assert Lifetimes.read(24, 30, None) == Lifetimes()
    assert Lifetimes.read(0.5, 1, 2) == Lifetimes(1_800_000, 86_400_000, 172_800_000)
