"""How a solo game goes: score, clock, undo, hints, Finish and the win (docs/rules.md, Klondike and Two-deck)."""

from typing import Final

from msgspec.structs import replace

from shared.cards import RANK, SUIT
from shared.evolve import Step, step
from shared.law import play
from shared.moves import (
    Code,
    Command,
    Draw,
    Ended,
    Event,
    Finish,
    Move,
    Moved,
    Pause,
    Recycle,
    Recycled,
    Redo,
    Refusal,
    Restored,
    Tallied,
    Turned,
    Undo,
    Unpause,
    UseHint,
)
from shared.position import Outcome, Position, Tally
from shared.ruleset import Ruleset
from shared.scoring import Scoring, played_ms, win_bonus

PAUSED: Final = Refusal("paused")

_NO_SCORE: Final = Scoring(floored=False)


def tally_of(position: Position) -> Tally:
    """Return the tally of a solo game's position.

    Raises:
        ValueError: it is not a solo game's.
    """
    if position.tally is None:
        raise ValueError("position: expected a solo game's, it has no tally")
    return position.tally


def may_play(rules: Ruleset, position: Position, seat: int, at: int) -> Refusal | None:  # noqa: ARG001 (one shape for all)
    """Return why no card may be played now: a paused game shows none."""
    return PAUSED if tally_of(position).paused else None


def refuse_other(
    rules: Ruleset,
    position: Position,
    seat: int,  # noqa: ARG001 (one shape for all)
    command: Command,
    at: int,  # noqa: ARG001 (one shape for all)
) -> Refusal | None:
    """Return why a command that moves no card is refused, or ``None``."""
    code = _refuse(rules, position, command)
    return None if code is None else Refusal(code)


def _refuse(rules: Ruleset, position: Position, command: Command) -> Code | None:
    paused = tally_of(position).paused
    if isinstance(command, Unpause):
        return None if paused else "not_paused"
    if paused:
        return "paused"
    if isinstance(command, Pause):
        return None
    if isinstance(command, Undo):
        return _refuse_undo(rules, position)
    if isinstance(command, Redo):
        return None if position.redo_depth else "no_undo" if rules.undo_limit == 0 else "nothing_to_redo"
    if isinstance(command, UseHint):
        return _refuse_hint(rules, position)
    if isinstance(command, Finish):
        return None if can_finish(rules, position) else "not_finishable" if rules.finish else "not_in_this_game"
    return "not_in_this_game"


def _refuse_undo(rules: Ruleset, position: Position) -> Code | None:
    if position.undo_depth:
        return None
    if rules.undo_limit == 0:
        return "no_undo"
    return "undo_limit" if tally_of(position).actions else "nothing_to_undo"


def _refuse_hint(rules: Ruleset, position: Position) -> Code | None:
    if rules.hints is None or tally_of(position).hints < rules.hints:
        return None
    return "no_hints_left" if rules.hints else "no_hints"


def commands(rules: Ruleset, position: Position, seat: int) -> list[str]:  # noqa: ARG001 (one shape for all)
    """Return the tags of the commands beyond move, draw and recycle that would be accepted."""
    tally = tally_of(position)
    if tally.paused:
        return ["unpause"]
    names = ["pause"]
    if position.undo_depth:
        names.append("undo")
    if position.redo_depth:
        names.append("redo")
    if rules.hints is None or tally.hints < rules.hints:
        names.append("hint")
    if can_finish(rules, position):
        names.append("finish")
    return names


def can_finish(rules: Ruleset, position: Position) -> bool:
    """Return whether Finish is offered: stock and waste empty, every card face up, and foundation plays alone win."""
    mine = position.seats[0]
    if not rules.finish or mine.stock or mine.waste or any(mine.down):
        return False
    left = sum(map(len, mine.columns))
    return 0 < left == len(finishing_plays(position))


def finishing_plays(position: Position) -> list[Moved]:
    """Return the foundation plays from column ends that can follow one another, until no more can (one foundation a
    suit).
    """
    columns = [list(column) for column in position.seats[0].columns]
    heights = [len(pile) for pile in position.foundations]
    plays: list[Moved] = []
    going = True
    while going:
        going = False
        for i, column in enumerate(columns):
            while column and heights[SUIT[column[-1]]] == RANK[column[-1]] - 1:
                card = column.pop()
                heights[SUIT[card]] += 1
                plays.append(Moved((card,), f"t{i}", f"f{SUIT[card]}"))
                going = True
    return plays


