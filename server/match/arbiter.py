"""The arbiter of one match: an entry of its log in, what it did out. No clock, no store, no socket."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct

from server.facts import (
    Committed,
    Created,
    Forked,
    GivenUp,
    Gone,
    GoneNode,
    Here,
    Hinted,
    ProvedLost,
    ProvedStuck,
    Sit,
    Tick,
    TurnedDown,
    Voided,
    Wished,
    unpack,
)
from server.match import actions, deadlines, games, plays, presence
from server.match.state import Held, Out, State
from server.storage.base import Stored
from shared import engine
from shared.moves import Command, Event, Refusal, UseHint
from shared.protocol import Wish
from shared.ruleset import VERSION
from shared.table import Abandon, Action, Race, StuckProof, Table

_COMINGS: Final = frozenset({Here, Sit, Gone, GoneNode})
_encode: Final = msgspec.msgpack.Encoder().encode
DIGEST_BYTES: Final = 8
#: A duel ends, void, before its log is full.
LAST_ENTRY: Final = 19_000


class Corrupt(Exception):
    """The log is none that this version can fold."""


class Folded(Struct, frozen=True, gc=False):
    """What one entry did.

    ``events``: of the game, unredacted. ``seat``, ``n``: whose wish it was. ``refusal``: it was refused. ``race``: it
    came too late for its place. ``table``: the table, if it changed. ``conns``: a connection may have
    come or gone. ``forked``: the entry's author had folded to something else.
    """

    no: int
    at: int
    events: tuple[Event, ...] = ()
    seat: int | None = None
    n: int | None = None
    refusal: Refusal | None = None
    table: Table | None = None
    conns: bool = False
    forked: bool = False
    race: Race | None = None


class Arbiter:
    """Folds the log of one match, entry by entry. ``state`` is to be read only."""

    def __init__(self, match: str) -> None:
        self.match = match
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The match as it stands.

        Raises:
            Corrupt: nothing was folded yet.
        """
        if self._state is None:
            raise Corrupt(f"match {self.match}: its log is empty")
        return self._state

    @property
    def head(self) -> int:
        """Number of the last entry folded, 0 before the first."""
        return 0 if self._state is None else self._state.no

    def fold(self, stored: Stored) -> Folded:
        """Take the next entry.

        Raises:
            Corrupt: it is not the next, or none of this version.
        """
        if stored.no != self.head + 1:
            raise Corrupt(f"match {self.match}: expected entry {self.head + 1}, got {stored.no}")
        try:
            entry = unpack(stored.data)
        except msgspec.MsgspecError as error:
            raise Corrupt(f"match {self.match}, entry {stored.no}: {error}") from error
        out = Out()
        if self._state is None:
            state = self._state = _begin(self.match, entry, stored, out)
            before = None
        else:
            state = self._state
            before = state.table
            state.no, state.at = stored.no, stored.at
            deadlines.run_out(state, out)
            if state.no > LAST_ENTRY and not state.solo and state.table.phase != "over":
                games.void_game(state, out, "log_full")
                games.end_void(state, "log_full")
        forked = False
        command: Command | None = None
        if type(entry) is Wished:
            forked = _is_fork(state, entry)
            command = _wish(state, entry, out)
        elif before is not None:
            _FACTS[type(entry)](state, entry, out)
        table = None if state.table is before else state.table
        folded = Folded(
            stored.no,
            stored.at,
            tuple(out.events),
            out.seat,
            out.n,
            out.refusal,
            table,
            type(entry) in _COMINGS,
            forked,
            out.race,
        )
        _close(state, stored, folded, command)
        return folded

    def skip(self, stored: Stored) -> None:
        """Pass over an entry that does not count (see ``Voided``).

        Raises:
            Corrupt: it is the first.
        """
        state = self.state
        state.no, state.at = stored.no, stored.at

    def refuse(self, seat: int, wish: Wish, seen: int, at: int) -> Refusal | None:
        """Return why ``wish`` would be refused at play time ``at``, or ``None``; nothing changes."""
        if isinstance(wish, Action):
            return actions.refuse(self.state, seat, wish, at)
        return plays.refuse(self.state, seat, wish, seen, at)

    def next_deadline(self) -> int | None:
        """Return the play time (ms) at which the match changes by itself, if it does."""
        due = deadlines.next_due(self.state)
        return None if due is None else due.at


