"""One player's side of a match, without a socket: what he sees, what he has sent, what to send again.

Laws: ``position`` is the fold of the server's updates and nothing else; ``display`` is ``position`` with the plays
still in flight laid over it, so that a refused play takes back only itself and what rests on it; a play keeps its
number ``n`` for ever, so that sending it again is harmless. The session answers a message with the messages to send;
``client.connection`` carries them.
"""

from typing import Final

from msgspec import Struct

from shared.bots import LevelName
from shared.cards import RANK, SUIT
from shared.engine import evolve
from shared.moves import Event, Legal, Move, Moved, Refusal, Restored
from shared.position import Position
from shared.protocol import (
    Create,
    Failed,
    Hello,
    Join,
    LegalNow,
    MovedAway,
    Play,
    Pong,
    Refused,
    Resumed,
    Snapshot,
    ToClient,
    ToServer,
    Update,
    Welcome,
    Wish,
)
from shared.table import Race, Table
from shared.terms import Terms


class InFlight(Struct, frozen=True):
    """A play without a verdict. ``moved``: what the table shows meanwhile (``None``: nothing, as for a draw);
    ``onto``: the card it was laid on (``None``: an empty pile).
    """

    play: Play
    moved: Moved | None = None
    onto: int | None = None


class Settled(Struct, frozen=True):
    """The end of play ``n``: done or refused (``refusal``) by entry ``no``; refused without an entry; or, both
    ``None``, its verdict went with a lost line, and what it did, if anything, is in the position shown now.
    """

    n: int
    refusal: Refusal | None = None
    no: int | None = None


class Received(Struct, frozen=True):
    """What a message led to: messages to send, in order, and plays that are settled."""

    send: tuple[ToServer, ...] = ()
    settled: tuple[Settled, ...] = ()


NOTHING: Final = Received()


class Session:
    """The state of one player in at most one match at a time.

    ``no``: last entry folded. ``n``: last number given to a play. ``live``: plays may be sent now; while it is false
    they are kept and sent once the server has answered the join. ``moved_away``: another connection plays the seat.
    ``failed``: the last ``Failed``. ``rewound``: how often the server took back what it had shown. ``races``: who was
    first where both played to one place, as told since the match was entered. ``lines``: by seat, there and back, ms,
    as the last ``Pong`` said.
    """

    def __init__(self, *, token: str | None = None, name: str | None = None, legal: bool = True) -> None:
        self.token = token
        self.name = name
        self.identity: str | None = None
        self.want_legal = legal
        self.table: Table | None = None
        self.seat: int | None = None
        self.position: Position | None = None
        self.legal: Legal | None = None
        self.no = 0
        self.at = 0
        self.n = 0
        self.live = False
        self.moved_away = False
        self.failed: Failed | None = None
        self.rewound = 0
        self.races: list[Race] = []
        self.lines: tuple[int | None, ...] = ()
        self.in_flight: list[InFlight] = []
        self._entry: Create | Join | None = None

    @property
    def display(self) -> Position | None:
        """The position with the plays in flight laid over it, as far as each still fits."""
        shown = self.position
        for flight in self.in_flight:
            if shown is not None and flight.moved is not None and _fits(shown, flight.moved, flight.onto):
                shown = evolve(shown, flight.moved)
        return shown

    @property
    def has_match(self) -> bool:
        """Whether it is in a match, or asked to be."""
        return self.table is not None or self._entry is not None

    def open(self) -> tuple[ToServer, ...]:
        """Return what to send on a new connection: who this is, and the match that was left."""
        self.live = False
        hello = Hello(token=self.token, name=self.name)
        if self.table is not None:
            entry = Join(match=self.table.match, watch=self.seat is None, since=self.no or None, legal=self.want_legal)
            return hello, entry
        return (hello, self._entry) if self._entry else (hello,)

    def create(self, terms: Terms, *, bot: LevelName | None = None) -> Create:
        """Return the message that makes a match, against a computer if ``bot`` names its level; the one before is
        left.
        """
        entry = Create(terms=terms, legal=self.want_legal, bot=bot)
        self._enter(entry)
        return entry

    def join(self, *, match: str | None = None, code: str | None = None, watch: bool = False) -> Join:
        """Return the message that enters a match by its id or its room code; the one before is left."""
        entry = Join(match=match, code=code, watch=watch, legal=self.want_legal)
        self._enter(entry)
        return entry

    def play(self, wish: Wish) -> Play:
        """Give ``wish`` its number and put it in flight. Send it at once if ``live``; else it goes with the join.

        Raises:
            RuntimeError: there is no seat to play for.
        """
        if self.seat is None:
            raise RuntimeError("play: expected a seat in a match, got none (join one first)")
        self.n += 1
        play = Play(n=self.n, seen=self.no, do=wish)
        shown = self.display
        self.in_flight.append(_foresee(shown, self.seat, play) if shown is not None else InFlight(play))
        return play

    def receive(self, message: ToClient) -> Received:
        """Fold one message of the server."""
        match message:
            case Update():
                return self._update(message)
            case Refused(n=n, refusal=refusal):
                return self._settle_one(Settled(n, refusal))
            case Snapshot():
                return self._snapshot(message)
            case Welcome():
                self.identity, self.name = message.identity, message.name
                self.token = message.token or self.token
            case LegalNow(no=no, legal=legal):
                # An entry that shows nothing has a number too: what came before `no` on this line is folded.
                self.legal = legal if no >= self.no else self.legal
            case Resumed():
                return self._resumed(message)
            case MovedAway():
                self.moved_away, self.live = True, False
                return self._settle_all(Refusal("moved_away"))
            case Failed():
                self.failed = message
            case Pong(lines=lines):
                self.lines = lines
            case _:
                pass
        return NOTHING

    def _enter(self, entry: Create | Join) -> None:
        self._entry = entry
        self.table = self.position = self.legal = self.seat = self.failed = None
        self.no = self.n = 0
        self.live = self.moved_away = False
        self.in_flight.clear()
        self.races.clear()
        self.lines = ()

    def _update(self, message: Update) -> Received:
        """An entry already folded is told again after a reconnect: it changes nothing, but its verdict counts."""
        if message.no > self.no:
            self.no, self.at = message.no, message.at
            for event in message.events:
                self.position = event.position if isinstance(event, Restored) else self._evolved(event)
            self.table = message.table or self.table
            if message.race is not None:
                self.races.append(message.race)
            if message.legal is not None or message.events:
                self.legal = message.legal
        settled: tuple[Settled, ...] = ()
        if message.seat is not None and message.seat == self.seat and message.n is not None:
            settled = self._settle_to(message.n, Settled(message.n, message.refusal, message.no))
        return Received((), settled)

    def _evolved(self, event: Event) -> Position:
        if self.position is None:
            raise RuntimeError(f"update: expected a position to change before {type(event).__name__}")
        return evolve(self.position, event)

    def _snapshot(self, message: Snapshot) -> Received:
        self.no, self.at, self.seat = message.no, message.now, message.seat
        self.table, self.position, self.legal = message.table, message.position, message.legal
        self.failed, self._entry, self.moved_away = None, None, False
        if message.rewound:
            self.rewound += 1
            settled = self._settle_all().settled
        else:
            settled = self._settle_to(message.n, Settled(message.n))
        self.n = max(self.n, message.n)
        return Received(self._resend(), settled)

    def _resumed(self, message: Resumed) -> Received:
        self.no, self.moved_away = max(self.no, message.no), False
        settled = self._settle_to(message.n, Settled(message.n))
        return Received(self._resend(), settled)

    def _resend(self) -> tuple[ToServer, ...]:
        """The join is answered: what is still in flight goes again, under its old numbers."""
        if self.live or self.moved_away or self.seat is None:
            return ()
        self.live = True
        return tuple(flight.play for flight in self.in_flight)

    def _settle_to(self, n: int, last: Settled) -> tuple[Settled, ...]:
        """Settle plays up to ``n``, the last one as ``last``: an earlier one can count no more."""
        self.n = max(self.n, n)
        done = [flight.play.n for flight in self.in_flight if flight.play.n <= n]
        del self.in_flight[: len(done)]
        return tuple(last if m == n else Settled(m) for m in done)

    def _settle_one(self, settled: Settled) -> Received:
        """Settle one play and no other: a later one may stand without it."""
        left = [flight for flight in self.in_flight if flight.play.n != settled.n]
        known = len(left) < len(self.in_flight)
        self.in_flight = left
        return Received(settled=(settled,) if known else ())

    def _settle_all(self, refusal: Refusal | None = None) -> Received:
        settled = tuple(Settled(flight.play.n, refusal) for flight in self.in_flight)
        self.in_flight.clear()
        return Received(settled=settled)