def perform(rules: Ruleset, position: Position, seat: int, command: Command, at: int) -> Step:
    """Return what a command that is not refused does."""
    if isinstance(command, Move | Draw | Recycle):
        return _act(rules, position, play(rules, position, seat, command), at)
    if isinstance(command, Finish):
        return _act(rules, position, list(finishing_plays(position)), at)
    if isinstance(command, Undo | Redo):
        return step(position, [_restore(position, -1 if isinstance(command, Undo) else 1)])
    return step(position, [_counted(position, command, at)])


def _act(rules: Ruleset, position: Position, plays: list[Event], at: int) -> Step:
    """Return the step that ``plays``, one action, make: the tally first, for it keeps the position as it was for
    undo.
    """
    old = tally_of(position)
    played = sum(isinstance(event, Moved) for event in plays)
    up = sum(map(len, position.foundations)) + _raised(plays)
    won = up == rules.decks * 52
    score, recycles, worry_backs = scored(rules.scoring or _NO_SCORE, old, plays)
    tally = replace(
        old,
        score=score,
        moves=old.moves + (played or 1),
        recycles=recycles,
        worry_backs=worry_backs,
        running_since=old.running_since if old.moves else at,
        actions=old.actions + 1,
    )
    if won:
        tally = _stopped(rules, tally, at)
    limit = rules.undo_limit
    depth = position.undo_depth + 1 if limit is None else min(position.undo_depth + 1, limit)
    events: list[Event] = [Tallied(tally, depth, 0, keeps=True), *plays]
    if won:
        events.append(Ended(Outcome("won", 0, (up,))))
    return step(position, events)


def _raised(plays: list[Event]) -> int:
    """Return by how many cards ``plays`` raise the foundations."""
    raised = 0
    for event in plays:
        if isinstance(event, Moved):
            raised += (event.target[0] == "f") - (event.source[0] == "f")
    return raised


def _stopped(rules: Ruleset, tally: Tally, at: int) -> Tally:
    """Return the tally of a win: the clock stands, the bonus is paid."""
    played = played_ms(tally, at)
    bonus = win_bonus(played // 1000) if rules.scoring is not None and rules.scoring.bonus else 0
    return replace(tally, bonus=bonus, played_ms=played, running_since=None)


def scored(scoring: Scoring, tally: Tally, plays: list[Event]) -> tuple[int, int, int]:
    """Return score, recycles and worry backs after ``plays``, one action of a game that counted ``tally``."""
    score, recycles, worry_backs = tally.score, tally.recycles, tally.worry_backs
    for event in plays:
        if isinstance(event, Moved):
            if event.target[0] == "f":
                score += scoring.to_foundation
            elif event.source == "w":
                score += scoring.waste_to_column
            elif event.source[0] == "f":
                worry_backs += 1
                score += scoring.worry_back
        elif isinstance(event, Turned):
            score += scoring.turned
        elif isinstance(event, Recycled):
            recycles += 1
            if recycles > scoring.free_recycles:
                score += scoring.recycle
    return max(score, 0) if scoring.floored else score, recycles, worry_backs


def _restore(position: Position, direction: int) -> Restored:
    """Return the undo (-1) or redo (1): cards, score and passes as stored; moves, undos, hints and the clock go on."""
    other = position.past[-1] if direction < 0 else position.future[-1]
    now, then = tally_of(position), tally_of(other)
    tally = replace(
        now,
        score=then.score,
        recycles=then.recycles,
        worry_backs=then.worry_backs,
        actions=then.actions,
        undos=now.undos + (direction < 0),
    )
    undo_depth, redo_depth = position.undo_depth + direction, position.redo_depth - direction
    return Restored(replace(other, tally=tally, undo_depth=undo_depth, redo_depth=redo_depth), direction)


def stopped(position: Position, at: int) -> Tallied:
    """Return the tally of a game that ends without a win: its clock stands."""
    tally = tally_of(position)
    tally = replace(tally, played_ms=played_ms(tally, at), running_since=None, paused=False)
    return Tallied(tally, position.undo_depth, position.redo_depth)


def _counted(position: Position, command: Command, at: int) -> Tallied:
    """Return the tally after a pause, its end, or a hint."""
    tally = tally_of(position)
    if isinstance(command, Pause):
        tally = replace(tally, played_ms=played_ms(tally, at), running_since=None, paused=True)
    elif isinstance(command, Unpause):
        tally = replace(tally, running_since=at if tally.moves else None, paused=False)
    else:
        tally = replace(tally, hints=tally.hints + 1)
    return Tallied(tally, position.undo_depth, position.redo_depth)
