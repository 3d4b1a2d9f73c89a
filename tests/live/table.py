"""Two players at one table over real sockets, what they were sent, and what it must hold to."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from client.connection import Connection
from client.links import Link, LinkClosed, websocket_links
from client.session import Session
from server.match.arbiter import Arbiter, Folded
from server.storage.base import Stored
from shared.cards import HIDDEN
from shared.codec import CODECS
from shared.moves import Restored
from shared.position import Position
from shared.protocol import DuelTerms
from shared.table import Ready
from shared.view import view

#: Every key that a frame may hold, and whether cards stand under it. A new field of the protocol must be entered here.
CARD_KEYS: Final = frozenset("cards card columns stock waste foundations".split())
LEGAL_KEYS: Final = frozenset("moves tap double".split())
PLAIN_KEYS: Final = frozenset(
    """
    t ev type no now at n seat seats refusal table legal rewound position events identity name version token match terms
    players phase code game sums games starts_at ready_until commitment deal_code restarts notice result next_match
    declined bot present ready gone_until waited_for rematch agrees_end outcome credited nonces reason winner counts
    down pass_number declared strikes wait_until turn last_up ends_at tally number acted passes barren played_up
    seed undo_depth redo_depth source target column on commands by by_ms message field what tempo draw game_seconds
    turn_seconds grace_seconds play_on clear_bonus first rated mirror penalty games passes
    daily winnable worry_back empty_column open_deal unlimited_hints finish scoring score bonus recycles worry_backs
    undos hints played_ms running_since paused actions left proof
    ask own since duels solos days bank played won left streak best_streak current best last identity rows before
    against at terms rival bot sums replay change board rules versions rank value plus_minus mine
    seek seeks waiting waited rating rival ms race races said why k proofs rematch_terms end_declined lines
    """.split()
)


class Tap:
    """A link that keeps every frame that came, and may hold up what goes out."""

    def __init__(self, link: Link, frames: list[bytes | str], delay: Callable[[], float] | None) -> None:
        self._link = link
        self._frames = frames
        self._delay = delay

    async def send(self, frame: bytes) -> None:
        if self._delay is not None:
            await asyncio.sleep(self._delay())
        await self._link.send(frame)

    async def receive(self) -> bytes | str:
        frame = await self._link.receive()
        self._frames.append(frame)
        return frame

    async def close(self) -> None:
        await self._link.close()


class Guest:
    """A player: his connection and every frame he got, over all his lines."""

    def __init__(
        self,
        url: str,
        codec: str,
        chance: random.Random,
        *,
        token: str | None = None,
        delay: Callable[[], float] | None = None,
    ) -> None:
        self.codec = CODECS[codec]
        self._delay = delay
        self.network = True
        self.frames: list[bytes | str] = []
        self.move(url)
        session = Session(token=token)
        self.connection = Connection(
            self._open, session, self.codec, chance=chance.random, first_delay=0.02, longest_delay=0.2
        )

    @property
    def session(self) -> Session:
        return self.connection.session

    def move(self, url: str) -> None:
        """Connect to ``url`` from the next line on."""
        self._links = websocket_links(url, self.codec)

    async def _open(self) -> Link:
        if not self.network:
            raise LinkClosed("no network")
        return Tap(await self._links(), self.frames, self._delay)


@contextlib.asynccontextmanager
async def table(url: str, terms: DuelTerms, codecs: Sequence[str], seed: int) -> AsyncIterator[tuple[Guest, Guest]]:
    """Two guests, seated; not yet ready."""
    chance = random.Random(seed)
    host, guest = (Guest(url, codec, chance) for codec in codecs)
    async with host.connection, guest.connection:
        await seat(host, guest, terms)
        yield host, guest


async def seat(host: Guest, guest: Guest, terms: DuelTerms) -> str:
    """Let both into a new match; return its id."""
    await host.connection.create(terms)
    assert host.session.table is not None
    match = host.session.table.match
    await guest.connection.join(match=match)
    return match


def match_of(guest: Guest) -> str:
    """The id of the match that he is in."""
    assert guest.session.table is not None
    return guest.session.table.match


async def begin(guests: Sequence[Guest], nonces: Sequence[str]) -> None:
    """Both are ready; the cards are there."""
    for guest, nonce in zip(guests, nonces, strict=True):
        await guest.connection.play(Ready(nonce))
    for guest in guests:
        await guest.connection.until(lambda session: session.table is not None and session.table.phase == "playing")
        await guest.connection.until(lambda session: session.position is not None)


def cards_of(position: Position) -> list[int]:
    """All cards of a position, hidden ones too, in no order."""
    piles = [*position.foundations]
    for own in position.seats:
        piles += [*own.columns, own.stock, own.waste]
    return [card for pile in piles for card in pile]


def face_up(position: Position) -> set[int]:
    """The cards whose face both players can see."""
    seen = {card for pile in position.foundations for card in pile}
    for own in position.seats:
        seen.update(own.waste)
        for column, down in zip(own.columns, own.down, strict=True):
            seen.update(column[down:])
    return seen


def read_frame(frame: bytes | str) -> dict[str, Any]:
    """A frame as plain values, by its own format and not by the protocol's types."""
    message = msgspec.json.decode(frame) if isinstance(frame, str) else msgspec.msgpack.decode(frame)
    assert isinstance(message, dict)
    return message


