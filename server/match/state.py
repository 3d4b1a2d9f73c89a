"""What a match is at one entry of its log."""

from collections import deque
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from server.facts import Computer
from shared.evolve import Step
from shared.moves import Command, Event, Refusal
from shared.position import Position, Seat
from shared.ruleset import VERSION, Ruleset, ruleset
from shared.table import Player, Race, StuckProof, Table
from shared.terms import Terms

#: How many entries back a play's ``seen`` may reach, and for how many digests are held.
HELD: Final = 64


class SeatLog:
    """What the log says of one seat: the number of its newest connection's entry, its last counter, who is connected.

    ``conns``: connection -> number of the entry that brought it last. ``heres``: such entries in the game under way.
    ``written``: entries that whoever sits here caused in this match. ``words``: how often he spoke; ``word_at``: up to
    when his words are spent, ``offer_at``: when he may offer again to end the game (play time, ms).
    """

    __slots__ = ("conns", "g", "heres", "n", "offer_at", "word_at", "words", "written")

    def __init__(self) -> None:
        self.g = 0
        self.n = 0
        self.conns: dict[str, int] = {}
        self.heres = 0
        self.written = 0
        self.words = 0
        self.word_at = 0
        self.offer_at = 0

    def newest(self) -> str | None:
        """Return the connection that plays the seat."""
        for conn, g in self.conns.items():
            if g == self.g:
                return conn
        return None


class Held(Struct, frozen=True, gc=False):
    """One entry back in time: the position after it, the digest, and the command of the game if it was one."""

    no: int
    at: int
    digest: bytes
    position: Position | None = None
    seat: int | None = None
    command: Command | None = None


#: A position's cards alone: all seats, all foundations.
Cards = tuple[tuple[Seat, ...], tuple[tuple[int, ...], ...]]


class Out:
    """What one entry did, while it is being folded. ``hidden``: it is told to nobody (a seat's own stuck verdict)."""

    __slots__ = ("events", "n", "race", "refusal", "seat")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.seat: int | None = None
        self.n: int | None = None
        self.refusal: Refusal | None = None
        self.race: Race | None = None


class State:
    """The fold of a log so far. Only ``server.match`` changes it; everybody may read it.

    ``no``, ``at``: number and play time of the last entry. ``seats_no``: the entry that last gave or freed a seat.
    ``rules``, ``position``, ``decks``: of the game under way. ``seed``, ``nonces``: what it is dealt from
    (commit-reveal). ``computer``: has the last seat. ``first``: the seat that began it, ``first_next``: that will begin
    the next. ``up_no``, ``up_at``: the entry that dealt it or last changed a foundation. ``recent``: the last entries,
    oldest first. ``acted_no``, ``acted_at``: the entry that last changed the position. ``told_lost``: a solo game's
    player was told that it cannot be won, and took nothing back since. ``asleep``: a solo game whose clock stands
    because its player is away. ``races``: of the game under way. ``proofs``: by
    seat, that it is stuck. ``voided``: a fault. ``daily``: the seed of a daily challenge.
    ``local``: the player's local time, ms, as wall time + ``offset`` (minutes), and the play time then. ``earned``:
    points of a solo game's attempts before its last restart. ``version``: of the match's rules. ``hinted``: the cards
    of the position for which a hint was counted last.
    """

    def __init__(self, match: str, terms: Terms, players: tuple[tuple[str, str], ...], wall_ms: int) -> None:
        self.no = 0
        self.at = 0
        self.digest = b""
        self.rules: Ruleset = ruleset(terms)
        seated = [Player(name=name, identity=identity, present=False) for identity, name in players]
        empty = [None] * (self.rules.seats - len(seated))
        self.table = Table(match=match, terms=terms, players=(*seated, *empty), sums=(0,) * self.rules.seats)
        self.computer: Computer | None = None
        self.owner = players[0][0]
        self.wall_ms = wall_ms
        self.code: str | None = None
        self.deal: str | None = None
        self.logs = tuple(SeatLog() for _ in range(self.rules.seats))
        self.position: Position | None = None
        self.decks: tuple[tuple[int, ...], ...] = ()
        self.seed: bytes | None = None
        self.nonces: list[str | None] = [None] * self.rules.seats
        self.first: int | None = None
        self.first_next: int | None = None
        self.seats_no = 0
        self.up_no = 0
        self.up_at = 0
        self.recent: deque[Held] = deque(maxlen=HELD)
        self.acted_no = 0
        self.acted_at = 0
        self.told_lost = False
        self.asleep = False
        self.races: tuple[Race, ...] = ()
        self.proofs: dict[int, StuckProof] = {}
        self.voided = False
        self.daily: bytes | None = None
        self.local: tuple[int, int] | None = None
        self.offset = 0
        self.earned = 0
        self.version = VERSION
        self.hinted: Cards | None = None

    @property
    def solo(self) -> bool:
        """One seat: dealt at once, by code."""
        return len(self.logs) == 1

    @property
    def running(self) -> bool:
        """A game is being played."""
        return self.table.phase == "playing" and self.position is not None and self.position.outcome is None

    def seat_of(self, identity: str) -> int | None:
        """Return the seat of ``identity``."""
        for seat, player in enumerate(self.table.players):
            if player is not None and player.identity == identity:
                return seat
        return None

    def free_seat(self) -> int | None:
        """Return the first seat that nobody has."""
        for seat, player in enumerate(self.table.players):
            if player is None:
                return seat
        return None

    def seat_computer(self, computer: Computer) -> None:
        """Let a computer have the last seat; it is always there."""
        self.computer = computer
        bot = Player(name=f"Computer ({computer.level})", identity=f"bot:{computer.level}", bot=True)
        self.change_table(players=(*self.table.players[:-1], bot))

    def change_player(self, seat: int, **changes: object) -> None:
        """Change what the table says of the player on ``seat``; he is there."""
        players = self.table.players
        player = players[seat]
        if player is None:
            return
        new = replace(player, **changes)
        if new != player:
            self.change_table(players=(*players[:seat], new, *players[seat + 1 :]))

    def change_table(self, **changes: object) -> None:
        """Change the table; the room tells it by its identity."""
        self.table = replace(self.table, **changes)

    def take(self, step: Step, out: Out) -> None:
        """Let ``step`` be done."""
        before = self.position
        self.position = step.position
        self.acted_no, self.acted_at = self.no, self.at
        out.events.extend(step.events)
        if before is None or before.foundations is not step.position.foundations:
            self.up_no, self.up_at = self.no, self.at

    def held(self, no: int) -> Held | None:
        """Return entry ``no``, if it is one of the last."""
        if not self.recent:
            return None
        index = no - self.recent[0].no
        return self.recent[index] if 0 <= index < len(self.recent) else None
