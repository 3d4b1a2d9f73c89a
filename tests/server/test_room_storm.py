"""Everything at once, at random: players come, go, open tabs, play late, the node dies. What must hold, holds."""

import random

import pytest

from server.room import Room
from shared import engine
from shared.evolve import evolve
from shared.moves import Draw, Move, Recycle, Resign
from shared.position import Position
from shared.protocol import JSON, MSGPACK, Failed, Join, MovedAway, Play, Refused, Resumed, Snapshot, Update, Wish
from shared.table import AgreeEnd, Ready, Table, WaitOn
from shared.terms import DuelTerms
from shared.view import view
from tests.server.fakes import FakeViewer
from tests.server.house import House, search_for_hidden_cards


class Client:
    """What a client keeps over its connections: the last number, the position, what it sent and has no answer to."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.viewer: FakeViewer | None = None
        self.no = 0
        self.n = 0
        self.seat: int | None = None
        self.position: Position | None = None
        self.table: Table | None = None
        self.playing = False
        self.waiting: set[int] = set()

    def read(self) -> None:
        for message in self.viewer.new() if self.viewer else ():
            if isinstance(message, Snapshot):
                self.no, self.position, self.table = message.no, message.position, message.table
                self.seat, self.playing = message.seat, message.seat is not None
                self._starts_over(message.n)
            elif isinstance(message, Resumed):
                assert message.no >= self.no
                self.playing = self.seat is not None
                self._starts_over(message.n)
            elif isinstance(message, Update):
                self._update(message)
            elif isinstance(message, Refused):
                self.waiting.discard(message.n)
            elif isinstance(message, MovedAway):
                self.playing = False
                self.waiting.clear()
            elif isinstance(message, Failed):
                assert message.code in {"unavailable", "too_many"}, message

    def _starts_over(self, n: int) -> None:
        self.n = max(self.n, n)
        self.waiting.clear()

    def _update(self, update: Update) -> None:
        assert update.no > self.no, "in order, none twice"
        self.no = update.no
        self.table = update.table or self.table
        for event in update.events:
            self.position = getattr(event, "position", None) or evolve(self.position, event)  # type: ignore[arg-type]
        if update.seat is not None and update.seat == self.seat and update.n is not None:
            self.waiting.discard(update.n)
        assert update.refusal is None or update.seat == self.seat, "nobody sees another's refusal"


class Storm:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.house = House()
        self.room: Room
        self.clients = [Client(name) for name in ("ann", "ann", "bob", "bob", "cat", "dan")]
        self.boots = iter("cdefghij")

    async def run(self, steps: int) -> None:
        await self.house.start()
        terms = DuelTerms(
            tempo="simultaneous" if self.chance.random() < 0.7 else "alternating",
            games=3,
            play_on=self.chance.random() < 0.3,
            penalty=self.chance.random() < 0.3,
            grace_seconds=10,
        )
        self.room = await self.house.rooms.create("ann", "Ann", terms)
        for client in (self.clients[0], self.clients[2]):
            await self.come(client)
        for _ in range(steps):
            await self.step()
        await self.house.jump(3_000)

    async def step(self) -> None:
        client = self.chance.choice(self.clients)
        kind = self.chance.random()
        if kind < 0.05:
            await self.go(client)
        elif kind < 0.12:
            await self.come(client)
        elif kind < 0.125:
            await self.crash()
        elif kind < 0.2:
            await self.house.jump(self.chance.choice([1, 40, 500, 3_000, 3_000]))
        else:
            self.play(client)
            if self.chance.random() < 0.6:
                await self.house.settle()
        for each in self.clients:
            each.read()

    async def come(self, client: Client) -> None:
        if client.viewer is not None:
            if self.chance.random() < 0.5:
                await self.go(client)
            else:  # join again on the same connection: takes the seat back
                self.attach(client, client.viewer)
                return
        client.viewer = self.house.viewer(client.identity, self.chance.choice([JSON, MSGPACK]))
        self.attach(client, client.viewer)

    def attach(self, client: Client, viewer: FakeViewer) -> None:
        client.read()
        client.waiting.clear()
        client.playing = False
        since = client.no if self.chance.random() < 0.7 else None
        self.room.attach(viewer, Join(match=self.room.match, since=since, legal=self.chance.random() < 0.7))

    async def go(self, client: Client) -> None:
        if client.viewer is not None:
            client.read()
            self.room.detach(client.viewer)
            client.viewer = None
            client.playing = False

    async def crash(self) -> None:
        await self.house.settle()
        for client in self.clients:
            client.read()
            client.viewer = None
            client.playing = False
        await self.house.crash(next(self.boots, "z"))
        room = await self.house.rooms.find(self.room.match)
        assert room is not None
        self.room = room

    def play(self, client: Client) -> None:
        viewer, table = client.viewer, client.table
        if viewer is None or table is None or not client.playing or client.seat is None:
            return
        client.n += 1
        client.waiting.add(client.n)
        seen = max(0, client.no - self.chance.choice([0, 0, 0, 3, 80]))
        self.room.play(viewer, Play(client.n, seen, self.wish(client)))

    def wish(self, client: Client) -> Wish:
        position, seat = client.position, client.seat or 0
        phase = client.table.phase if client.table else ""
        roll = self.chance.random()
        if phase != "playing" or position is None:
            return Ready(f"{client.n:032x}")
        if roll < 0.004:
            return Resign()
        if roll < 0.02:
            return AgreeEnd() if self.chance.random() < 0.5 else WaitOn()
        legal = engine.legal(self.room.state.rules, position, seat)
        wishes: list[Wish] = [Move(card, to) for card, targets in legal.moves.items() for to in targets]
        wishes += wishes
        wishes += [Move(self.chance.randrange(104), "f"), Draw() if "draw" in legal.commands else Recycle()]
        return self.chance.choice(wishes)


@pytest.mark.parametrize("seed", range(30))
async def test_after_a_storm_every_client_has_what_its_seat_may_see(seed: int) -> None:
    storm = Storm(seed)
    await storm.run(400)
    state = storm.room.state
    assert not state.voided
    assert storm.room.log.status == "open"
    for client in storm.clients:
        if client.viewer is None or not storm.room.attached(client.viewer):
            continue  # gone, or turned away: a seat has eight connections at most
        client.read()
        assert client.no <= state.no
        assert client.table == state.table
        expected = None if state.position is None else view(state.rules, state.position, client.seat)
        assert client.position == expected
        assert not client.waiting, "every play of the connection that plays is answered"
    assert await search_for_hidden_cards(storm.house, storm.room) > 0


async def test_storms_do_play_several_games_and_meet_every_kind_of_answer() -> None:
    games, kinds = 0, set()
    for seed in range(10):
        storm = Storm(seed)
        await storm.run(400)
        games += len(storm.room.state.table.games)
        kinds |= {type(message) for viewer in storm.house.viewers for message in viewer.messages}
    assert games >= 3
    assert kinds >= {Snapshot, Resumed, Update, Refused, MovedAway}
