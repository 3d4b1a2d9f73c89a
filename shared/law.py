"""What a card may do: tableau moves, foundation plays, draw and recycle (docs/rules.md, Tableau, Foundations, Stock).

Everything here is a function of what the seat can see: a view gives the same answers as the position it was made from.
"""

from typing import Final

from shared.cards import DECK, KING, RANK, RED, SUIT
from shared.moves import Draw, Drawn, Event, Move, Moved, Recycle, Recycled, Refusal, Turned
from shared.position import Position
from shared.ruleset import Ruleset

#: Cards of one rank and colour have one key; ``TAKES[card]`` is the key of the cards that go on ``card`` in a column.
KEY: Final[tuple[int, ...]] = tuple(2 * RANK[card] + RED[card] for card in range(104))
TAKES: Final[tuple[int, ...]] = tuple(2 * (RANK[card] - 1) + (not RED[card]) for card in range(104))

COLUMN: Final = {f"t{i}": i for i in range(9)}

#: Places as numbers, for ``find``: columns are 0..8, foundations ``FOUNDATION + i``.
WASTE: Final = 9
FOUNDATION: Final = 10

NO_SUCH_CARD: Final = Refusal("no_such_card")
NO_SUCH_PILE: Final = Refusal("no_such_pile")
NOT_YOURS: Final = Refusal("not_yours")
COVERED: Final = Refusal("covered")
BROKEN_RUN: Final = Refusal("broken_run")
SAME_PILE: Final = Refusal("same_pile")
WRONG_RANK: Final = Refusal("wrong_rank")
WRONG_COLOUR: Final = Refusal("wrong_colour")
NEEDS_KING: Final = Refusal("needs_king")
NO_WORRY_BACK: Final = Refusal("no_worry_back")
FROM_FOUNDATION: Final = Refusal("from_foundation")
STOCK_EMPTY: Final = Refusal("stock_empty")
STOCK_NOT_EMPTY: Final = Refusal("stock_not_empty")
WASTE_EMPTY: Final = Refusal("waste_empty")
NO_MORE_PASSES: Final = Refusal("no_more_passes")


def find(position: Position, seat: int, card: int) -> tuple[int, int] | None:
    """Return the place and the depth in its pile of a ``card`` that lies open to ``seat`` among its own piles and the
    foundations.

    ``None``: it does not, wherever else it may be. A waste card's place is ``WASTE``, a foundation card's
    ``FOUNDATION + i``.
    """
    mine = position.seats[seat]
    waste = mine.waste
    if waste and waste[-1] == card:
        return WASTE, len(waste) - 1
    for place, column in enumerate(mine.columns):
        if card in column:
            depth = column.index(card)
            return (place, depth) if depth >= mine.down[place] else None
    if card in waste:
        return WASTE, waste.index(card)
    for i, pile in enumerate(position.foundations):
        if card in pile:
            return FOUNDATION + i, pile.index(card)
    return None


def foundation_for(position: Position, card: int) -> int | None:
    """Return the first foundation of ``card``'s suit that takes it; ``None`` if none does."""
    piles = position.foundations
    each = len(piles) // 4
    first = SUIT[card] * each
    for i in range(first, first + each):
        if len(piles[i]) == RANK[card] - 1:
            return i
    return None


def refuse_move(rules: Ruleset, position: Position, seat: int, move: Move) -> Refusal | None:
    """Return why ``seat`` may not make ``move``, or ``None`` if it may."""
    card, to = move.card, move.to
    if not 0 <= card < 104:
        return NO_SUCH_CARD
    if len(position.seats) == 2 and DECK[card] != seat:
        return NO_SUCH_CARD if find(position, 1 - seat, card) is None else NOT_YOURS
    found = find(position, seat, card)
    if found is None:
        return NO_SUCH_CARD
    target = None if to == "f" else COLUMN[to]
    if target is not None and target >= rules.columns:
        return NO_SUCH_PILE
    return _bound(rules, position, seat, found, target) or (
        _refuse_up(position, card) if target is None else _refuse_on(rules, position.seats[seat].columns[target], card)
    )


def _bound(rules: Ruleset, position: Position, seat: int, found: tuple[int, int], target: int | None) -> Refusal | None:
    """Return why a card that lies at ``found`` is not free to leave its pile for ``target`` (``None`` = foundation)."""
    place, depth = found
    if place >= FOUNDATION:
        if target is None:
            return FROM_FOUNDATION
        if not rules.worry_back:
            return NO_WORRY_BACK
        return COVERED if depth + 1 < len(position.foundations[place - FOUNDATION]) else None
    if place == WASTE:
        return COVERED if depth + 1 < len(position.seats[seat].waste) else None
    if place == target:
        return SAME_PILE
    column = position.seats[seat].columns[place]
    if depth + 1 == len(column):
        return None
    if target is None:
        return COVERED
    return None if is_run(column, depth) else BROKEN_RUN


def is_run(column: tuple[int, ...], depth: int) -> bool:
    """Return whether the cards of ``column`` from ``depth`` on descend by one in alternating colours."""
    return all(KEY[column[i + 1]] == TAKES[column[i]] for i in range(depth, len(column) - 1))


def _refuse_up(position: Position, card: int) -> Refusal | None:
    return WRONG_RANK if foundation_for(position, card) is None else None


def _refuse_on(rules: Ruleset, column: tuple[int, ...], card: int) -> Refusal | None:
    if not column:
        return None if rules.any_to_empty or RANK[card] == KING else NEEDS_KING
    last = column[-1]
    if KEY[card] == TAKES[last]:
        return None
    return WRONG_COLOUR if RED[card] == RED[last] else WRONG_RANK


def refuse_draw(position: Position, seat: int) -> Refusal | None:
    """Return why ``seat`` may not draw, or ``None`` if it may."""
    return None if position.seats[seat].stock else STOCK_EMPTY


def refuse_recycle(rules: Ruleset, position: Position, seat: int) -> Refusal | None:
    """Return why ``seat`` may not recycle, or ``None`` if it may."""
    mine = position.seats[seat]
    if mine.stock:
        return STOCK_NOT_EMPTY
    if not mine.waste:
        return WASTE_EMPTY
    return NO_MORE_PASSES if rules.passes is not None and mine.pass_number >= rules.passes else None


def play(rules: Ruleset, position: Position, seat: int, command: Move | Draw | Recycle) -> list[Event]:
    """Return what a command that is not refused does to the cards."""
    mine = position.seats[seat]
    if isinstance(command, Draw):
        return [Drawn(mine.stock[: rules.draw[seat]], seat)]
    if isinstance(command, Recycle):
        return [Recycled(mine.waste, seat)]
    card = command.card
    found = find(position, seat, card)
    if found is None:
        raise ValueError(f"card: {card} is not open to seat {seat}")
    place, depth = found
    to: str = f"f{foundation_for(position, card)}" if command.to == "f" else command.to
    if place == WASTE:
        return [Moved((card,), "w", to, seat)]
    if place >= FOUNDATION:
        return [Moved((card,), f"f{place - FOUNDATION}", to, seat)]
    column = mine.columns[place]
    events: list[Event] = [Moved(column[depth:], f"t{place}", to, seat)]
    if depth and depth == mine.down[place]:
        events.append(Turned(place, column[depth - 1], seat))
    return events
