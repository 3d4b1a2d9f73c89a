"""A node in memory: a store, a clock that jumps, players who press buttons; and a search of frames for hidden cards."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import TypeVar

from server.life import Life
from server.match.arbiter import Arbiter
from server.ports import Advisor
from server.room import Room
from server.rooms import Rooms
from server.storage.base import Appended, AppendResult, NotAppended
from server.storage.memory import MemoryStore
from shared.cards import HIDDEN
from shared.moves import Drawn, Event, Legal, Moved, Recycled, Restored, Stuck, Turned
from shared.position import Position
from shared.protocol import Join, Play, Refused, Snapshot, ToClient, Update, Wish
from shared.table import Ready
from shared.terms import DuelTerms, Terms
from tests.server.fakes import MSGPACK, FakeViewer, JumpClock, chance

T = TypeVar("T")


class House:
    """One node. ``node()`` starts another on the same store, as after a crash."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        clock: JumpClock | None = None,
        boot: str = "b",
        advisor: Advisor | None = None,
    ) -> None:
        self.advisor = advisor
        self.clock = clock or JumpClock()
        self.store = store or MemoryStore(self.clock.mono_ms)
        self._begin(boot)
        self.rooms = self._rooms()
        self.conns = 0
        self.viewers: list[FakeViewer] = []

    def _begin(self, boot: str) -> None:
        """Its lives are b, b+, b++."""
        names = accumulate(chain([boot], repeat("+")))
        self.life = Life(lambda: next(names))

    @property
    def boot(self) -> str:
        return self.life.boot

    async def beside(self, boot: str) -> "House":
        """Another node on the same store."""
        return await House(MemoryStore(self.clock.mono_ms, beside=self.store), self.clock, boot).start()

    def _rooms(self) -> Rooms:
        return Rooms(
            self.store,
            clock=self.clock,
            randbytes=chance(self.boot),
            life=self.life,
            advisor=self.advisor,
            in_thread=at_once,
        )

    async def start(self) -> "House":
        await self.rooms.start()
        return self

    async def crash(self, boot: str) -> None:
        """The node is gone without a word; another takes up its store."""
        self.clock.timers.clear()
        for room in list(self.rooms._open.values()):
            room.audience.watchers.clear()
            room.log.close()
        self._begin(boot)
        self.rooms = self._rooms()
        await self.start()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def jump(self, ms: int) -> None:
        """Let time pass, timer by timer."""
        end = self.clock.ms + ms
        while (at := self.clock.next_at()) is not None and at <= end:
            self.clock.fire_one()
            await self.settle()
        self.clock.ms = end
        await self.settle()

    def viewer(self, identity: str, codec: str = MSGPACK) -> FakeViewer:
        self.conns += 1
        viewer = FakeViewer(f"{self.boot}.{self.conns}", identity, codec)
        self.viewers.append(viewer)
        return viewer

    async def enter(self, room: Room, identity: str, codec: str = MSGPACK, **join: object) -> FakeViewer:
        viewer = self.viewer(identity, codec)
        await self.join(room, viewer, **join)
        return viewer

    async def join(self, room: Room, viewer: FakeViewer, **join: object) -> None:
        room.attach(viewer, Join(match=room.match, legal=bool(join.pop("legal", True)), **join))  # type: ignore[arg-type]
        await self.settle()

    async def create(self, terms: Terms | None = None) -> tuple[Room, FakeViewer]:
        room = await self.rooms.create("ann", "Ann", terms or DuelTerms())
        return room, await self.enter(room, "ann")

    async def duel(self, terms: Terms | None = None, codec: str = MSGPACK) -> tuple[Room, FakeViewer, FakeViewer]:
        """A duel whose cards lie on the table."""
        room, ann = await self.create(terms)
        bob = await self.enter(room, "bob", codec)
        await self.ready(room, ann, bob)
        assert room.state.running
        return room, ann, bob

    async def ready(self, room: Room, *viewers: FakeViewer) -> None:
        for viewer in viewers:
            await self.play(room, viewer, Ready(viewer.identity.encode().hex().ljust(32, "0")))
        await self.jump(3_100)

    async def play(self, room: Room, viewer: FakeViewer, wish: Wish, *, seen: int | None = None) -> list[ToClient]:
        """Play, and return what the player is answered."""
        self.send(room, viewer, wish, seen=seen)
        viewer.new()
        await self.settle()
        return viewer.new()

    def send(self, room: Room, viewer: FakeViewer, wish: Wish, *, seen: int | None = None) -> None:
        """Play, and wait for nothing."""
        viewer.n += 1
        room.play(viewer, Play(viewer.n, room.state.no if seen is None else seen, wish))


