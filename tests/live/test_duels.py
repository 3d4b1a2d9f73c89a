"""Random duels over real sockets: cards conserved, views equal, the log folds to what was shown, nothing hidden leaks.

`LIVE_DUELS` sets how many (default 30; the long run has 1000).
"""

import asyncio
import os
import random
from typing import Final

import pytest

from client.player import RandomPlayer, take_part
from shared.protocol import JSON, MSGPACK, DuelTerms
from tests.live.node import HereNode, node_here
from tests.live.table import Guest, Oracle, match_of, table

DUELS: Final = int(os.environ.get("LIVE_DUELS", "30"))
#: So many at once.
TABLES: Final = 10
SPEED: Final = 30.0


def terms_of(index: int) -> DuelTerms:
    """Terms of all kinds, by turns."""
    return DuelTerms(
        tempo="alternating" if index % 2 else "simultaneous",
        draw=((1, 1), (3, 3), (1, 3))[index % 3],
        passes="one" if index % 7 == 3 else "unlimited",
        penalty=index % 2 == 0 and index % 3 == 1,
        clear_bonus=index % 5 == 1,
        play_on=index % 5 == 2,
        mirror=index % 11 == 4,
        games=3 if index % 10 == 0 else 1,
        game_seconds=None,
        turn_seconds=600,
        grace_seconds=600,
    )


async def play(node: HereNode, index: int) -> None:
    chance = random.Random(index)
    codecs = ((MSGPACK, JSON), (JSON, MSGPACK), (MSGPACK, MSGPACK), (JSON, JSON))[index // 2 % 4]
    async with table(node.url, terms_of(index), codecs, index) as guests:

        async def part(guest: Guest) -> None:
            player = RandomPlayer(chance.random, longest=40 + index % 60)
            await take_part(guest.connection, player, nonce=lambda: f"{chance.getrandbits(128):032x}")

        watcher = Guest(node.url, codecs[0], chance)
        async with watcher.connection:
            await watcher.connection.join(match=match_of(guests[0]), watch=True)
            await asyncio.wait_for(asyncio.gather(*map(part, guests)), 60)
            await watcher.connection.until(lambda session: session.table is not None and session.table.phase == "over")
            await check(node, guests, watcher)


async def check(node: HereNode, guests: tuple[Guest, Guest], watcher: Guest) -> None:
    live_table = guests[0].session.table
    assert live_table is not None
    oracle = Oracle(live_table.match, await node.log(live_table.match))
    state = oracle.arbiter.state
    room = await node.rooms.find(live_table.match)
    assert room is not None
    assert room.state.digest == state.digest, "the fold of the log is not what was shown live"
    oracle.check_conservation()
    for seat, guest in (*enumerate(guests), (None, watcher)):
        assert guest.session.seat == seat
        assert guest.session.position == oracle.view(seat)
        assert guest.session.table == state.table
        assert guest.session.display == guest.session.position
        oracle.check_frames(guest.frames)


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_random_duels_hold_their_laws() -> None:
    async with node_here(speed=SPEED) as node:
        left = iter(range(DUELS))

        async def one_after_another() -> None:
            for index in left:
                await play(node, index)

        await asyncio.gather(*(one_after_another() for _ in range(min(TABLES, DUELS))))


def test_the_oracle_sees_a_leak() -> None:
    """The check above can fail: a frame with a face-down card, and one with a key that nobody knows."""
    oracle = Oracle("m", ())
    with pytest.raises(AssertionError, match="hidden cards"):
        oracle.check_frames(['{"t":"update","no":0,"events":[{"ev":"drawn","cards":[7]}]}'])
    with pytest.raises(AssertionError, match="unknown key"):
        oracle.check_frames(['{"t":"update","no":0,"peek":[7]}'])