def cards_in(value: Any, key: str = "t") -> Iterator[int]:
    """Every card that a frame names, wherever; it fails on a key that nobody has entered above."""
    if isinstance(value, dict):
        for name, held in value.items():
            if name == "races":
                continue  # of games that ended: their cards lay on the foundations, for all to see
            if key in LEGAL_KEYS:
                yield int(name)
            else:
                assert name in CARD_KEYS | LEGAL_KEYS | PLAIN_KEYS, f"unknown key {name!r} in a frame"
                yield from cards_in(held, name)
    elif isinstance(value, (list, tuple)):
        for held in value:
            yield from cards_in(held, key)
    elif key in CARD_KEYS and isinstance(value, int) and value != HIDDEN:
        yield value


class Oracle:
    """What happened in a match, folded anew from its log by the server's own code, and what a viewer may know of it."""

    def __init__(self, match: str, log: Sequence[Stored]) -> None:
        self.arbiter = Arbiter(match)
        self.folded: list[Folded] = []
        self.positions: list[Position | None] = [None]
        self._known: list[frozenset[int]] = [frozenset()]
        for stored in log:
            folded = self.arbiter.fold(stored)
            position = self.arbiter.state.position
            dealt = any(isinstance(event, Restored) for event in folded.events)
            before = frozenset() if dealt else self._known[-1]
            self.folded.append(folded)
            self.positions.append(position)
            self._known.append(before if position is None else before | face_up(position))

    def view(self, seat: int | None, no: int = -1) -> Position | None:
        """What `seat` sees after entry `no`, or at the end."""
        position = self.positions[no]
        return None if position is None else view(self.arbiter.state.rules, position, seat)

    def check_conservation(self) -> None:
        """Each card lies on one pile, in each position."""
        for no, position in enumerate(self.positions):
            if position is not None:
                assert sorted(cards_of(position)) == list(range(104)), f"entry {no}"

    def check_frames(self, frames: Sequence[bytes | str]) -> None:
        """No frame names a card that was face down up to its entry, nor a seed before its game's end."""
        ended = [
            no for no, position in enumerate(self.positions) if position is not None and position.outcome is not None
        ]
        assert frames
        for frame in frames:
            message = read_frame(frame)
            cards = set(cards_in(message))
            no = message.get("no")
            if no is None:
                continue
            leaked = cards - self._known[no]
            assert not leaked, f"entry {no}: hidden cards {sorted(leaked)} in {message}"
            if '"seed"' in str(msgspec.json.encode(message)):
                assert ended, f"entry {no}: a seed before any game's end"
                assert no >= ended[0], f"entry {no}: a seed before its game's end"
