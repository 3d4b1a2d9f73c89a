"""How a duel goes: turns, declarations, the illegal-move penalty and the ends of a game (docs/rules.md, Duel)."""

from typing import Final

from shared.evolve import Step, evolve, step
from shared.law import play
from shared.moves import (
    Command,
    Declare,
    Declared,
    Draw,
    Ended,
    Event,
    Move,
    Pass,
    Recycle,
    Redo,
    Refusal,
    Resign,
    Struck,
    Stuck,
    TurnIs,
    Undo,
    UseHint,
)
from shared.position import Outcome, Position, Reason, Seat, Turn, Why
from shared.ruleset import Ruleset
from shared.scoring import deck_counts

NOT_YOUR_TURN: Final = Refusal("not_your_turn")
WAITING: Final = Refusal("waiting")

#: Turns in a row without a foundation play that end an alternating game.
BARREN_TURNS: Final = 100
#: The illegal-move penalty: so many illegal moves within the window (ms) cost a wait (ms).
STRIKES: Final = 3
STRIKE_WINDOW_MS: Final = 10_000
STRIKE_WAIT_MS: Final = 3_000
#: Refusals that tell of a play done already (a doubled one), not of an illegal move.
_NO_STRIKE: Final = ("same_pile", "from_foundation")


def may_play(rules: Ruleset, position: Position, seat: int, at: int) -> Refusal | None:  # noqa: ARG001 (one shape for all)
    """Return why ``seat`` may play nothing now: not its turn, or it waits out the penalty."""
    turn = position.turn
    if turn is not None and turn.seat != seat:
        return NOT_YOUR_TURN
    return WAITING if at < position.seats[seat].wait_until else None


def refuse_other(rules: Ruleset, position: Position, seat: int, command: Command, at: int) -> Refusal | None:
    """Return why a command that moves no card is refused, or ``None``."""
    if isinstance(command, Resign):
        return None
    if isinstance(command, Pass) and rules.tempo == "alternating":
        return None if position.turn is not None and position.turn.seat == seat else NOT_YOUR_TURN
    if isinstance(command, Declare) and rules.tempo == "simultaneous":
        declared = Refusal("already_declared") if gives_up(rules, position.seats[seat]) else None
        return may_play(rules, position, seat, at) or declared
    if isinstance(command, Undo | Redo):
        return Refusal("no_undo")
    return Refusal("no_hints" if isinstance(command, UseHint) else "not_in_this_game")


def commands(rules: Ruleset, position: Position, seat: int) -> list[str]:
    """Return the tags of the commands beyond move, draw and recycle that would be accepted."""
    names = ["resign"]
    if position.turn is not None:
        if position.turn.seat == seat:
            names.append("pass")
    elif not gives_up(rules, position.seats[seat]):
        names.append("declare")
    return names


def is_out(seat: Seat) -> bool:
    """Return whether all 52 cards of ``seat`` are on foundations."""
    return not seat.stock and not seat.waste and not any(seat.columns)


def gives_up(rules: Ruleset, seat: Seat) -> bool:
    """Return whether ``seat`` counts as declared: it said so, or it is out while the game plays on."""
    return seat.declared or (rules.play_on and is_out(seat))


def perform(rules: Ruleset, position: Position, seat: int, command: Command, at: int) -> Step:
    """Return what a command that is not refused does."""
    if isinstance(command, Move | Draw | Recycle):
        return _act(rules, position, seat, command, at)
    if isinstance(command, Pass):
        return pass_turn(rules, position, at)
    if isinstance(command, Declare):
        events: list[Event] = [Declared(True, seat)]
        if gives_up(rules, position.seats[1 - seat]):
            events.append(ended(position, "both_declared"))
        return step(position, events)
    return step(position, [ended(position, "resigned", 1 - seat)])


def _act(rules: Ruleset, position: Position, seat: int, command: Move | Draw | Recycle, at: int) -> Step:
    events = play(rules, position, seat, command)
    played_up = isinstance(command, Move) and command.to == "f"
    events += _lapses(position, seat, played_up=played_up)
    after = position
    for event in events:
        after = evolve(after, event)
    more = _end_of_play(rules, after, seat) if played_up else []
    if not more and position.turn is not None:
        more = _turn_after(rules, after, position.turn, command, at)
    for event in more:
        after = evolve(after, event)
    return Step(after, (*events, *more))


