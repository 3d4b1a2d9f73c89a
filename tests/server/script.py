"""A match as a script: entries in, what they did out, without a store or a room."""

from server.facts import Committed, Created, Entry, Gone, Here, Sit, Tick, Wished, pack
from server.match.arbiter import Arbiter, Folded
from server.match.state import State
from server.storage.base import Stored
from shared import engine
from shared.moves import Draw, Move, Recycle
from shared.position import Position
from shared.protocol import Wish
from shared.ruleset import VERSION
from shared.table import Player, Ready, Table
from shared.terms import DuelTerms, Terms

SEED = bytes(range(32))


class Script:
    """One log and its fold. Play time passes by ``after`` ms before an entry."""

    def __init__(
        self, terms: Terms | None = None, *, match: str = "m", first: int | None = None, rules: int = VERSION
    ) -> None:
        self.arbiter = Arbiter(match)
        self.entries: list[Stored] = []
        self.at = 0
        self.n = [0, 0]
        terms = terms or DuelTerms()
        deal = None if isinstance(terms, DuelTerms) else getattr(terms, "code", None)
        code = "ABCDE" if isinstance(terms, DuelTerms) else None
        self.add(Created(terms, (("ann", "Ann"),), 1_700_000_000_000, rules, code, deal, first))
        self.add(Here(0, "b.1", "Ann"))

    @property
    def state(self) -> State:
        return self.arbiter.state

    @property
    def table(self) -> Table:
        return self.arbiter.state.table

    def phase(self) -> str:
        return self.table.phase

    def stuck(self) -> list[bool]:
        return [seat.stuck for seat in self.position.seats]

    @property
    def position(self) -> Position:
        assert self.state.position is not None
        return self.state.position

    def player(self, seat: int) -> Player:
        player = self.table.players[seat]
        assert player is not None
        return player

    def add(self, entry: Entry, after: int = 10) -> Folded:
        self.at += after
        stored = Stored(len(self.entries) + 1, self.at, pack(entry))
        self.entries.append(stored)
        return self.arbiter.fold(stored)

    def wish(
        self,
        seat: int,
        wish: Wish,
        *,
        after: int = 10,
        seen: int | None = None,
        n: int | None = None,
        g: int | None = None,
    ) -> Folded:
        if n is None:
            self.n[seat] += 1
            n = self.n[seat]
        state = self.state
        g = state.logs[seat].g if g is None else g
        seen = state.no if seen is None else seen
        return self.add(Wished(seat, g, n, seen, wish, state.no, state.digest), after)

    def tick(self, after: int) -> Folded:
        return self.add(Tick(), after)

    def sit(self) -> "Script":
        self.add(Sit("bob", "Bob", "b.2"))
        return self

    def ready(self, seed: bytes = SEED) -> None:
        """Commit, both ready, and the countdown passes."""
        self.add(Committed(self.table.game, seed))
        for seat in (0, 1):
            self.wish(seat, Ready(f"{seat:032x}"))
        self.tick(3000)

    def start(self, seed: bytes = SEED) -> "Script":
        self.sit()
        self.ready(seed)
        assert self.state.running
        return self

    def legal_up(self, seat: int) -> list[int]:
        legal = engine.legal(self.state.rules, self.position, seat, self.at)
        return [card for card, targets in legal.moves.items() if "f" in targets]

    def play_up(self, seat: int) -> Folded:
        """Draw until a card goes to a foundation, and play it."""
        for _ in range(60):
            cards = self.legal_up(seat)
            if cards:
                return self.wish(seat, Move(cards[0], "f"))
            self.wish(seat, Draw() if self.position.seats[seat].stock else Recycle())
        raise AssertionError("no card of the stock plays up: take another seed")

    def both_up(self) -> "Script":
        for seat in (0, 1):
            self.play_up(seat)
        return self

    def leave(self, seat: int, after: int = 10) -> Folded:
        conn = self.state.logs[seat].newest()
        assert conn is not None
        return self.add(Gone(conn), after)

    def come(self, seat: int, conn: str, after: int = 10) -> Folded:
        return self.add(Here(seat, conn, self.player(seat).name), after)
