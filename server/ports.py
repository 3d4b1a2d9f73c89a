"""Where the parts of the server meet: what a room asks of a connection, of the time, and what it offers in turn.

``server.gateway`` implements ``Viewer`` and talks to ``RoomPort`` and ``RoomsPort``; ``server.room`` and
``server.rooms`` implement those. Each side is tested against a fake of the other.
"""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from shared.bots import LevelName
from shared.codec import Codec
from shared.position import Position
from shared.protocol import Answer, Failed, Hint, Join, Play, ToClient, ToLobby, ToRecords
from shared.ruleset import Ruleset
from shared.table import Table
from shared.terms import KlondikeTerms, Terms

T = TypeVar("T")

#: By an id that is nobody's, and by that of somebody else's solo game: a guesser learns nothing.
NO_SUCH_MATCH: Final = Failed(code="no_such_match", message="there is no such match", field="match")


class Viewer(Protocol):
    """One connection, as a room sees it.

    ``conn``: ``<boot id>.<counter>``, never used again. ``identity``: whose it is. ``name``: his nickname. ``codec``:
    its subprotocol. ``line_ms``: how long the way to it and back took last, as
    the server measured it.
    """

    @property
    def conn(self) -> str:
        """The connection's own name."""
        ...

    @property
    def identity(self) -> str:
        """Who is at its other end."""
        ...

    @property
    def name(self) -> str:
        """His nickname."""
        ...

    @property
    def offset(self) -> int | None:
        """Minutes by which his local time is ahead of UTC, if he said so."""
        ...

    @property
    def codec(self) -> Codec:
        """How its frames are written."""
        ...

    @property
    def line_ms(self) -> int | None:
        """There and back, ms; ``None``: not measured yet."""
        ...

    def write(self, frame: bytes) -> None:
        """Send ``frame``, a whole encoded message. Never blocks, never raises; the gateway bounds what waits."""
        ...


class Timer(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Let it not come."""
        ...


class Clock(Protocol):
    """Time, as the composition root hands it out; tests jump with it."""

    def mono_ms(self) -> int:
        """Milliseconds that only ever grow."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since the epoch."""
        ...

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """Call ``call`` on the event loop, ``delay_ms`` from now."""
        ...


class LossProof(Protocol):
    """That a game cannot be won: a finished search. ``command``: a line that has it proven again."""

    @property
    def states(self) -> int:
        """How many it looked at."""
        ...

    @property
    def seconds(self) -> float:
        """How long it took."""
        ...

    @property
    def command(self) -> str:
        """A line for ``double-solitaire solve``."""
        ...


class Advisor(Protocol):
    """What a solver is asked for; it may take seconds, and never holds up the event loop."""

    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        """Return the hint for the solo game's ``position`` (``left`` is not filled in)."""
        ...

    async def winnable(self, terms: KlondikeTerms, randbytes: Callable[[int], bytes]) -> tuple[int, bool]:
        """Return the number of a deal, and whether it is proven winnable under ``terms``."""
        ...

    async def cannot_be_won(self, rules: Ruleset, position: Position) -> LossProof | None:
        """Return a proof that no sequence of moves wins, or ``None``: it can be won, or the search was not finished.

        Who is no longer interested cancels the call, and the search ends.
        """
        ...


class InThread(Protocol):
    """Runs a function in a thread that is not the event loop's, and returns what it returns."""

    async def __call__(self, call: Callable[[], T], /) -> T:
        """Wait for ``call``."""
        ...


#: Looks whether a seat is stuck: rules, position, seat; answers as ``shared.stuck.search``.
StuckSearch = Callable[[Ruleset, Position, int], Awaitable[bool | None]]


class Unavailable(Exception):
    """The store is away: nothing was done, and may be asked again."""


class NewerRules(Unavailable):
    """The match is of rules that came after this node's: another node has to serve it."""

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match} is of newer rules than this node knows")


class BadTerms(ValueError):
    """These terms make no game; ``code`` and ``field`` are for ``shared.protocol.Failed``."""

    def __init__(self, message: str, *, code: str = "bad_terms", field: str = "terms") -> None:
        super().__init__(message)
        self.code = code
        self.field = field