def _begin(match: str, entry: object, stored: Stored, out: Out) -> State:
    if not isinstance(entry, Created):
        raise Corrupt(f"match {match}, entry {stored.no}: expected its creation, got {type(entry).__name__}")
    if not 1 <= entry.rules <= VERSION:
        raise Corrupt(f"match {match}: rules version {entry.rules}, this server knows 1 to {VERSION}")
    state = State(match, entry.terms, entry.players, entry.wall_ms)
    state.version = entry.rules
    state.no, state.at = stored.no, stored.at
    state.code, state.deal, state.first_next = entry.code, entry.deal, entry.first
    state.daily = entry.daily
    ready_until = None if entry.ready_ms is None else state.at + entry.ready_ms
    state.change_table(code=entry.code, notice=entry.notice, ready_until=ready_until)
    if entry.computer is not None:
        state.seat_computer(entry.computer)
    if state.solo:
        games.deal_solo(state, out)
    return state


def _wish(state: State, entry: Wished, out: Out) -> Command | None:
    """Fold a wish that counts: of the seat's newest connection, its counter beyond the last. Return it if it is of the
    game.
    """
    log = state.logs[entry.seat]
    log.written += 1
    if entry.g != log.g or entry.n <= log.n:
        return None
    log.n = out.n = entry.n
    out.seat = entry.seat
    wish = entry.wish
    if isinstance(wish, Action):
        out.refusal = actions.refuse(state, entry.seat, wish, state.at)
        if out.refusal is None:
            actions.perform(state, entry.seat, wish, out)
        return None
    plays.play(state, entry.seat, wish, entry.seen, out)
    return wish


def _is_fork(state: State, entry: Wished) -> bool:
    held = state.held(entry.have)
    return held is not None and held.digest != entry.digest


def _close(state: State, stored: Stored, folded: Folded, command: Command | None) -> None:
    """Chain the digest: over the entry, its number and time, and all that it did."""
    did = _encode((stored.no, stored.at, folded.events, folded.refusal, folded.table))
    state.digest = blake2b(state.digest + stored.data + did, digest_size=DIGEST_BYTES).digest()
    state.recent.append(Held(stored.no, stored.at, state.digest, state.position, folded.seat, command))


def _commit(state: State, entry: Committed, _out: Out) -> None:
    games.commit(state, entry.game, entry.seed)


def _proved(state: State, entry: ProvedStuck, out: Out) -> None:
    """Take a verdict while it holds: no foundation card was played since."""
    if state.running and not state.solo and entry.k >= state.up_no and state.position is not None:
        state.proofs[entry.seat] = StuckProof(entry.seat, entry.k)
        state.take(engine.prove_stuck(state.rules, state.position, entry.seat), out)
        games.after_step(state)


def _lost(state: State, entry: ProvedLost, _out: Out) -> None:
    games.prove_lost(state, entry)


def _hinted(state: State, entry: Hinted, out: Out) -> None:
    """Count a hint; the rules refuse where none is left. From version 2 on it counts once a position."""
    if games.is_hinted(state):
        return
    plays.play(state, entry.seat, UseHint(), state.no, out)
    if state.version >= games.HINTS_COUNT_ONCE and out.refusal is None and state.position is not None:
        state.hinted = games.cards_of(state.position)


def _given_up(state: State, entry: GivenUp, out: Out) -> None:
    if actions.refuse(state, entry.seat, Abandon(), state.at) is None:
        actions.perform(state, entry.seat, Abandon(), out)


def _forked(state: State, _entry: Forked, out: Out) -> None:
    games.void_game(state, out, "fork")


def _turned_down(state: State, entry: TurnedDown, _out: Out) -> None:
    games.turn_down(state, entry.seat)


def _voided(state: State, _entry: Voided, _out: Out) -> None:
    if state.table.phase != "over":
        games.void_match(state)


def _nothing(_state: State, _entry: Tick | Created, _out: Out) -> None:
    """A tick is there for its time; a second creation says nothing."""


_FACTS: Final[dict[type, Callable[[State, Any, Out], None]]] = {
    Sit: presence.sit,
    Here: presence.here,
    Gone: presence.gone,
    GoneNode: presence.gone_node,
    Tick: _nothing,
    TurnedDown: _turned_down,
    Created: _nothing,
    Committed: _commit,
    ProvedStuck: _proved,
    ProvedLost: _lost,
    Hinted: _hinted,
    GivenUp: _given_up,
    Forked: _forked,
    Voided: _voided,
}
