"""``apply``: the only reducer. A game is a pure function from a position and a command to events and the position
after them.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from shared import contest, solo
from shared.evolve import Step, evolve, step
from shared.law import refuse_draw, refuse_move, refuse_recycle
from shared.moves import Command, Draw, Ended, Event, Move, Recycle, Refusal
from shared.position import Outcome, Position, Reason, Seat, Tally, Turn, Why
from shared.ruleset import Ruleset
from shared.scoring import deck_counts
from shared.targets import legal

__all__ = [
    "Deadline",
    "Step",
    "apply",
    "deadline",
    "end",
    "evolve",
    "expire",
    "give_up",
    "legal",
    "low_card_first",
    "prove_stuck",
    "refuse",
    "replay",
    "start",
]

GAME_OVER: Final = Refusal("game_over")

Deck = tuple[int, ...]


class Deadline(Struct, frozen=True):
    """The next moment (play time, ms) at which a clock of the game runs out."""

    at: int
    kind: Literal["turn", "game"]


def start(rules: Ruleset, decks: tuple[Deck, ...], *, at: int = 0, first: int | None = None) -> Position:
    """Return the position after the deal at play time ``at``.

    ``decks``: the cards in deal order, one deck a seat (two-deck: one of 104), seat 1's being 52..103. ``first``: the
    seat that begins (alternating).

    Raises:
        ValueError: the decks are not those of the game, or an alternating game names no first seat.
    """
    if len(decks) != rules.seats:
        raise ValueError(f"decks: expected {rules.seats}, one a seat, got {len(decks)}")
    for seat, deck in enumerate(decks):
        low = seat * 52
        if sorted(deck) != list(range(low, low + rules.decks * 52)):
            raise ValueError(
                f"decks[{seat}]: expected each card {low}..{low + rules.decks * 52 - 1} once, got {deck!r}"
            )
    turn = None
    if rules.tempo == "alternating":
        if first not in {0, 1}:
            raise ValueError(f"first: expected seat 0 or 1 in an alternating game, got {first!r}")
        turn = Turn(first, ends_at=None if rules.turn_ms is None else at + rules.turn_ms)
    return Position(
        seats=tuple(_deal(rules, deck) for deck in decks),
        foundations=((),) * rules.foundations,
        turn=turn,
        ends_at=None if rules.game_ms is None else at + rules.game_ms,
        tally=Tally(score=rules.scoring.start if rules.scoring else 0) if rules.tempo == "solo" else None,
    )


def _deal(rules: Ruleset, deck: Deck) -> Seat:
    """Return one seat's table: row by row, a row one column shorter than the last; the rest is the stock."""
    columns: list[list[int]] = [[] for _ in range(rules.columns)]
    cards = iter(deck)
    for row in range(rules.columns):
        for column in columns[row:]:
            column.append(next(cards))
    down = (0,) * rules.columns if rules.open_deal else tuple(range(rules.columns))
    return Seat(tuple(map(tuple, columns)), down, tuple(cards))


def refuse(rules: Ruleset, position: Position, seat: int, command: Command, at: int) -> Refusal | None:
    """Return why ``command`` of ``seat`` is refused at play time ``at``, or ``None`` if it is not.

    It is a function of what the seat can see: its view gives the same answer.
    """
    if position.outcome is not None:
        return GAME_OVER
    if isinstance(command, Move):
        return rules.may_play(rules, position, seat, at) or refuse_move(rules, position, seat, command)
    if isinstance(command, Draw):
        return rules.may_play(rules, position, seat, at) or refuse_draw(position, seat)
    if isinstance(command, Recycle):
        return rules.may_play(rules, position, seat, at) or refuse_recycle(rules, position, seat)
    return rules.refuse_other(rules, position, seat, command, at)


def apply(rules: Ruleset, position: Position, seat: int, command: Command, at: int) -> Step | Refusal:
    """Return what ``command`` of ``seat`` does at play time ``at`` (ms), or why it is refused.

    Under the illegal-move penalty an illegal move is a fact that counts: a ``Step`` with its ``refusal`` set and no
    card moved. A caller who finds the move overtaken drops that step.
    """
    refusal = refuse(rules, position, seat, command, at)
    if refusal is None:
        return rules.perform(rules, position, seat, command, at)
    if rules.penalty and isinstance(command, Move) and refusal.code not in {"game_over", "waiting"}:
        return contest.strike(position, seat, refusal, at)
    return refusal


def replay(position: Position, events: Iterable[Event]) -> Position:
    """Return ``position`` after ``events``."""
    return step(position, events).position


def deadline(rules: Ruleset, position: Position) -> Deadline | None:  # noqa: ARG001 (the rules may come to matter)
    """Return when the next clock of the game runs out, or ``None`` if none runs."""
    if position.outcome is not None:
        return None
    if position.turn is not None and position.turn.ends_at is not None:
        return Deadline(position.turn.ends_at, "turn")
    return None if position.ends_at is None else Deadline(position.ends_at, "game")


def expire(rules: Ruleset, position: Position, due: Deadline, at: int | None = None) -> Step:
    """Return what happens as ``due`` passes: a pass by the clock, or the end by time. A deadline that stands no more
    changes nothing.

    A turn clock born here counts from ``at``, when the deadline was seen to have passed (default: its own moment).
    """
    if due != deadline(rules, position):
        return Step(position)
    if due.kind == "turn":
        return contest.pass_turn(rules, position, due.at if at is None else at)
    return end(rules, position, "time")


def end(rules: Ruleset, position: Position, reason: Reason, winner: int | None = None, why: Why | None = None) -> Step:
    """Return the end of the game for a reason that comes from the table (agreed, left, void …).

    ``winner``: who wins by that reason (resigned, left); else a duel goes by the count. ``why``: it is void. An ended
    game stays as it ended.
    """
    if position.outcome is not None:
        return Step(position)
    if rules.tempo == "solo":
        return step(position, [Ended(Outcome(reason, winner, deck_counts(position)))])
    return step(position, [contest.ended(position, reason, winner, why)])


def give_up(rules: Ruleset, position: Position, at: int) -> Step:
    """Return the end of a solo game that its player gives up: its clock stands. An ended game stays as it ended."""
    if position.outcome is not None:
        return Step(position)
    stopped = solo.stopped(position, at)
    return step(position, [stopped, *end(rules, position, "abandoned").events])


def prove_stuck(rules: Ruleset, position: Position, seat: int) -> Step:
    """Return the step that records that ``seat`` is proven stuck (duel); the game ends when both are."""
    return contest.prove_stuck(rules, position, seat)


def low_card_first(rules: Ruleset, decks: Sequence[Deck]) -> int | None:
    """Return the seat that ``first = low_card`` lets begin, or ``None`` if every pair of face-up cards is equal in
    rank.
    """
    one, two = (_deal(rules, deck).columns for deck in decks)
    for mine, other in zip(one, two, strict=True):
        if mine[-1] % 13 != other[-1] % 13:
            return int(other[-1] % 13 < mine[-1] % 13)
    return None
