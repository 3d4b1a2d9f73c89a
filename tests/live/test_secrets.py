"""All that a daily, a rated and a friendly duel send, to players, watchers and bystanders: no seed, no hidden card, no
order, before the end (docs/rules.md, Fair deals).
"""

import asyncio
import datetime as dt
import os
import random
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterable

import pytest

from client.player import RandomPlayer, take_part
from client.session import Session
from shared.fair import daily_seed
from shared.moves import Redo, Undo
from shared.protocol import (
    JSON,
    MSGPACK,
    AskBoard,
    AskHistory,
    AskProfile,
    Assigned,
    DuelTerms,
    FindOpponent,
    KlondikeTerms,
    Lobby,
    WatchLobby,
)
from shared.table import Restart
from tests.live.node import HereNode, node_here
from tests.live.table import Guest, Oracle, match_of, read_frame
from tests.live.test_lobby import ears

pytestmark = pytest.mark.live

DUEL = DuelTerms(game_seconds=None, grace_seconds=600)
RATED = DuelTerms(rated=True, game_seconds=None, grace_seconds=600)


def is_over(session: Session) -> bool:
    return session.table is not None and session.table.phase == "over"


class Chance:
    """Random bytes, each seed of which is remembered."""

    def __init__(self) -> None:
        self.seeds: list[bytes] = []

    def __call__(self, count: int) -> bytes:
        found = os.urandom(count)
        if count == 32:
            self.seeds.append(found)
        return found


def spellings(secret: bytes) -> Iterable[bytes]:
    """How a secret might be written in a frame; half of it is too much, too."""
    for part in (secret[:16], secret[16:]):
        yield part
        yield part.hex().encode()
        yield part.hex().upper().encode()
    for writing in (b64encode(secret), urlsafe_b64encode(secret), str(int.from_bytes(secret)).encode()):
        yield writing[:20]
    yield ", ".join(map(str, secret[:8])).encode()
    yield ",".join(map(str, secret[:8])).encode()


def tells(frame: bytes | str, secrets: Iterable[bytes]) -> bool:
    raw = frame.encode() if isinstance(frame, str) else frame
    return any(spelling in raw for secret in secrets for spelling in spellings(secret))


def check_silent(frames: Iterable[bytes | str], secrets: Iterable[bytes], *, until_the_end: bool) -> None:
    """No frame tells a secret; with ``until_the_end`` those are looked at which came before an outcome."""
    secrets = tuple(secrets)
    assert secrets
    for frame in frames:
        message = read_frame(frame)
        table = message.get("table") or {}
        if until_the_end and table.get("games"):
            return  # a game has ended: its seed is there for all to check it
        assert not tells(frame, secrets), f"a seed in {message}"


@pytest.mark.parametrize("terms", [RATED, DUEL], ids=["rated", "friendly"])
async def test_a_duel_of_the_lobby_tells_nobody_more_than_he_may_see(terms: DuelTerms) -> None:
    """Both players, one who watches from the start, one who comes late, a bystander who asks all that can be asked."""
    chance, dice = Chance(), random.Random(terms.rated)
    async with node_here(speed=30, randbytes=chance) as node, ears(node.url, JSON, MSGPACK, JSON) as (ann, bob, by):
        by.ask(WatchLobby())
        ann.ask(FindOpponent(terms))
        bob.ask(FindOpponent(terms))
        call, _ = await asyncio.gather(ann.hear(Assigned), bob.hear(Assigned))
        guests = (ann.guest, bob.guest)
        for guest in guests:
            await guest.connection.join(match=call.match)
        early, late = Guest(node.url, MSGPACK, dice), Guest(node.url, JSON, dice)

        async def part(guest: Guest) -> None:
            player = RandomPlayer(dice.random, longest=60)
            await take_part(guest.connection, player, nonce=lambda: f"{dice.getrandbits(128):032x}")

        async def pry() -> None:
            """Ask while they play, and look on halfway."""
            await ann.guest.connection.until(lambda session: session.no > 30)
            identity = ann.guest.session.identity
            by.guest.connection.ask(AskProfile(1, identity))
            by.guest.connection.ask(AskHistory(2, identity, match=call.match))
            by.guest.connection.ask(AskBoard(3, "rating", "simultaneous"))
            await late.connection.join(match=call.match, watch=True)

        async with early.connection, late.connection:
            await early.connection.join(match=call.match, watch=True)
            await asyncio.wait_for(asyncio.gather(*map(part, guests), pry()), 60)
            for watcher in (early, late):
                await watcher.connection.until(
                    lambda session: session.table is not None and session.table.phase == "over"
                )
            oracle = Oracle(call.match, await node.log(call.match))
            seeds = [bytes.fromhex(game.seed) for game in oracle.arbiter.state.table.games]
            assert set(seeds) <= set(chance.seeds), "they are those that the server drew"
            for guest in (*guests, early, late):
                oracle.check_frames(guest.frames)
                check_silent(guest.frames, seeds, until_the_end=True)
            assert len(by.guest.frames) > 5
            oracle.check_frames(by.guest.frames)
            check_silent(by.guest.frames, chance.seeds, until_the_end=False)
            check_positions(oracle, guests)


