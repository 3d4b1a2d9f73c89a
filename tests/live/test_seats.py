"""Who gets a seat, when the cards may be touched, and how a game ends whose player went away."""

import asyncio
import contextlib
import random
from collections import Counter

import pytest

from client.session import Session
from shared.moves import Draw, Resign
from shared.protocol import JSON, MSGPACK, DuelTerms
from shared.table import Ready
from tests.live.node import node_here
from tests.live.table import Guest, begin, match_of, table

pytestmark = pytest.mark.live

TERMS = DuelTerms(game_seconds=None, grace_seconds=10)
NONCES = ("0" * 32, "1" * 32)
SPEED = 30.0


def is_over(session: Session) -> bool:
    return session.table is not None and session.table.phase == "over"


def is_counting(session: Session) -> bool:
    return session.table is not None and session.table.phase == "countdown"


async def test_of_many_on_one_invitation_one_sits_and_the_rest_watch() -> None:
    async with node_here(speed=SPEED) as node:
        chance = random.Random(1)
        host, *others = (Guest(node.url, MSGPACK, chance) for _ in range(6))
        async with contextlib.AsyncExitStack() as lines:
            for guest in (host, *others):
                await lines.enter_async_context(guest.connection)
            await host.connection.create(TERMS)
            assert host.session.table is not None
            code = host.session.table.code
            assert code is not None
            await asyncio.gather(*(guest.connection.join(code=code) for guest in others))
            assert host.session.seat == 0
            assert Counter(guest.session.seat for guest in others) == {1: 1, None: 4}


async def test_nobody_touches_a_card_before_the_start() -> None:
    """One instant for both; what comes before it is refused, and costs nothing."""
    async with node_here(speed=3) as node, table(node.url, TERMS, (MSGPACK, JSON), 2) as guests:
        for guest, nonce in zip(guests, NONCES, strict=True):
            await guest.connection.play(Ready(nonce))
        for guest in guests:
            await guest.connection.until(is_counting)
        starts = {guest.session.table.starts_at for guest in guests if guest.session.table is not None}
        assert len(starts) == 1
        for guest in guests:
            assert guest.session.position is None
            refusal = (await guest.connection.play(Draw())).refusal
            assert refusal is not None
            assert refusal.code == "not_started"
        for guest in guests:
            await guest.connection.until(lambda session: session.position is not None)
            assert (await guest.connection.play(Draw())).refusal is None


async def test_who_stays_away_has_left_and_both_are_told_the_same() -> None:
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 3) as guests:
        await begin(guests, NONCES)
        away, rival = guests
        match = match_of(away)
        away.network = False
        await away.connection.drop()
        await rival.connection.until(is_over)
        assert rival.session.table is not None
        result = rival.session.table.result
        assert result is not None
        assert (result.reason, result.winner) == ("left", 1)
        away.network = True
        await away.connection.until(is_over)
        assert away.session.table == rival.session.table
        assert match_of(away) == match


async def test_both_resign_in_one_tick_and_the_game_ends_once() -> None:
    """Two plays that each end the game: one end, one winner, the same for both."""
    for seed in range(5):
        async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), seed) as guests:
            await begin(guests, NONCES)
            verdicts = [guest.connection.submit(Resign()) for guest in guests]
            settled = [await verdict for verdict in verdicts]
            refused = [one.refusal.code for one in settled if one.refusal is not None]
            assert refused == ["game_over"]
            for guest in guests:
                await guest.connection.until(is_over)
            assert guests[0].session.table == guests[1].session.table
            assert guests[0].session.table is not None
            assert len(guests[0].session.table.games) == 1
