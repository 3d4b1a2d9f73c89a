"""Laws of the session against a server made of the engine, over a line that loses what is on it at any moment."""

import random
from collections import Counter, deque

from hypothesis import given, settings
from hypothesis import strategies as st

from client.player import weighted_wishes
from client.session import Session, Settled
from shared import engine
from shared.moves import Command, Draw, Event, Move, Refusal
from shared.position import Position
from shared.protocol import Join, Play, Refused, Resumed, Snapshot, ToClient, ToServer, Update
from shared.ruleset import Ruleset, ruleset
from shared.table import Player, Table
from shared.terms import DuelTerms
from shared.view import redact, view

TERMS = DuelTerms()
TABLE = Table("m1", TERMS, (Player("Ada"), Player("Ben")), phase="playing")
RULES: Ruleset = ruleset(TERMS)
STEPS = ("play", "play", "play", "wrong", "rival", "rival", "serve", "serve", "deliver", "deliver", "deliver", "cut")


class ModelServer:
    """A log of what happened, as seat 0 may know it; plays count once, by their number."""

    def __init__(self, chance: random.Random) -> None:
        decks = [list(range(low, low + 52)) for low in (0, 52)]
        for deck in decks:
            chance.shuffle(deck)
        self.chance = chance
        self.position: Position = engine.start(RULES, (tuple(decks[0]), tuple(decks[1])))
        self.updates: list[Update] = []
        self.counted: list[int] = []

    def act(self, seat: int, command: Command, n: int | None = None) -> Refusal | None:
        step = engine.apply(RULES, self.position, seat, command, 0)
        events: tuple[Event, ...] = ()
        if isinstance(step, engine.Step):
            self.position, events = step.position, step.events
        elif seat == 1:
            return step
        shown = tuple(seen for event in events if (seen := redact(RULES, event, 0)) is not None)
        refusal = step if isinstance(step, Refusal) else None
        self.updates.append(Update(len(self.updates) + 1, 0, shown, seat, n, refusal))
        return refusal

    def serve(self, message: ToServer) -> list[ToClient]:
        """Answer one message; what else happened since follows by `since`."""
        if isinstance(message, Join):
            return self._join(message)
        if not isinstance(message, Play) or message.n <= max(self.counted, default=0):
            return []
        assert not isinstance(message.do, str)
        refusal = engine.refuse(RULES, self.position, 0, message.do, 0)  # type: ignore[arg-type]
        if refusal is not None and self.chance.random() < 0.5:
            return [Refused(message.n, refusal)]  # judged early: no trace in the log
        self.counted.append(message.n)
        self.act(0, message.do, message.n)  # type: ignore[arg-type]
        return [self.updates[-1]]

    def _join(self, join: Join) -> list[ToClient]:
        last = max(self.counted, default=0)
        if join.since is not None and self.chance.random() < 0.5:
            return [*self.updates[join.since :], Resumed(len(self.updates), last)]
        seen = view(RULES, self.position, 0)
        return [Snapshot(len(self.updates), 0, TABLE, seat=0, n=last, position=seen)]


class Line:
    """The session, the server and what is on its way between them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.server = ModelServer(self.chance)
        self.session = Session(legal=False)
        self.up: deque[ToServer] = deque([self.session.join(match="m1")])
        self.down: deque[ToClient] = deque()
        self.settled: list[Settled] = []
        self.sent = 0

    def step(self, name: str) -> None:
        getattr(self, name)()

    def play(self) -> None:
        """Play what is legal on what is shown: mostly right when it arrives, sometimes not."""
        shown = self.session.display
        if shown is None or self.session.seat is None:
            return
        wishes = weighted_wishes(engine.legal(RULES, shown, 0, 0))
        if wishes:
            self._submit(wishes[self.chance.randrange(len(wishes))])  # type: ignore[arg-type]

    def wrong(self) -> None:
        if self.session.seat is not None:
            self._submit(Draw() if self.chance.random() < 0.3 else any_move(self.chance))

    def _submit(self, wish: Command) -> None:
        live = self.session.live
        play = self.session.play(wish)
        self.sent += 1
        if live:
            self.up.append(play)

    def rival(self) -> None:
        wishes = weighted_wishes(engine.legal(RULES, self.server.position, 1, 0))
        if not wishes or self.server.act(1, wishes[self.chance.randrange(len(wishes))]) is not None:  # type: ignore[arg-type]
            return
        if self.session.live or any(isinstance(told, (Snapshot, Resumed)) for told in self.down):
            self.down.append(self.server.updates[-1])

    def serve(self) -> None:
        if self.up:
            self.down.extend(self.server.serve(self.up.popleft()))

    def deliver(self) -> None:
        if self.down:
            received = self.session.receive(self.down.popleft())
            self.up.extend(received.send)
            self.settled.extend(received.settled)

    def cut(self) -> None:
        """All that is on its way is lost; some of it may have arrived before."""
        for _ in range(self.chance.randrange(len(self.up) + 1)):
            self.serve()
        self.up.clear()
        self.down.clear()
        self.up.extend(message for message in self.session.open() if isinstance(message, Join))

    def run_dry(self) -> None:
        while self.up or self.down:
            self.serve()
            self.deliver()


def any_move(chance: random.Random) -> Command:
    return Move(chance.randrange(104), chance.choice(("f", "t0", "t1", "t2", "t3", "t4", "t5", "t6")))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(STEPS), min_size=10, max_size=120))
def test_whatever_the_line_does_the_view_is_the_servers(seed: int, steps: list[str]) -> None:
    line = Line(seed)
    for name in steps:
        line.step(name)
    line.cut()
    line.run_dry()
    session, server = line.session, line.server
    assert session.position == view(RULES, server.position, 0)
    assert session.display == session.position
    assert session.in_flight == []
    assert session.no == len(server.updates)
    assert Counter(one.n for one in line.settled) == Counter(range(1, line.sent + 1)), "each play is settled once"
    assert server.counted == sorted(set(server.counted)), "each play counts at most once, in order"
    for one in line.settled:
        if one.no is not None:
            told = server.updates[one.no - 1]
            assert (told.seat, told.n, told.refusal) == (0, one.n, one.refusal)