async def at_once(call: Callable[[], T]) -> T:
    return call()


def no_store(house: House) -> None:
    """From now on the store takes nothing."""

    def append(
        match: str,
        have: int,
        entries: Sequence[bytes],
        done: Callable[[AppendResult], None],
        *,
        if_head: int | None = None,
    ) -> None:
        house.clock.call_later(2000, lambda: done(NotAppended("unavailable")))

    house.store.log.append = append  # type: ignore[method-assign]


async def positions(store: MemoryStore, match: str) -> dict[int, Position | None]:
    """The true position after each entry."""
    answer = await store.log.read(match, 0)
    assert isinstance(answer, Appended)
    found: dict[int, Position | None] = {}
    arbiter = Arbiter(match)
    for stored in answer.entries:
        arbiter.fold(stored)
        found[stored.no] = arbiter.state.position
    return found


def visible(position: Position | None) -> set[int]:
    """The cards that lie face up."""
    if position is None:
        return set()
    cards = {card for pile in position.foundations for card in pile}
    for seat in position.seats:
        cards.update(seat.waste)
        for column, down in zip(seat.columns, seat.down, strict=True):
            cards.update(column[down:])
    return cards


def _of_position(position: Position) -> Iterator[int]:
    for seat in position.seats:
        for pile in (*seat.columns, seat.stock, seat.waste):
            yield from pile
    for pile in position.foundations:
        yield from pile
    assert not position.past
    assert not position.future
    assert not any(seat.stuck for seat in position.seats)


def _of_event(event: Event) -> Iterator[int]:
    assert not isinstance(event, Stuck)
    if isinstance(event, Moved | Drawn | Recycled):
        yield from event.cards
    elif isinstance(event, Turned):
        yield event.card
    elif isinstance(event, Restored):
        yield from _of_position(event.position)


def _of_legal(legal: Legal | None) -> Iterator[int]:
    if legal is not None:
        yield from (*legal.moves, *legal.tap, *legal.double)


def cards_in(message: ToClient) -> set[int]:
    """Every card that a message names."""
    cards: set[int] = set()
    if isinstance(message, Snapshot):
        cards.update(_of_position(message.position) if message.position is not None else ())
        cards.update(_of_legal(message.legal))
    elif isinstance(message, Update):
        for event in message.events:
            cards.update(_of_event(event))
        cards.update(_of_legal(message.legal))
    if isinstance(message, Update | Refused) and message.refusal is not None and message.refusal.card is not None:
        cards.add(message.refusal.card)
    if isinstance(message, Update) and message.race is not None:
        cards.add(message.race.card)
    return cards - {HIDDEN}


async def search_for_hidden_cards(house: House, room: Room) -> int:
    """Fail if any frame of any viewer names a card that lay hidden then; return how many were looked at."""
    truth = await positions(house.store, room.match)
    looked = 0
    for viewer in house.viewers:
        for message in viewer.messages:
            looked += 1
            if isinstance(message, Snapshot | Update):
                hidden = cards_in(message) - visible(truth.get(message.no))
                assert not hidden, (viewer.conn, message)
    return looked
