"""The plays of a game: the law at the moment of the fold, and ``overtaken`` told from illegal."""

from typing import Final

from server.match import games
from server.match.state import Out, State
from shared import engine
from shared.moves import Command, Move, Refusal, Undo
from shared.overtaken import Played, overtaken
from shared.table import Race

#: Races of one game that are kept, the last ones.
MAX_RACES: Final = 50
NOT_STARTED: Final = Refusal("not_started")
GAME_OVER: Final = Refusal("game_over")


def refuse(state: State, seat: int, command: Command, seen: int, at: int) -> Refusal | None:
    """Return why ``command`` is refused as the match stands at play time ``at``, or ``None``."""
    if state.position is None or not (state.solo or state.table.phase == "playing"):
        return GAME_OVER if state.table.phase == "over" else NOT_STARTED
    refusal = engine.refuse(state.rules, state.position, seat, command, at)
    return refusal and (_overtaken(state, seat, command, seen, at) or refusal)


def play(state: State, seat: int, command: Command, seen: int, out: Out) -> None:
    """Fold ``command`` of ``seat``."""
    if state.position is None or not (state.solo or state.table.phase == "playing"):
        out.refusal = GAME_OVER if state.table.phase == "over" else NOT_STARTED
        return
    step = engine.apply(state.rules, state.position, seat, command, state.at)
    refusal = step.refusal if isinstance(step, engine.Step) else step
    if refusal is not None and (late := _overtaken(state, seat, command, seen, state.at)) is not None:
        out.refusal = late
        _note_race(state, seat, late, out)
        return
    out.refusal = refusal
    if isinstance(step, engine.Step):
        state.take(step, out)
        if state.table.notice == games.CANNOT_BE_WON:
            state.change_table(notice=None, proof=None)
        if isinstance(command, Undo):
            state.told_lost = False
        games.after_step(state)


def _note_race(state: State, seat: int, late: Refusal, out: Out) -> None:
    """Tell of a play that came too late for its place, once for each play that was first."""
    if late.by is None or late.by_ms is None or late.card is None or any(race.by == late.by for race in state.races):
        return
    out.race = Race(state.no, late.by, late.by_ms, 1 - seat, late.card)
    state.races = (*state.races, out.race)[-MAX_RACES:]


def _overtaken(state: State, seat: int, command: Command, seen: int, at: int) -> Refusal | None:
    """Return the refusal of a play that was legal where it was made and that the rival spoiled; else ``None``."""
    then = state.held(seen)
    if not isinstance(command, Move) or state.position is None or then is None or then.position is None:
        return None
    later = [state.recent[i] for i in range(then.no - state.recent[0].no + 1, len(state.recent))]
    since = [
        Played(held.no, held.seat, held.command, held.at)
        for held in later
        if held.seat is not None and held.command is not None
    ]
    return overtaken(state.rules, then.position, state.position, since, seat, command, at)