class RoomPort(Protocol):
    """One match on this node. All calls are made on the event loop, return at once and never raise: a fault of this
    match is its own.
    """

    match: str

    def attach(self, viewer: Viewer, join: Join) -> None:
        """Let ``viewer`` see the match, and play it if a seat is his own or free (``join.watch`` is off).

        It is answered by the updates after ``join.since`` where those are kept, else by a ``Snapshot``, or by
        ``Failed`` (``no_such_match``: a solo game of somebody else; ``room_full``; ``unavailable``), after which the
        viewer is not attached (``attached`` tells). Attaching again takes the seat back from a newer connection. The
        answer may come after the call has returned.
        """
        ...

    def attached(self, viewer: Viewer) -> bool:
        """Whether the viewer is here, or on his way in."""
        ...

    def detach(self, viewer: Viewer, *, left: bool = False) -> None:
        """The connection ended: no frame is written to it any more. A seat counts as away 2 s later, if then no other
        connection holds it; at once if the player said that he leaves (``left``).
        """
        ...

    def play(self, viewer: Viewer, play: Play) -> None:
        """Take a wish; answered by an ``Update`` or ``Refused`` with its ``n`` (a watcher by ``Failed``)."""
        ...

    def ask_legal(self, viewer: Viewer) -> None:
        """Answer with ``LegalNow`` (a watcher by ``Failed``)."""
        ...

    def ask_snapshot(self, viewer: Viewer) -> None:
        """Answer with a ``Snapshot``."""
        ...

    def ask_hint(self, viewer: Viewer) -> None:
        """Answer with ``Hint``, or with a refusal of the hint; it may take a while."""
        ...

    def now(self) -> int:
        """Play time of the match, ms."""
        ...

    def lines(self) -> tuple[int | None, ...]:
        """By seat, how long the way to its player and back took last, ms; ``None``: this node does not know."""
        ...


class RoomsPort(Protocol):
    """All matches that this node has open."""

    async def start(self) -> None:
        """Join the store, begin to beat; before any other call."""
        ...

    async def create(self, identity: str, name: str, terms: Terms, bot: LevelName | None = None) -> RoomPort:
        """Make a match with ``identity`` on seat 0 (a room code is claimed where seats are free). To see it, attach.

        The daily of a date has one match an identity: once begun, that one is returned, with the draw it has.

        ``bot``: a computer of this level has the other seat.

        Raises:
            BadTerms: the terms make no game (the deal code is wrong or is another variant's, ...).
            Unavailable: the store is away.
        """
        ...

    async def give_up(self, match: str, identity: str) -> None:
        """Give up ``match``, if it is a running solo game of ``identity`` that can be given up.

        Raises:
            Unavailable: the store is away.
        """
        ...

    async def find(self, match: str) -> RoomPort | None:
        """Return the room of ``match``, read from the store if it is not open here; ``None`` if there is none.

        Raises:
            Unavailable: the store is away.
        """
        ...

    async def by_code(self, code: str) -> RoomPort | None:
        """Return the room behind a room code, however it is written; ``None`` if it leads nowhere.

        Raises:
            Unavailable: the store is away.
        """
        ...

    def drain(self) -> None:
        """Make no new match any more; those that run go on."""
        ...

    async def close(self) -> None:
        """Stop all timers and searches; tell the store which connections end with this node."""
        ...


class LobbyPort(Protocol):
    """Where opponents find each other (``server.matchmaker``)."""

    async def serve(self, viewer: Viewer, message: ToLobby) -> ToClient | None:
        """Do what a connection asks of the lobby, and return the answer; more may be written to ``viewer`` later.

        Raises:
            Unavailable, StoreError: the store is away.
        """
        ...

    def gone(self, viewer: Viewer) -> None:
        """The connection ended: so does its seek. Returns at once and never raises."""
        ...


class RecordsPort(Protocol):
    """Who played how (``server.books.desk``)."""

    async def answer(self, viewer: Viewer, question: ToRecords) -> Answer | Failed:
        """Return the answer to a question of a connection.

        Raises:
            StoreError: the store is away.
        """
        ...


class PairsPort(Protocol):
    """What the lobby asks of the matches of this node."""

    async def create_paired(
        self, match: str, players: tuple[tuple[str, str], ...], terms: Terms, ready_ms: int
    ) -> None:
        """Make ``match`` with all its players seated (identity, name), if it is not there yet. Are they not all ready
        within ``ready_ms``, it does not take place: it is over without a game.

        Raises:
            Unavailable: the store is away, or this node drains.
        """
        ...

    async def turn_down(self, match: str, seat: int) -> None:
        """Say that ``seat`` does not want ``match``, which then does not take place; of one that began: nothing.

        Raises:
            Unavailable: the store is away.
        """
        ...

    async def table(self, match: str) -> Table | None:
        """Return how ``match`` stands; ``None`` if there is none.

        Raises:
            Unavailable: the store is away.
        """
        ...
