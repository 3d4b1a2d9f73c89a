"""Two plays for one place, in any order of arrival: one wins, the other is told so, `LIVE_RACES` times."""

import asyncio
import os
import random
from collections.abc import Sequence
from typing import Final

import pytest

from client.session import Settled
from shared import engine
from shared.cards import RANK, SUIT
from shared.fair import NONCE_BYTES, SEED_BYTES, duel_decks
from shared.moves import Draw, Move
from shared.position import Position
from shared.protocol import JSON, MSGPACK, DuelTerms
from shared.ruleset import ruleset
from tests.live.node import HereNode, node_here
from tests.live.table import Guest, Oracle, begin, seat

ROUNDS: Final = int(os.environ.get("LIVE_RACES", "500"))
PAIRS: Final = 20
SPEED: Final = 10.0
#: Play time after which a play is no more overtaken but illegal, ms (docs/rules.md, Duel); half of it, since the time
#: at which the loser was judged is not known.
TOO_OLD: Final = 5000 // 2
TERMS: Final = DuelTerms(mirror=True, game_seconds=None)
SEED: Final = bytes(SEED_BYTES)


def same_seed(count: int) -> bytes:
    """Chance as always, but for the deals' seeds."""
    return SEED if count == SEED_BYTES else os.urandom(count)


def dealt(nonces: tuple[str, str]) -> Position:
    decks = duel_decks(SEED, (bytes.fromhex(nonces[0]), bytes.fromhex(nonces[1])), mirror=True)
    return engine.start(ruleset(TERMS), decks)


def find_deal(chance: random.Random) -> tuple[tuple[str, str], int]:
    """Nonces of a deal in which both seats have an ace and the two of its suit free, and that ace (of deck 0)."""
    while True:
        nonces = (chance.randbytes(NONCE_BYTES).hex(), chance.randbytes(NONCE_BYTES).hex())
        free = {column[-1] for column in dealt(nonces).seats[0].columns}
        aces = [card for card in free if RANK[card] == 1 and card + 1 in free]
        if aces:
            return nonces, aces[0]


async def race(guests: Sequence[Guest], card: int, chance: random.Random) -> list[Settled]:
    """Both play their copy of `card` up in one tick, in any order; each line holds them up as long as it likes."""
    order = [0, 1]
    chance.shuffle(order)
    verdicts = {by: guests[by].connection.submit(Move(card + 52 * by, "f")) for by in order}
    return [await verdicts[by] for by in (0, 1)]


async def contest(node: HereNode, match: str, guests: Sequence[Guest], ace: int, chance: random.Random) -> bool:
    """One place: the first gets it, the second is told by whom he was overtaken. ``False``: the machine stood still for
    so long that he is told another reason.
    """
    opener = chance.randrange(2)
    up = await guests[opener].connection.play(Move(ace + 52 * opener, "f"))
    assert up.refusal is None
    for guest in guests:
        await guest.connection.until(lambda session: session.no >= (up.no or 0))
    verdicts = await race(guests, ace + 1, chance)
    [won] = [verdict for verdict in verdicts if verdict.refusal is None]
    [lost] = [verdict for verdict in verdicts if verdict.refusal is not None]
    assert won.no is not None
    assert up.no is not None
    assert lost.refusal is not None
    assert lost.no is None or lost.no > won.no
    log = await node.log(match)
    if log[won.no - 1].at - log[up.no - 1].at > TOO_OLD and lost.refusal.code == "wrong_rank":
        return False
    assert (lost.refusal.code, lost.refusal.by) == ("overtaken", won.no)
    assert lost.no is not None, "it is in the log, so that both are told"
    return True


async def share(guests: Sequence[Guest], ace: int, chance: random.Random) -> bool:
    """Two places: both get one, the second the other pile."""
    verdicts = await race(guests, ace, chance)
    assert [verdict.refusal for verdict in verdicts] == [None, None]
    for guest in guests:
        await guest.connection.until(lambda session: session.no >= max(verdict.no or 0 for verdict in verdicts))
        position = guest.session.position
        assert position is not None
        assert {pile[0] for pile in position.foundations if pile} == {ace, ace + 52}
        assert {index * 4 // 8 for index, pile in enumerate(position.foundations) if pile} == {SUIT[ace]}
    return True


async def play_round(node: HereNode, guests: tuple[Guest, Guest], number: int, chance: random.Random) -> bool:
    nonces, ace = find_deal(chance)
    match = await seat(*guests, TERMS)
    await begin(guests, nonces)
    in_time = await (contest(node, match, guests, ace, chance) if number % 4 else share(guests, ace, chance))
    oracle = Oracle(match, await node.log(match))
    for by, guest in enumerate(guests):
        await guest.connection.until(lambda session: session.no >= oracle.arbiter.head or not session.in_flight)
        assert guest.session.position == oracle.view(by), f"round {number}, seat {by}"
    return in_time


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_one_place_goes_to_one() -> None:
    left = iter(range(ROUNDS))
    in_time = {True: 0, False: 0}

    async def pair(node: HereNode, index: int) -> None:
        chance = random.Random(index)
        delays = (chance.random, chance.random)
        codecs = (MSGPACK, JSON) if index % 2 else (JSON, MSGPACK)
        host, guest = (
            Guest(node.url, codec, chance, delay=lambda delay=delay: delay() * 0.003)  # type: ignore[misc]
            for codec, delay in zip(codecs, delays, strict=True)
        )
        async with host.connection, guest.connection:
            for number in left:
                done = await asyncio.wait_for(play_round(node, (host, guest), number, chance), 20)
                in_time[done] += 1

    async with node_here(speed=SPEED, randbytes=same_seed) as node:
        await asyncio.gather(*(pair(node, index) for index in range(PAIRS)))
    assert sum(in_time.values()) == ROUNDS
    assert in_time[True] > ROUNDS * 0.8


@pytest.mark.live
async def test_both_draw_in_one_tick() -> None:
    """Neither waits for the other: both are taken."""
    chance = random.Random(1)
    async with node_here(speed=SPEED, randbytes=same_seed) as node:
        host, guest = (Guest(node.url, MSGPACK, chance) for _ in range(2))
        async with host.connection, guest.connection:
            await seat(host, guest, TERMS)
            await begin((host, guest), find_deal(chance)[0])
            seen = (host.session.no, guest.session.no)
            verdicts = [player.connection.submit(Draw()) for player in (host, guest)]
            assert seen == (host.session.no, guest.session.no)
            done = [await verdict for verdict in verdicts]
            assert [verdict.refusal for verdict in done] == [None, None]
            assert done[0].no != done[1].no
