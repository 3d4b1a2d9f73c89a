"""Players of the chaos tests: bots on the client that people's bots use, who play on through whatever happens and keep
what they were told.
"""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from msgspec import Struct

from client.level import LevelPlayer
from client.player import RandomPlayer, take_part
from client.session import Session, Settled
from shared.bots import LevelName
from shared.moves import Refusal
from shared.protocol import JSON, MSGPACK, Wish
from shared.table import Ready
from shared.terms import DuelTerms
from tests.live.table import Guest, match_of, seat

#: So much faster than a person the computers play.
FASTER: Final = 60
#: A duel that lasts as long as a test: nobody's time runs out.
LONG: Final = DuelTerms(games=5, game_seconds=None, grace_seconds=60)


class Ack(Struct, frozen=True):
    """A play whose verdict the player has seen.

    ``sent``, ``at``: when it was made and when the verdict came, monotonic time, seconds. ``rewound``: how often the
    server had taken back what it had shown. ``ready``: it was no card. ``game``: which one was on.
    """

    seat: int
    n: int
    no: int
    refusal: Refusal | None
    sent: float
    at: float
    rewound: int
    ready: bool
    game: int


class Actor:
    """One player. ``pause``: seconds between two plays, at most. ``acks``: what he was told of his plays."""

    def __init__(self, url: str, codec: str, chance: random.Random, *, pause: float = 0.06) -> None:
        self.guest = Guest(url, codec, chance)
        self.acks: list[Ack] = []
        self.pause = pause
        self._chance = chance
        self._player = RandomPlayer(chance.random, longest=100_000)
        self._task: asyncio.Task[None] | None = None

    @property
    def session(self) -> Session:
        """What he sees."""
        return self.guest.session

    def begin(self) -> None:
        """Play from now on."""
        self._task = asyncio.create_task(self._play_on())

    async def rest(self) -> None:
        """Play no more; whatever he had in flight is settled."""
        if self._task is not None:
            assert not self._task.done(), self._task.exception()
            self._task.cancel()
            await asyncio.wait((self._task,))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(15):
                await self.guest.connection.until(lambda session: session.live and not session.in_flight)

    async def _play_on(self) -> None:
        while True:
            await asyncio.sleep(self.pause * self._chance.random())
            wish = self._wish()
            if wish is not None:
                sent = time.monotonic()
                self.take(await self.guest.connection.play(wish), wish, sent)

    def take(self, settled: Settled, wish: Wish, sent: float) -> None:
        """Keep a verdict."""
        if settled.no is not None and self.session.seat is not None:
            seat, rewound = self.session.seat, self.session.rewound
            at, ready, table = time.monotonic(), isinstance(wish, Ready), self.session.table
            # The last card of a game is told together with the game's end.
            game = 0 if table is None else len(table.games) - (table.phase != "playing")
            self.acks.append(Ack(seat, settled.n, settled.no, settled.refusal, sent, at, rewound, ready, game))

    def _wish(self) -> Wish | None:
        session, table, me = self.session, self.session.table, self.session.seat
        if me is None or table is None or (owner := table.players[me]) is None:
            return None
        if table.phase in {"gathering", "between"}:
            return None if owner.ready or None in table.players else Ready(self.nonce())
        return self._player.choose(session) if table.phase == "playing" else None

    def nonce(self) -> str:
        """Give the seat's own bytes for a deal."""
        return f"{self._chance.getrandbits(128):032x}"

    def longest_gap(self, since: float = 0.0) -> float:
        """The longest time that the player played cards without a verdict; between two games there are none."""
        cards = [ack for ack in self.acks if not ack.ready and ack.at > since]
        pairs = itertools.pairwise(cards)
        return max(after.at - before.at for before, after in pairs if before.game == after.game)

    async def plays_again(self, since: float) -> float:
        """Wait for the verdict of a play made after ``since``; return how long after. A game that just ended is no
        loss.
        """
        while True:
            if self.acks and self.acks[-1].sent > since:
                return next(ack.at for ack in self.acks if ack.sent > since) - since
            if self.session.live and self.session.table is not None and self.session.table.phase != "playing":
                return time.monotonic() - since
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def duel(
    url: str, seed: int, *, terms: DuelTerms = LONG, urls: Sequence[str] = (), pause: float = 0.06
) -> AsyncIterator[tuple[str, Actor, Actor]]:
    """Two players in a match, playing. ``urls``: where each connects, if not both to ``url``."""
    chance = random.Random(seed)
    one, two = urls or (url, url)
    actors = Actor(one, MSGPACK, chance, pause=pause), Actor(two, JSON, chance, pause=pause)
    async with actors[0].guest.connection, actors[1].guest.connection:
        async with asyncio.timeout(20):
            await seat(actors[0].guest, actors[1].guest, terms)
        for actor in actors:
            actor.begin()
        async with asyncio.timeout(20):
            for actor in actors:
                await actor.guest.connection.until(lambda session: session.position is not None)
                await actor.plays_again(0)
        yield match_of(actors[0].guest), *actors


@contextlib.asynccontextmanager
async def bots(url: str, seed: int) -> AsyncIterator[tuple[str, Guest, Guest, asyncio.Task[object]]]:
    """Two computers at a table, playing far faster than people; the task is done when the match is over."""
    chance = random.Random(seed)
    guests = Guest(url, MSGPACK, chance), Guest(url, JSON, chance)
    async with guests[0].connection, guests[1].connection:
        await seat(*guests, DuelTerms())
        levels: tuple[LevelName, LevelName] = ("beginner", "expert")
        players = [LevelPlayer(level, seed, mono_ms) for level in levels]

        async def play_all() -> None:
            games = zip(players, guests, strict=True)
            await asyncio.gather(
                *(
                    take_part(
                        guest.connection,
                        one,
                        nonce=lambda: f"{chance.getrandbits(128):032x}",
                        ms_a_second=FASTER * 1000,
                    )
                    for one, guest in games
                )
            )

        task: asyncio.Task[object] = asyncio.create_task(play_all())
        try:
            yield match_of(guests[0]), *guests, task
        finally:
            task.cancel()


def mono_ms() -> int:
    """The machine's clock, as fast as the computers take it to be."""
    return int(time.monotonic() * 1000 * FASTER)
