"""What a seat wants of the table: ready, terms, wait on, agree to end, rematch, restart."""

from collections.abc import Callable
from typing import Any, Final

from server.match import games
from server.match.state import Out, State
from shared import engine
from shared.moves import Refusal
from shared.ruleset import ruleset
from shared.table import Abandon, Action, AgreeEnd, Emote, Propose, Ready, Rematch, Restart, Said, Unready, WaitOn
from shared.terms import DuelTerms

NOT_NOW: Final = Refusal("not_now")
NOT_HERE: Final = Refusal("not_in_this_game")
TOO_FAST: Final = Refusal("too_fast")

#: A seat may say so many words at once, then one each so many ms, and so many in a match.
WORDS_BURST: Final = 3
WORD_MS: Final = 2000
MAX_WORDS: Final = 200
#: Whose offer to end the game was declined may not offer again sooner, ms.
OFFER_AGAIN_MS: Final = 30_000


def refuse_terms(terms: DuelTerms, *, computer: bool = False) -> str | None:
    """Return what is wrong with a duel's terms beyond their types, or ``None``. ``computer``: one plays."""
    if terms.rated and computer:
        return "rated: expected a casual game against the computer"
    if terms.rated and (terms.draw[0] != terms.draw[1] or terms.mirror):
        return "rated: expected equal draw for both seats and no mirror"
    return None


def refuse(state: State, seat: int, action: Action, at: int) -> Refusal | None:
    """Return why ``action`` of ``seat`` does not fit the moment ``at`` (play time), or ``None``."""
    if state.solo != isinstance(action, Restart | Abandon) or (
        isinstance(action, Abandon) and state.version < games.CAN_GIVE_UP
    ):
        return NOT_HERE
    if not _FITS[type(action)](state, seat, action):
        return NOT_NOW
    too_soon = _TOO_SOON.get(type(action))
    return TOO_FAST if too_soon is not None and too_soon(state, seat, action, at) else None


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


def _may_agree(state: State, seat: int, action: AgreeEnd) -> bool:
    return state.running and (action.on or any(_player(state, one, "agrees_end") for one in (seat, 1 - seat)))


def _offers_too_soon(state: State, seat: int, action: AgreeEnd, at: int) -> bool:
    """An answer to an offer is never too soon."""
    return action.on and not _player(state, 1 - seat, "agrees_end") and at < state.logs[seat].offer_at


def _agree(state: State, seat: int, action: AgreeEnd, out: Out) -> None:
    if not action.on and not _player(state, seat, "agrees_end"):
        state.change_player(1 - seat, agrees_end=False)
        state.change_table(end_declined=seat)
        state.logs[1 - seat].offer_at = state.at + OFFER_AGAIN_MS
        return
    state.change_player(seat, agrees_end=action.on)
    if state.table.end_declined is not None:
        state.change_table(end_declined=None)
    both = all(player is not None and player.agrees_end for player in state.table.players)
    if both and state.position is not None:
        state.take(engine.end(state.rules, state.position, "agreed"), out)
        games.after_step(state)


def _may_rematch(state: State, seat: int, action: Rematch) -> bool:
    """Who was declined waits for the other to think better of it."""
    table = state.table
    open_ = table.phase == "over" and table.next_match is None and None not in table.players and not state.voided
    sound = action.terms is None or refuse_terms(action.terms, computer=state.computer is not None) is None
    return open_ and sound and table.declined != 1 - seat


def _rematch(state: State, seat: int, action: Rematch, _out: Out) -> None:
    """Both want the same: it is agreed. Else the later offer stands, and the earlier is withdrawn."""
    table = state.table
    if not action.on:
        for one in (0, 1):
            state.change_player(one, rematch=False)
        state.change_table(declined=seat, rematch_terms=None)
        return
    wanted = None if action.terms == table.terms else action.terms
    if wanted != table.rematch_terms:
        state.change_player(1 - seat, rematch=False)
    state.change_player(seat, rematch=True)
    state.change_table(declined=None, rematch_terms=wanted)
    if state.computer is not None:
        state.change_player(1 - seat, rematch=True)
    if all(player is not None and player.rematch for player in state.table.players):
        state.change_table(next_match=games.next_match_id(table.match))


def _may_speak(state: State, _seat: int, _action: Emote) -> bool:
    return None not in state.table.players


def _speaks_too_soon(state: State, seat: int, _action: Emote, at: int) -> bool:
    log = state.logs[seat]
    return log.words >= MAX_WORDS or log.word_at - at > (WORDS_BURST - 1) * WORD_MS


def _speak(state: State, seat: int, action: Emote, _out: Out) -> None:
    log = state.logs[seat]
    log.words += 1
    log.word_at = max(log.word_at, state.at) + WORD_MS
    state.change_player(seat, said=Said(action.what, state.at))


def _may_restart(state: State, _seat: int, _action: Restart) -> bool:
    outcome = None if state.position is None else state.position.outcome
    return state.position is not None and (outcome is None or outcome.reason != "abandoned")


def _may_abandon(state: State, _seat: int, _action: Abandon) -> bool:
    """A daily waits for its player as long as it is kept."""
    return state.running and getattr(state.table.terms, "daily", None) is None


def _abandon(state: State, _seat: int, _action: Abandon, out: Out) -> None:
    if state.position is not None:
        state.take(engine.give_up(state.rules, state.position, state.at), out)
        games.after_step(state)


def _restart(state: State, _seat: int, _action: Restart, out: Out) -> None:
    tally = None if state.position is None else state.position.tally
    if tally is not None and tally.moves:  # an attempt without a move was none
        state.earned += tally.score
    state.change_table(restarts=state.table.restarts + 1, notice=None, proof=None)
    games.deal_solo(state, out)


def _player(state: State, seat: int, what: str) -> bool:
    return bool(getattr(state.table.players[seat], what, False))


_FITS: dict[type, Callable[[State, int, Any], bool]] = {
    Ready: _may_ready,
    Unready: _before_a_game,
    Propose: _may_propose,
    WaitOn: _may_wait,
    AgreeEnd: _may_agree,
    Rematch: _may_rematch,
    Emote: _may_speak,
    Restart: _may_restart,
    Abandon: _may_abandon,
}
_TOO_SOON: dict[type, Callable[[State, int, Any, int], bool]] = {
    AgreeEnd: _offers_too_soon,
    Emote: _speaks_too_soon,
}
_PERFORM: dict[type, Callable[[State, int, Any, Out], None]] = {
    Ready: _ready,
    Unready: _unready,
    Propose: _propose,
    WaitOn: _wait,
    AgreeEnd: _agree,
    Rematch: _rematch,
    Emote: _speak,
    Restart: _restart,
    Abandon: _abandon,
}