def check_positions(oracle: Oracle, guests: Iterable[Guest]) -> None:
    """What each was shown is his view and no more, hidden orders included."""
    for seat, guest in enumerate(guests):
        assert guest.session.position == oracle.view(seat)


async def daily_of(node: HereNode, dice: random.Random, codec: str, draw: int, plays: int) -> tuple[Guest, Oracle]:
    """Play today's daily: moves, undo and redo, and begin it again."""
    guest = Guest(node.url, codec, dice)
    async with guest.connection:
        date = dt.datetime.now(dt.UTC).date().isoformat()
        await guest.connection.create(KlondikeTerms(draw=draw, daily=date))  # type: ignore[arg-type]
        for attempt in range(2):
            player = RandomPlayer(dice.random, longest=plays)
            for n in range(plays):
                wish = player.choose(guest.session)
                if wish is None:
                    break
                await guest.connection.play(wish)
                if n % 7 == 6:
                    await guest.connection.play(Undo())
                    await guest.connection.play(Redo() if n % 2 else Undo())
            if attempt == 0:
                await guest.connection.play(Restart())
        match = match_of(guest)
        oracle = Oracle(match, await node.log(match))
        check_positions(oracle, [guest])
    return guest, oracle


@pytest.mark.parametrize("draw", [1, 3])
async def test_a_daily_tells_its_player_no_more_than_he_has_turned_up(draw: int) -> None:
    """Its secret is the same for everybody until the day is over: neither it nor what follows from it is ever sent."""
    chance, dice = Chance(), random.Random(draw)
    async with node_here(speed=30, randbytes=chance) as node:
        found = [await daily_of(node, dice, codec, draw, 60) for codec in (JSON, MSGPACK)]
        date = dt.datetime.now(dt.UTC).date()
        seeds = [derived for secret in chance.seeds for derived in (secret, daily_seed(secret, date))]
        for guest, oracle in found:
            oracle.check_frames(guest.frames)
            check_silent(guest.frames, seeds, until_the_end=False)
            assert all("deal_code" not in (read_frame(frame).get("table") or {}) for frame in guest.frames)
        assert match_of(found[0][0]) != match_of(found[1][0])


async def test_the_lobby_names_nobody_by_a_number_that_counts() -> None:
    """Ids and codes that are sent are random: none tells how many there are, or what the next one will be."""
    async with node_here(speed=30) as node, ears(node.url, JSON, JSON, JSON, MSGPACK) as four:
        by = four[3]
        by.ask(WatchLobby())
        seeks: list[str] = []
        for n, ear in enumerate(four[:3]):
            ear.ask(FindOpponent(DuelTerms(draw=((1, 3), (3, 1), (1, 3))[n])))
        while len(seeks) < 3:
            seeks = [listed.seek for listed in (await by.hear(Lobby)).seeks]
        identities = [ear.guest.session.identity or "" for ear in four]
        matches = []
        for ear in four[:3]:
            await ear.guest.connection.create(KlondikeTerms())
            matches.append(match_of(ear.guest))
        for ids in (seeks, identities, matches):
            check_random(ids)


def check_random(ids: list[str]) -> None:
    """Ids that were made one after another share no beginning and no end, and do not only go up."""
    assert len(set(ids)) == len(ids)
    assert all(len(one) >= 16 for one in ids), ids
    assert len({one[:6] for one in ids}) == len(ids), ids
    assert len({one[-6:] for one in ids}) == len(ids), ids


@pytest.mark.parametrize("write", [bytes, lambda seed: seed.hex().encode(), b64encode, urlsafe_b64encode])
def test_the_check_sees_a_seed(write: Callable[[bytes], bytes]) -> None:
    seed = bytes(range(200, 232))
    assert tells(b"..." + write(seed) + b"...", [seed])
    assert not tells(b"..." + write(seed[::-1]) + b"...", [seed])