def _foresee(shown: Position, seat: int, play: Play) -> InFlight:
    """What the table shows of a play before its verdict: only moves of visible cards, and nothing that they bare."""
    if not isinstance(play.do, Move):
        return InFlight(play)
    source, cards = _take(shown, seat, play.do.card)
    target = _foundation(shown, play.do.card) if play.do.to == "f" else play.do.to
    onto = _pile(shown, seat, target) if target is not None else None
    if not cards or target is None or onto is None:
        return InFlight(play)
    return InFlight(play, Moved(cards, source, target, seat), onto[-1] if onto else None)


def _take(shown: Position, seat: int, card: int) -> tuple[str, tuple[int, ...]]:
    """The pile of ``card`` and the cards that go with it; no cards if it is not to be seen on a pile of this seat."""
    own = shown.seats[seat]
    for index, column in enumerate(own.columns):
        if card in column:
            return f"t{index}", column[column.index(card) :]
    if own.waste and own.waste[-1] == card:
        return "w", (card,)
    for index, pile in enumerate(shown.foundations):
        if pile and pile[-1] == card:
            return f"f{index}", (card,)
    return "", ()


def _foundation(shown: Position, card: int) -> str | None:
    """The first pile of the card's suit that it would be next on."""
    count = len(shown.foundations)
    for index, pile in enumerate(shown.foundations):
        if index * 4 // count == SUIT[card] and len(pile) == RANK[card] - 1:
            return f"f{index}"
    return None


def _pile(shown: Position, seat: int, name: str) -> tuple[int, ...] | None:
    kind, index = name[0], int(name[1:] or 0)
    piles = {"t": shown.seats[seat].columns, "f": shown.foundations, "w": (shown.seats[seat].waste,)}[kind]
    return piles[index] if index < len(piles) else None


def _fits(shown: Position, moved: Moved, onto: int | None) -> bool:
    """Whether the cards still lie free where they were taken and may still be laid on what they were laid on."""
    source = _pile(shown, moved.seat, moved.source)
    target = _pile(shown, moved.seat, moved.target)
    if source is None or target is None:
        return False
    return source[-len(moved.cards) :] == moved.cards and (target[-1] if target else None) == onto
