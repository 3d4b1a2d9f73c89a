"""Who sits, and who is here (docs/rules.md, Left). Presence is per connection: a seat is away when none is left."""

from typing import Final

from server.facts import Gone, GoneNode, Here, Sit, boot_of
from server.match import games
from server.match.state import Out, State
from shared import engine
from shared.moves import Pause, Unpause
from shared.table import Player
from shared.terms import DuelTerms

#: Bounds of one seat: connections at once, and arrivals in one game of a duel.
MAX_CONNS: Final = 8
#: Version of the rules since when one more connection takes the place of the oldest; before, it was not let in.
OLDEST_GOES: Final = 2
MAX_HERES: Final = 500
#: Entries that one seat of a duel may cause. Two such seats do not fill a log: nobody ends a lost match by filling it.
MAX_WRITTEN: Final = 9000


def may_arrive(state: State, seat: int, conn: str) -> bool:
    """Whether ``conn`` may take up ``seat``, for the first time or again."""
    log = state.logs[seat]
    has_room = state.version >= OLDEST_GOES or conn in log.conns or len(log.conns) < MAX_CONNS
    return has_room and (state.solo or (log.heres < MAX_HERES and may_write(state, seat)))


def may_write(state: State, seat: int) -> bool:
    """Whether ``seat`` may cause one more entry."""
    return state.solo or state.logs[seat].written < MAX_WRITTEN


def sit(state: State, entry: Sit, out: Out) -> None:
    """The first free seat is his, if there is one; who has a seat takes it up."""
    own = state.seat_of(entry.identity)
    if own is not None:
        here(state, Here(own, entry.conn, entry.name), out)
        return
    seat = state.free_seat()
    if seat is None or state.table.phase != "gathering":
        return
    players = list(state.table.players)
    players[seat] = Player(name=entry.name, identity=entry.identity, present=False)
    code = state.code if None in players else None
    state.seats_no = state.no
    state.change_table(players=tuple(players), code=code)
    _arrive(state, seat, entry.conn, out)


def here(state: State, entry: Here, out: Out) -> None:
    """The seat is played from this connection from now on. From the one that plays it already: nothing."""
    if not 0 <= entry.seat < len(state.logs) or state.table.players[entry.seat] is None:
        return
    if state.logs[entry.seat].newest() == entry.conn or not may_arrive(state, entry.seat, entry.conn):
        return
    state.change_player(entry.seat, name=entry.name)
    if entry.wall_ms is not None and entry.offset is not None:
        state.local = entry.wall_ms + entry.offset * 60_000, state.at
        state.offset = entry.offset
    _arrive(state, entry.seat, entry.conn, out)


def _arrive(state: State, seat: int, conn: str, out: Out) -> None:
    log = state.logs[seat]
    if conn not in log.conns and len(log.conns) >= MAX_CONNS:
        del log.conns[min(log.conns, key=log.conns.__getitem__)]
    log.conns[conn] = log.g = state.no
    log.heres += 1
    log.written += 2  # and its end will be one
    state.change_player(seat, present=True, gone_until=None, waited_for=False)
    if state.asleep and state.position is not None:
        state.asleep = False
        _command(state, Unpause(), out)


def gone(state: State, entry: Gone, out: Out) -> None:
    """The connection ended."""
    _leave(state, (entry.conn,), out, left=entry.left)


def gone_node(state: State, entry: GoneNode, out: Out) -> None:
    """All connections of a node ended."""
    _leave(state, tuple(c for log in state.logs for c in log.conns if boot_of(c) == entry.boot), out)


def _leave(state: State, conns: tuple[str, ...], out: Out, *, left: bool = False) -> None:
    for seat, log in enumerate(state.logs):
        if not [conn for conn in conns if log.conns.pop(conn, None) is not None]:
            continue
        if log.conns:
            log.g = max(log.conns.values())
        else:
            _away(state, seat, out)
            if left and state.table.phase == "gathering":
                _stand_up(state, seat)


def _stand_up(state: State, seat: int) -> None:
    """He left before the start, and said so: a guest's seat is free at once; the lobby's match does not take place."""
    if state.table.ready_until is not None:
        games.turn_down(state, seat)
    elif seat > 0:
        _free(state, seat)


def _away(state: State, seat: int, out: Out) -> None:
    """The seat has no connection any more: in a game its grace time begins, and a solo game's clock stands."""
    terms = state.table.terms
    if not isinstance(terms, DuelTerms):
        state.change_player(seat, present=False)
        tally = state.position.tally if state.position is not None else None
        if state.running and tally is not None and not tally.paused:
            state.asleep = _command(state, Pause(hidden=True), out)
        return
    until = state.at + terms.grace_seconds * 1000
    phase = state.table.phase
    if phase == "gathering":
        state.change_player(seat, present=False, ready=False, gone_until=until if seat > 0 else None)
    elif phase in {"countdown", "playing"}:
        state.change_player(seat, present=False, gone_until=until)
    else:
        state.change_player(seat, present=False)


def grace_over(state: State, seat: int, out: Out) -> None:
    """He did not come back in time: before the match his seat is free again; in a game he left, or it is void."""
    if state.table.phase == "gathering":
        _free(state, seat)
        return
    other = state.table.players[1 - seat]
    if state.position is None or not state.running:
        return
    if other is None or not other.present:
        games.void_game(state, out, "both_away")
    else:
        state.take(engine.end(state.rules, state.position, "left", 1 - seat), out)
        games.after_step(state)


def _free(state: State, seat: int) -> None:
    """Let anybody sit here."""
    players = state.table.players
    log = state.logs[seat]
    log.n = log.heres = log.written = log.words = 0  # of the next who sits here
    state.seats_no = state.no
    state.change_table(players=(*players[:seat], None, *players[seat + 1 :]), code=state.code)


def _command(state: State, command: Pause | Unpause, out: Out) -> bool:
    """Pause or go on in a solo game's owner's name; ``False`` if the rules refuse."""
    if state.position is None:
        return False
    step = engine.apply(state.rules, state.position, 0, command, state.at)
    if not isinstance(step, engine.Step):
        return False
    state.take(step, out)
    return True
