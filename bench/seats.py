"""The players of the load: one on a duel, one on the relay. Each holds one play in flight at most."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from bench.wire import Wire
from shared.protocol import JSON, MSGPACK
from shared.terms import DuelTerms

SEED = 20_261


async def open_wire(port: int, path: str, subprotocol: str | None, on_frame: Callable[[bytes], None]) -> Wire:
    """Return a wire to this machine's ``port``, open."""
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: Wire(path, subprotocol, on_frame), "127.0.0.1", port)
    await asyncio.wait_for(wire.opened, 20)
    return wire


class Counter:
    """Plays answered since the window opened."""

    def __init__(self) -> None:
        self.open = False
        self.plays = 0
        self.refused = 0
        self.delays: list[float] = []

    def answered(self, sent: float, *, refused: bool) -> None:
        """Count one verdict."""
        if not self.open:
            return
        self.delays.append(time.perf_counter() - sent)
        self.refused += refused
        self.plays += not refused


# What the generator reads of a message; the rest is skipped undecoded.


class _Legal(Struct):
    moves: dict[int, tuple[str, ...]]
    commands: tuple[str, ...] = ()


class _Table(Struct):
    match: str
    phase: str = "gathering"


class _Told(Struct, tag_field="t"):
    pass


class _Welcome(_Told, tag="welcome"):
    pass


class _Snapshot(_Told, tag="snapshot"):
    no: int
    table: _Table
    n: int = 0
    legal: _Legal | None = None


class _Update(_Told, tag="update"):
    no: int
    seat: int | None = None
    n: int | None = None
    refusal: dict[str, Any] | None = None
    legal: _Legal | None = None
    table: _Table | None = None


class _Refused(_Told, tag="refused"):
    n: int


class _Failed(_Told, tag="failed"):
    code: str
    message: str


class _Other(_Told, tag="notice"):
    pass


class _MovedAway(_Told, tag="moved_away"):
    pass


_ANY = _Welcome | _Snapshot | _Update | _Refused | _Failed | _Other | _MovedAway
_DECODE: dict[str, Callable[[bytes], Any]] = {
    MSGPACK: msgspec.msgpack.Decoder(_ANY).decode,
    JSON: msgspec.json.Decoder(_ANY).decode,
}
_ENCODE: dict[str, Callable[[Any], bytes]] = {MSGPACK: msgspec.msgpack.encode, JSON: msgspec.json.encode}


