"""``evolve``: the only function that changes a position. It knows no rule; it works on positions and on views alike."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

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
    return replace(position, undo_depth=0, redo_depth=0, past=(), future=())


def _put(p: Position, index: int, seat: Seat) -> Position:
    seats = p.seats
    return replace(p, seats=(seat,) if len(seats) == 1 else (seat, seats[1]) if index == 0 else (seats[0], seat))


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
    p = _put(p, event.seat, replace(seat, columns=columns, waste=waste))
    return p if foundations is p.foundations else replace(p, foundations=foundations, last_up=last_up)


def _turned(p: Position, event: Turned) -> Position:
    seat, i = p.seats[event.seat], event.column
    columns, down = seat.columns, seat.down
    columns = (*columns[:i], (*columns[i][:-1], event.card), *columns[i + 1 :])
    return _put(p, event.seat, replace(seat, columns=columns, down=(*down[:i], down[i] - 1, *down[i + 1 :])))


def _drawn(p: Position, event: Drawn) -> Position:
    seat = p.seats[event.seat]
    return _put(p, event.seat, replace(seat, stock=seat.stock[len(event.cards) :], waste=seat.waste + event.cards))


def _recycled(p: Position, event: Recycled) -> Position:
    seat = p.seats[event.seat]
    return _put(p, event.seat, replace(seat, stock=event.cards, waste=(), pass_number=seat.pass_number + 1))


def _declared(p: Position, event: Declared) -> Position:
    return _put(p, event.seat, replace(p.seats[event.seat], declared=event.on))


def _stuck(p: Position, event: Stuck) -> Position:
    return _put(p, event.seat, replace(p.seats[event.seat], stuck=event.on))


def _struck(p: Position, event: Struck) -> Position:
    seat = p.seats[event.seat]
    return _put(p, event.seat, replace(seat, strikes=event.strikes, wait_until=event.wait_until))


def _turn_is(p: Position, event: TurnIs) -> Position:
    return replace(p, turn=event.turn)


def _tallied(p: Position, event: Tallied) -> Position:
    past, future = p.past, p.future
    if event.keeps:
        past, future = (*past, bare(p))[-event.undo_depth :], ()
    return replace(
        p, tally=event.tally, undo_depth=event.undo_depth, redo_depth=event.redo_depth, past=past, future=future
    )


def _restored(p: Position, event: Restored) -> Position:
    if event.step == 0:
        return event.position
    if event.step < 0:
        return replace(event.position, past=p.past[:-1], future=(*p.future, bare(p)))
    return replace(event.position, past=(*p.past, bare(p)), future=p.future[:-1])


def _ended(p: Position, event: Ended) -> Position:
    return replace(p, outcome=event.outcome)


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
