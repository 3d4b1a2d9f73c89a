"""``evolve``: the only function that changes a position. It knows no rule; it works on positions and on views alike."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from shared.moves import (
    Declared,
    Drawn,
    Ended,
    Event,
    Moved,
    Recycled,
    Refusal,
    Restored,
    Struck,
    Stuck,
    Tallied,
    Turned,
    TurnIs,
)
from shared.position import Position, Seat


class Step(Struct, frozen=True):
    """What a command did: the position after it and the events that led there.

    ``refusal``: the command was refused, yet is a fact that counts (illegal-move penalty); else ``None``.
    """

    position: Position
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


def evolve(position: Position, event: Event) -> Position:
    """Return ``position`` after ``event``."""
    return _EVOLVE[type(event)](position, event)


def step(position: Position, events: Iterable[Event]) -> Step:
    """Return the step that ``events`` make from ``position``."""
    done = tuple(events)
    for event in done:
        position = _EVOLVE[type(event)](position, event)
    return Step(position, done)


def bare(position: Position) -> Position:
    """Return ``position`` without its earlier and later ones."""
    p = position
    return Position(p.seats, p.foundations, p.turn, p.last_up, p.ends_at, p.tally, p.outcome)


def _with_seat(
    p: Position, index: int, seat: Seat, foundations: tuple[tuple[int, ...], ...], last_up: int | None
) -> Position:
    seats = p.seats
    new = (seat,) if len(seats) == 1 else (seat, seats[1]) if index == 0 else (seats[0], seat)
    return Position(
        new, foundations, p.turn, last_up, p.ends_at, p.tally, p.outcome, p.undo_depth, p.redo_depth, p.past, p.future
    )


def _moved(p: Position, event: Moved) -> Position:
    seat = p.seats[event.seat]
    source, target, cards = event.source, event.target, event.cards
    columns, waste, foundations, last_up = seat.columns, seat.waste, p.foundations, p.last_up
    if source == "w":
        waste = waste[: -len(cards)]
    elif source[0] == "t":
        i = int(source[1])
        columns = (*columns[:i], columns[i][: -len(cards)], *columns[i + 1 :])
    else:
        i = int(source[1])
        foundations = (*foundations[:i], foundations[i][: -len(cards)], *foundations[i + 1 :])
    i = int(target[1])
    if target[0] == "t":
        columns = (*columns[:i], columns[i] + cards, *columns[i + 1 :])
    else:
        foundations = (*foundations[:i], foundations[i] + cards, *foundations[i + 1 :])
        last_up = event.seat
    s = seat
    new = Seat(columns, s.down, s.stock, waste, s.pass_number, s.declared, s.stuck, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, foundations, last_up)


def _turned(p: Position, event: Turned) -> Position:
    s = p.seats[event.seat]
    i = event.column
    columns, down = s.columns, s.down
    columns = (*columns[:i], (*columns[i][:-1], event.card), *columns[i + 1 :])
    down = (*down[:i], down[i] - 1, *down[i + 1 :])
    new = Seat(columns, down, s.stock, s.waste, s.pass_number, s.declared, s.stuck, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _drawn(p: Position, event: Drawn) -> Position:
    s = p.seats[event.seat]
    stock, waste = s.stock[len(event.cards) :], s.waste + event.cards
    new = Seat(s.columns, s.down, stock, waste, s.pass_number, s.declared, s.stuck, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _recycled(p: Position, event: Recycled) -> Position:
    s = p.seats[event.seat]
    new = Seat(s.columns, s.down, event.cards, (), s.pass_number + 1, s.declared, s.stuck, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _declared(p: Position, event: Declared) -> Position:
    s = p.seats[event.seat]
    new = Seat(s.columns, s.down, s.stock, s.waste, s.pass_number, event.on, s.stuck, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _stuck(p: Position, event: Stuck) -> Position:
    s = p.seats[event.seat]
    new = Seat(s.columns, s.down, s.stock, s.waste, s.pass_number, s.declared, event.on, s.strikes, s.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _struck(p: Position, event: Struck) -> Position:
    s = p.seats[event.seat]
    new = Seat(s.columns, s.down, s.stock, s.waste, s.pass_number, s.declared, s.stuck, event.strikes, event.wait_until)
    return _with_seat(p, event.seat, new, p.foundations, p.last_up)


def _turn_is(p: Position, event: TurnIs) -> Position:
    return Position(
        p.seats, p.foundations, event.turn, p.last_up, p.ends_at, p.tally,
        p.outcome, p.undo_depth, p.redo_depth, p.past, p.future,
    )  # fmt: skip


def _tallied(p: Position, event: Tallied) -> Position:
    past, future = p.past, p.future
    if event.keeps:
        past, future = (*past, bare(p))[-event.undo_depth :], ()
    return Position(
        p.seats, p.foundations, p.turn, p.last_up, p.ends_at, event.tally,
        p.outcome, event.undo_depth, event.redo_depth, past, future,
    )  # fmt: skip


def _restored(p: Position, event: Restored) -> Position:
    q = event.position
    if event.step == 0:
        return q
    if event.step < 0:
        past, future = p.past[:-1], (*p.future, bare(p))
    else:
        past, future = (*p.past, bare(p)), p.future[:-1]
    return Position(
        q.seats, q.foundations, q.turn, q.last_up, q.ends_at, q.tally,
        q.outcome, q.undo_depth, q.redo_depth, past, future,
    )  # fmt: skip


def _ended(p: Position, event: Ended) -> Position:
    return Position(
        p.seats, p.foundations, p.turn, p.last_up, p.ends_at, p.tally,
        event.outcome, p.undo_depth, p.redo_depth, p.past, p.future,
    )  # fmt: skip


_EVOLVE: dict[type, Callable[[Position, Any], Position]] = {
    Moved: _moved,
    Turned: _turned,
    Drawn: _drawn,
    Recycled: _recycled,
    TurnIs: _turn_is,
    Declared: _declared,
    Stuck: _stuck,
    Struck: _struck,
    Tallied: _tallied,
    Restored: _restored,
    Ended: _ended,
}
