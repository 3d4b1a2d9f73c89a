"""The server is killed in the middle of a duel, again and again: nothing that anybody saw is lost, nothing is shown."""

import asyncio
import random
import time
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from client.player import RandomPlayer
from client.session import Session
from server.settings import STORE_FILE
from server.storage.base import Appended, Stored
from server.storage.sqlite import open_sqlite
from shared.protocol import JSON, MSGPACK, DuelTerms
from shared.table import Ready
from tests.live.node import ServerProcess
from tests.live.table import Guest, Oracle, begin, seat

KILLS: Final = 20
#: Both players are back so soon after the restart, seconds.
BACK_IN: Final = 2.0


class Acknowledged(Struct, frozen=True):
    """A play whose verdict a client has seen."""

    seat: int
    n: int
    no: int


async def keep_playing(guest: Guest, chance: random.Random, seen: list[Acknowledged]) -> None:
    """Play on, some twenty cards a second, and keep what was acknowledged; ready again when a game ends."""
    player = RandomPlayer(chance.random, longest=100_000)
    connection = guest.connection
    while True:
        await asyncio.sleep(0.03 * chance.random())
        session, me = connection.session, connection.session.seat
        table = session.table
        if me is None or table is None or (owner := table.players[me]) is None:
            continue
        if table.phase in {"gathering", "between"} and not owner.ready:
            await connection.play(Ready(f"{chance.getrandbits(128):032x}"))
        elif table.phase == "playing" and (wish := player.choose(session)) is not None:
            settled = await connection.play(wish)
            if settled.no is not None:
                seen.append(Acknowledged(me, settled.n, settled.no))


async def back(guests: tuple[Guest, Guest], lines: list[int]) -> None:
    """Wait until each has a new line and the server has answered its join."""
    for guest, before in zip(guests, lines, strict=True):

        def is_back(session: Session, guest: Guest = guest, before: int = before) -> bool:
            return guest.connection.lines > before and session.live

        await guest.connection.until(is_back)


async def read_log(data: Path, match: str) -> tuple[Stored, ...]:
    store = open_sqlite(data / STORE_FILE, lambda: time.monotonic_ns() // 1_000_000, durability="disk")
    try:
        answer = await store.log.read(match, 0)
        assert isinstance(answer, Appended)
        return answer.entries
    finally:
        await store.close()


@pytest.mark.live
@pytest.mark.chaos
@pytest.mark.timeout(240)
async def test_killed_in_the_middle_of_a_duel(tmp_path: Path) -> None:
    chance = random.Random(7)
    server = ServerProcess(tmp_path, "--message-rate", "0")
    server.start()
    guests = (Guest(server.url, MSGPACK, chance), Guest(server.url, JSON, chance))
    acknowledged: list[Acknowledged] = []
    waits: list[float] = []
    try:
        async with guests[0].connection, guests[1].connection:
            match = await seat(*guests, DuelTerms(games=5, game_seconds=None))
            await begin(guests, [f"{chance.getrandbits(128):032x}" for _ in guests])
            playing = [asyncio.create_task(keep_playing(guest, chance, acknowledged)) for guest in guests]
            for _ in range(KILLS):
                await asyncio.sleep(0.1 + 0.3 * chance.random())
                lines = [guest.connection.lines for guest in guests]
                server.kill()
                held = [guest.session.no for guest in guests]
                await asyncio.to_thread(server.start)
                began = time.monotonic()
                async with asyncio.timeout(20):
                    await back(guests, lines)
                waits.append(time.monotonic() - began)
                assert [guest.session.rewound for guest in guests] == [0, 0]
                assert all(guest.session.no >= no for guest, no in zip(guests, held, strict=True))
            await asyncio.sleep(0.3)
            for task in playing:
                assert not task.done(), task.exception()
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            await asyncio.sleep(0.3)
            views = [guest.session.position for guest in guests]
            numbers = [guest.session.no for guest in guests]
    finally:
        server.stop()
    oracle = Oracle(match, await read_log(tmp_path, match))
    oracle.check_conservation()
    assert len(acknowledged) > KILLS
    for ack in acknowledged:
        folded = oracle.folded[ack.no - 1]
        assert (folded.seat, folded.n) == (ack.seat, ack.n), f"acknowledged play {ack} is not in the log"
    for by, guest in enumerate(guests):
        oracle.check_frames(guest.frames)
        assert views[by] == oracle.view(by, numbers[by])
    late = [wait for wait in waits if wait > BACK_IN]
    assert not late, f"back only after {late} s"