class Seat:
    """One player of a duel. ``eager``: it sends the next play as soon as the last has its verdict. ``idle``: nothing is
    in flight.
    """

    def __init__(self, codec: str, counter: Counter, number: int) -> None:
        self.codec = codec
        self.eager = False
        self.match: str | None = None
        self.phase = ""
        self.idle = True
        self._counter = counter
        self._number = number
        self._chance = random.Random(SEED + number)
        self._decode = _DECODE[codec]
        self._encode = _ENCODE[codec]
        self._wire: Wire | None = None
        self._changed = asyncio.Event()
        self._legal: _Legal | None = None
        self._seat = number % 2
        self._no = self._n = 0
        self._sent = 0.0
        self._welcome = False

    async def connect(self, port: int) -> None:
        """Open the line and say hello."""
        self._wire = await open_wire(port, "/ws", self.codec, self._take)
        self.send({"t": "hello"})
        await self._until(lambda: self._welcome)

    async def create(self) -> str:
        """Make a duel that lasts as long as the load, and return its id."""
        terms = msgspec.to_builtins(DuelTerms(game_seconds=3600))
        self.send({"t": "create", "terms": terms, "legal": True})
        await self._until(lambda: self.match is not None)
        assert self.match is not None
        return self.match

    async def join(self, match: str) -> None:
        """Sit on the other seat."""
        self.send({"t": "join", "match": match, "legal": True})
        await self._until(lambda: self.match is not None)

    def ready(self) -> None:
        """Agree to begin."""
        self._play({"do": "ready", "nonce": f"{self._number:032x}"})

    async def playing(self) -> None:
        """Wait until the cards are there."""
        await self._until(lambda: self.phase == "playing" and self._legal is not None)

    def close(self) -> None:
        """Cut the line."""
        if self._wire is not None:
            self._wire.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send any message."""
        assert self._wire is not None
        self._wire.send(self._encode(message))

    def go(self) -> bool:
        """Send a legal play; ``False`` if there is none now, or one is in flight."""
        legal = self._legal
        if not self.idle or legal is None or self.phase != "playing":
            return False
        wish = self._choose(legal)
        if wish is None:
            return False
        self._play(wish)
        return True

    def _play(self, wish: dict[str, Any]) -> None:
        self._n += 1
        self.idle = False
        self._sent = time.perf_counter()
        self.send({"t": "play", "n": self._n, "seen": self._no, "do": wish})

    def _choose(self, legal: _Legal) -> dict[str, Any] | None:
        """A foundation play if there is one; else any move, with a draw as likely as all moves together."""
        moves = [(card, to) for card, targets in legal.moves.items() for to in targets]
        up = [move for move in moves if move[1] == "f"]
        other = "draw" if "draw" in legal.commands else "recycle" if "recycle" in legal.commands else None
        if up:
            card, to = up[0]
        elif moves and (other is None or self._chance.random() < 0.5):
            card, to = moves[int(self._chance.random() * len(moves))]
        else:
            return None if other is None else {"do": other}
        return {"do": "move", "card": card, "to": to}

    def _take(self, frame: bytes) -> None:
        message = self._decode(frame)
        kind = type(message)
        if kind is _Update:
            self._no = message.no
            if message.legal is not None:
                self._legal = message.legal
            if message.table is not None:
                self.phase = message.table.phase
            if message.seat == self._seat and message.n == self._n:
                self._answered(refused=message.refusal is not None)
        elif kind is _Refused:
            self._answered(refused=True)
        elif kind is _Snapshot:
            self.match, self.phase = message.table.match, message.table.phase
            self._no, self._n, self._legal = message.no, message.n, message.legal
        elif kind is _Welcome:
            self._welcome = True
        elif kind is _Failed:
            raise RuntimeError(f"{message.code}: {message.message}")
        self._changed.set()
        if self.eager and self.idle:
            self.go()

    def _answered(self, *, refused: bool) -> None:
        self.idle = True
        if self.phase == "playing":
            self._counter.answered(self._sent, refused=refused)

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 60)


class _Event(Struct, tag_field="t", tag="event"):
    seat: int
    n: int


class RelaySeat:
    """One player on the relay: the same, with moves that mean nothing."""

    def __init__(self, counter: Counter, number: int) -> None:
        self.eager = False
        self.idle = True
        self._counter = counter
        self._seat = number % 2
        self._path = f"/{number // 2}"
        self._decode = msgspec.msgpack.Decoder(_Event).decode
        self._wire: Wire | None = None
        self._n = 0
        self._sent = 0.0

    async def connect(self, port: int) -> None:
        """Open the line."""
        self._wire = await open_wire(port, self._path, None, self._take)

    def close(self) -> None:
        """Cut the line."""
        if self._wire is not None:
            self._wire.close()

    def go(self) -> bool:
        """Send a move; ``False`` if one is in flight."""
        if not self.idle or self._wire is None:
            return False
        n = self._n = self._n + 1
        self.idle = False
        self._sent = time.perf_counter()
        move = {
            "t": "move",
            "n": n,
            "sent": self._sent,
            "seat": self._seat,
            "from": "t3",
            "to": f"f{n % 8}",
            "count": 1,
        }
        self._wire.send(msgspec.msgpack.encode(move))
        return True

    def _take(self, frame: bytes) -> None:
        event = self._decode(frame)
        if event.seat == self._seat and event.n == self._n:
            self.idle = True
            self._counter.answered(self._sent, refused=False)
            if self.eager:
                self.go()
