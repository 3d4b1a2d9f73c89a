"""``view`` and ``redact``: the only place that hides cards (docs/rules.md, Fair deals)."""

from typing import Final

from shared.cards import HIDDEN
from shared.moves import (
    Declared,
    Drawn,
    Ended,
    Event,
    Moved,
    Recycled,
    Restored,
    Struck,
    Tallied,
    Turned,
    TurnIs,
)
from shared.position import Position, Seat
from shared.ruleset import Ruleset

#: Events that everybody sees as they are.
_OPEN: Final = frozenset({Moved, Turned, Drawn, TurnIs, Declared, Ended})


def view(rules: Ruleset, position: Position, viewer: int | None) -> Position:
    """Return what ``viewer`` (a seat; ``None`` = a spectator) may see of ``position``.

    Face-down cards and stocks are ``HIDDEN``, after the end too, unless the deal is open. Proofs of being stuck, the
    other seat's strikes and earlier positions are left out.
    """
    p = position
    seats = tuple(_seen(rules, seat, own=i == viewer) for i, seat in enumerate(p.seats))
    return Position(seats, p.foundations, p.turn, p.last_up, p.ends_at, p.tally, p.outcome, p.undo_depth, p.redo_depth)


def _seen(rules: Ruleset, seat: Seat, *, own: bool) -> Seat:
    s = seat
    columns, stock = s.columns, s.stock
    if not rules.open_deal:
        columns = tuple(
            [(HIDDEN,) * down + column[down:] if down else column for column, down in zip(columns, s.down, strict=True)]
        )
        stock = (HIDDEN,) * len(stock)
    strikes, wait_until = (s.strikes, s.wait_until) if own else ((), 0)
    return Seat(columns, s.down, stock, s.waste, s.pass_number, s.declared, False, strikes, wait_until)


def redact(rules: Ruleset, event: Event, viewer: int | None) -> Event | None:
    """Return ``event`` as ``viewer`` may know it, ``None`` if not at all; ``evolve`` takes his view on by it."""
    if type(event) in _OPEN:
        return event
    if isinstance(event, Recycled):
        return event if rules.open_deal else Recycled((HIDDEN,) * len(event.cards), event.seat)
    if isinstance(event, Tallied):
        return Tallied(event.tally, event.undo_depth, event.redo_depth) if event.keeps else event
    if isinstance(event, Restored):
        return Restored(view(rules, event.position, viewer))
    if isinstance(event, Struck):
        return event if event.seat == viewer else None
    return None  # a proof of being stuck, and whatever nobody has entered above