def _lapses(position: Position, seat: int, *, played_up: bool) -> list[Event]:
    """Return the declarations and proofs that an accepted action of ``seat`` ends."""
    events: list[Event] = []
    for i, owner in enumerate(position.seats):
        if owner.declared and (i == seat or played_up):
            events.append(Declared(False, i))
        if owner.stuck and played_up:
            events.append(Stuck(False, i))
    return events


def _end_of_play(rules: Ruleset, after: Position, seat: int) -> list[Event]:
    """Return the end that a foundation play of ``seat`` brought, if any. Clear bonus goes before out."""
    mine = after.seats[seat]
    if any(mine.columns):
        return []
    if rules.clear_bonus:
        return [ended(after, "cleared", seat)]
    if not is_out(mine):
        return []
    if is_out(after.seats[1 - seat]):
        return [ended(after, "complete")]
    return [] if rules.play_on else [ended(after, "out")]


def _turn_after(rules: Ruleset, after: Position, turn: Turn, command: Move | Draw | Recycle, at: int) -> list[Event]:
    """Return how the turn stands after an action: a draw ends it, and so does being out."""
    played_up = turn.played_up or (isinstance(command, Move) and command.to == "f")
    if isinstance(command, Draw) or (played_up and is_out(after.seats[turn.seat])):
        return _next_turn(rules, after, turn, at, acted=True, played_up=played_up)
    if turn.acted and turn.played_up == played_up:
        return []
    return [TurnIs(Turn(turn.seat, turn.number, True, played_up, turn.passes, turn.barren, turn.ends_at))]


def pass_turn(rules: Ruleset, position: Position, at: int) -> Step:
    """Return the end of the turn by the pass command or by the clock.

    Raises:
        ValueError: the game has no turns.
    """
    turn = position.turn
    if turn is None:
        raise ValueError("position: expected a game in turns")
    return step(position, _next_turn(rules, position, turn, at, acted=turn.acted, played_up=turn.played_up))


def _next_turn(rules: Ruleset, position: Position, turn: Turn, at: int, *, acted: bool, played_up: bool) -> list[Event]:
    """Return the turn after ``turn``, or the end of the game. A seat that is out is skipped and counts as passing."""
    other = 1 - turn.seat
    alone = is_out(position.seats[other])
    passes = 0 if acted else turn.passes + 1
    barren = 0 if played_up else turn.barren + 1
    if passes == 2 or (passes and alone):
        return [ended(position, "both_passed")]
    if barren >= BARREN_TURNS:
        return [ended(position, "no_progress")]
    ends_at = None if rules.turn_ms is None else at + rules.turn_ms
    seat = turn.seat if alone else other
    return [TurnIs(Turn(seat, turn.number + 1, False, False, passes, barren, ends_at))]


def prove_stuck(rules: Ruleset, position: Position, seat: int) -> Step:
    """Return the step that records a finished stuck search's verdict; the game ends when both seats are stuck."""
    if position.outcome is not None:
        return Step(position)
    events: list[Event] = [] if position.seats[seat].stuck else [Stuck(True, seat)]
    other = position.seats[1 - seat]
    if other.stuck or (rules.play_on and is_out(other)):
        events.append(ended(position, "both_stuck"))
    return step(position, events)


def strike(position: Position, seat: int, refusal: Refusal, at: int) -> Step | Refusal:
    """Return how an illegal move counts under the penalty: the third within the window brings the wait."""
    if refusal.code in _NO_STRIKE:
        return refusal
    recent = [when for when in position.seats[seat].strikes if at - when <= STRIKE_WINDOW_MS]
    event = Struck((*recent, at), 0, seat) if len(recent) + 1 < STRIKES else Struck((), at + STRIKE_WAIT_MS, seat)
    return Step(evolve(position, event), (event,), refusal)


def ended(position: Position, reason: Reason, winner: int | None = None, why: Why | None = None) -> Ended:
    """Return the end of a duel for ``reason``, its winner by the count unless one is named.

    More cards of the own deck win; equal: the seat of the last foundation play. No card played and nobody resigned or
    left: void. ``why``: of one that is void.
    """
    counts = deck_counts(position)
    if reason == "void" or (not any(counts) and reason not in {"resigned", "left"}):
        return Ended(Outcome("void", None, counts, why or (None if any(counts) else "no_card")))
    if winner is None:
        winner = position.last_up if counts[0] == counts[1] else int(counts[1] > counts[0])
    return Ended(Outcome(reason, winner, counts))
