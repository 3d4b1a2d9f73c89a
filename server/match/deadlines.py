"""The deadlines of a match, and what each does when it passes."""

from typing import Literal

from msgspec import Struct

from server.match import games, presence
from server.match.state import Out, State
from shared import engine

Kind = Literal["start", "game", "grace", "ready", "turn", "seat"]


class Due(Struct, frozen=True, order=True):
    """A deadline: ``at`` (play time, ms), then its ``rank`` among those of the same moment, and its ``seat``."""

    at: int
    rank: int
    seat: int
    kind: Kind


_RANK: dict[Kind, int] = {"start": 0, "game": 1, "grace": 2, "ready": 3, "turn": 4, "seat": 5}


def next_due(state: State) -> Due | None:
    """Return the deadline that comes first; at one moment: start, game, grace, turn, seat."""
    table = state.table
    found: Due | None = None
    if table.phase == "playing":
        if state.position is not None and (of_game := engine.deadline(state.rules, state.position)) is not None:
            found = Due(of_game.at, _RANK[of_game.kind], 0, of_game.kind)
    elif table.phase == "countdown":
        return Due(table.starts_at or 0, _RANK["start"], 0, "start")
    elif table.phase == "between" or (table.phase == "gathering" and table.ready_until is not None):
        return Due(table.ready_until or 0, _RANK["ready"], 0, "ready")
    elif table.phase == "over":
        return None
    for seat, player in enumerate(table.players):
        if player is not None and player.gone_until is not None and not player.waited_for:
            grace = Due(player.gone_until, _RANK["grace"], seat, "grace")
            found = grace if found is None or grace < found else found
    return found


def run_out(state: State, out: Out) -> None:
    """Let every deadline at or before the entry being folded take effect, in due order."""
    while (due := next_due(state)) is not None and due.at <= state.at:
        _pass(state, due, out)


def _pass(state: State, due: Due, out: Out) -> None:
    if due.kind == "start":
        games.start_game(state, due.at, out)
    elif due.kind == "ready":
        games.ready_time_over(state)
    elif due.kind == "grace":
        presence.grace_over(state, due.seat, out)
    elif state.position is not None:
        deadline = engine.deadline(state.rules, state.position)
        if deadline is not None:
            state.take(engine.expire(state.rules, state.position, deadline), out)
            games.after_step(state)
