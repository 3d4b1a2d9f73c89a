"""What a seat wants of the table: ready, terms, wait on, agree to end, rematch, restart."""

from collections.abc import Callable
from typing import Any, Final

from server.match import games
from server.match.state import Out, State
from shared import engine
from shared.moves import Refusal
from shared.ruleset import ruleset
from shared.table import AgreeEnd, Propose, Ready, Rematch, Restart, Unready, WaitOn
from shared.terms import DuelTerms

NOT_NOW: Final = Refusal("not_now")
NOT_HERE: Final = Refusal("not_in_this_game")
Action = Ready | Unready | Propose | WaitOn | AgreeEnd | Rematch | Restart


def refuse_terms(terms: DuelTerms, *, computer: bool = False) -> str | None:
    """Return what is wrong with a duel's terms beyond their types, or ``None``. ``computer``: one plays."""
    if terms.rated and computer:
        return "rated: expected a casual game against the computer"
    if terms.rated and (terms.draw[0] != terms.draw[1] or terms.mirror):
        return "rated: expected equal draw for both seats and no mirror"
    return None


def refuse(state: State, seat: int, action: Action) -> Refusal | None:
    """Return why ``action`` of ``seat`` does not fit the moment, or ``None``."""
    if state.solo != isinstance(action, Restart):
        return NOT_HERE
    return None if _FITS[type(action)](state, seat, action) else NOT_NOW


def perform(state: State, seat: int, action: Action, out: Out) -> None:
    """Do ``action``, which was not refused."""
    _PERFORM[type(action)](state, seat, action, out)


def _before_a_game(state: State, _seat: int, _action: Action) -> bool:
    return state.table.phase in {"gathering", "between"}


def _may_ready(state: State, _seat: int, _action: Ready) -> bool:
    return state.table.phase in {"gathering", "between"} and state.seed is not None


def _ready(state: State, seat: int, action: Ready, _out: Out) -> None:
    if not _player(state, seat, "ready"):
        state.nonces[seat] = action.nonce
        state.change_player(seat, ready=True)
    if all(player is not None and player.ready for player in state.table.players):
        games.begin_countdown(state)


def _unready(state: State, seat: int, _action: Unready, _out: Out) -> None:
    state.nonces[seat] = None
    state.change_player(seat, ready=False)


def _may_propose(state: State, _seat: int, action: Propose) -> bool:
    """The lobby's pairs have agreed on their terms."""
    terms = action.terms
    fits = isinstance(terms, DuelTerms) and refuse_terms(terms, computer=state.computer is not None) is None
    return fits and state.table.phase == "gathering" and state.table.ready_until is None


def _propose(state: State, _seat: int, action: Propose, _out: Out) -> None:
    if action.terms == state.table.terms:
        return
    state.change_table(terms=action.terms)
    state.rules = ruleset(action.terms)
    for seat in range(len(state.logs)):
        state.nonces[seat] = None
        state.change_player(seat, ready=False)
    games.ready_computer(state)


def _may_wait(state: State, seat: int, action: WaitOn) -> bool:
    other = state.table.players[1 - seat]
    away = other is not None and other.gone_until is not None
    return away and state.table.phase in {"countdown", "playing"} and other.waited_for != action.on  # type: ignore[union-attr]


def _wait(state: State, seat: int, action: WaitOn, _out: Out) -> None:
    other = state.table.players[1 - seat]
    until = max(other.gone_until or 0, state.at) if other is not None else None
    state.change_player(1 - seat, waited_for=action.on, gone_until=until)


def _is_running(state: State, _seat: int, _action: Action) -> bool:
    return state.running


def _agree(state: State, seat: int, action: AgreeEnd, out: Out) -> None:
    state.change_player(seat, agrees_end=action.on)
    both = all(player is not None and player.agrees_end for player in state.table.players)
    if both and state.position is not None:
        state.take(engine.end(state.rules, state.position, "agreed"), out)
        games.after_step(state)


def _may_rematch(state: State, _seat: int, _action: Rematch) -> bool:
    table = state.table
    return table.phase == "over" and table.next_match is None and None not in table.players and not state.voided


def _rematch(state: State, seat: int, action: Rematch, _out: Out) -> None:
    state.change_player(seat, rematch=action.on)
    if not action.on:
        state.change_table(declined=seat)
        return
    if state.table.declined == seat:
        state.change_table(declined=None)
    if state.computer is not None:
        state.change_player(1 - seat, rematch=True)
    if all(player is not None and player.rematch for player in state.table.players):
        state.change_table(next_match=games.next_match_id(state.table.match))


def _may_restart(state: State, _seat: int, _action: Restart) -> bool:
    return state.position is not None


def _restart(state: State, _seat: int, _action: Restart, out: Out) -> None:
    state.change_table(restarts=state.table.restarts + 1, notice=None, proof=None)
    games.deal_solo(state, out)


def _player(state: State, seat: int, what: str) -> bool:
    return bool(getattr(state.table.players[seat], what, False))


_FITS: dict[type, Callable[[State, int, Any], bool]] = {
    Ready: _may_ready,
    Unready: _before_a_game,
    Propose: _may_propose,
    WaitOn: _may_wait,
    AgreeEnd: _is_running,
    Rematch: _may_rematch,
    Restart: _may_restart,
}
_PERFORM: dict[type, Callable[[State, int, Any, Out], None]] = {
    Ready: _ready,
    Unready: _unready,
    Propose: _propose,
    WaitOn: _wait,
    AgreeEnd: _agree,
    Rematch: _rematch,
    Restart: _restart,
}
