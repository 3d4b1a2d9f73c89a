"""Thinking ahead in the duel, over one seat's own cards as it sees them.

A plan is a line of own moves and draws of known cards; the rival is taken to stand still meanwhile. It never looks
under a face-down card: what a move turns up is ``HIDDEN`` from then on.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from shared.cards import HIDDEN, KING, RANK, SUIT
from shared.law import KEY, TAKES
from shared.moves import Move, Target
from shared.position import Position
from shared.ruleset import Ruleset

#: What a step is worth. A card that the rival, too, could play to the same place is more urgent.
UP: Final = 10.0
CONTESTED: Final = 2.0
TURN: Final = 6.0
TURN_EACH: Final = 0.4  # for each card that lies face down below
WASTE: Final = 2.0
EMPTY: Final = 1.5
QUIET: Final = -0.1
#: What comes a move later is worth so much of now, and what comes a draw later: in turns a move costs nothing, and a
#: draw the turn.
PATIENCE: Final = {"simultaneous": (0.8, 0.94), "alternating": (0.97, 0.5)}
#: Places in the known stock that a plan goes on to.
DRAWS: Final = 3
#: Tables looked at for one choice.
BUDGET: Final = 120

_COLUMNS: Final[tuple[Target, ...]] = ("t0", "t1", "t2", "t3", "t4", "t5", "t6")
Piles = tuple[tuple[int, ...], ...]


class Table(NamedTuple):
    """What a plan changes: the seat's columns, how many cards of each lie face down, its waste, the stock as far as it
    is known (``ahead``), the heights of the foundations. ``draw``: cards a draw. ``rival``: the rival's free cards, by
    their faces. ``later``, ``drawn``: what a move and a draw leave of later worth.
    """

    columns: Piles
    down: tuple[int, ...]
    waste: tuple[int, ...]
    ahead: tuple[int, ...]
    heights: tuple[int, ...]
    draw: int
    rival: frozenset[int]
    later: float
    drawn: float

    @classmethod
    def of(cls, rules: Ruleset, view: Position, seat: int, ahead: tuple[int, ...]) -> "Table":
        """Return the table that ``seat`` sees."""
        mine, other = view.seats[seat], view.seats[1 - seat]
        free = {column[-1] for column in other.columns if column} | set(other.waste[-1:])
        heights = tuple(map(len, view.foundations))
        rival = frozenset((card - 52 * (card >= 52)) for card in free)
        return cls(mine.columns, mine.down, mine.waste, ahead, heights, rules.draw[seat], rival, *PATIENCE[rules.tempo])


class Step(NamedTuple):
    """One step of a plan: ``move`` (``None``: draws), its worth, the table after it, what it leaves of later worth."""

    move: Move | None
    worth: float
    after: Table
    patience: float


def best(table: Table, depth: int, liking: dict[Move, float]) -> Move | None:
    """Return the first move of the best plan of up to ``depth`` steps that starts with a move of ``liking``; ``None``:
    none is worth a move, or drawing comes first.

    ``liking``: the moves that the player noticed, and what it thinks of each beyond its worth.
    """
    budget = [BUDGET]
    found: Move | None = None
    worth = 0.0
    for step in steps(table):
        if step.move is not None and step.move not in liking:
            continue
        value = step.worth + step.patience * _worth(step.after, depth - 1, budget)
        if value > 0 and step.move is not None:
            value = max(0.01, value + liking[step.move])
        if value > worth:
            found, worth = step.move, value
    return found


def _worth(table: Table, depth: int, budget: list[int]) -> float:
    if depth <= 0 or budget[0] <= 0:
        return 0.0
    budget[0] -= 1
    found = 0.0
    for step in steps(table):
        found = max(found, step.worth + step.patience * _worth(step.after, depth - 1, budget))
    return found


def up_on(heights: tuple[int, ...], card: int) -> int | None:
    """Return the foundation that takes ``card``, the first of its suit's two."""
    first, below = 2 * SUIT[card], RANK[card] - 1
    return first if heights[first] == below else first + 1 if heights[first + 1] == below else None


def may_come(table: Table, *, recycles: bool) -> bool:
    """Whether any waste top that drawing alone brings up has a place to go to now (the stock is wholly known)."""
    deck = table.waste + table.ahead
    drawn = len(table.waste)
    ends = {*range(drawn, len(deck), table.draw), len(deck)}
    if recycles:
        ends |= {*range(table.draw, len(deck), table.draw)}
    return any(
        up_on(table.heights, deck[end - 1]) is not None or _onto(table.columns, deck[end - 1], -1)
        for end in ends
        if end
    )


def steps(table: Table) -> Iterator[Step]:
    """Yield what a plan may do next: every move that is of use, and the draw of known cards."""
    waste = table.waste
    if waste:
        card, rest = waste[-1], table._replace(waste=waste[:-1])
        yield from _up(table, rest, card, 0.0)
        for j in _onto(table.columns, card, -1):
            yield Step(
                Move(card, _COLUMNS[j]), WASTE, rest._replace(columns=_laid(rest.columns, j, (card,))), table.later
            )
    for i, column in enumerate(table.columns):
        if column and column[-1] != HIDDEN:
            after, turned = _without(table, i, len(column) - 1)
            yield from _up(table, after, column[-1], turned)
            yield from _from_column(table, i)
    yield from _draws(table)


def _draws(table: Table) -> Iterator[Step]:
    """Yield the draws of known cards up to the next few that have a place to go to."""
    ahead, waste = table.ahead, table.waste
    patience = 1.0
    found = 0
    for end in (*range(table.draw, len(ahead), table.draw), len(ahead)) if ahead else ():
        patience *= table.drawn
        if up_on(table.heights, ahead[end - 1]) is not None or _onto(table.columns, ahead[end - 1], -1):
            yield Step(None, 0.0, table._replace(waste=waste + ahead[:end], ahead=ahead[end:]), patience)
            found += 1
            if found == DRAWS:
                return


def _up(table: Table, after: Table, card: int, turned: float) -> Iterator[Step]:
    pile = up_on(table.heights, card)
    if pile is not None:
        heights = table.heights
        twin = card - 52 * (card >= 52)
        contested = CONTESTED if twin in table.rival and up_on(_raised(heights, pile), card) is None else 0.0
        yield Step(
            Move(card, "f"), UP + turned + contested, after._replace(heights=_raised(heights, pile)), table.later
        )


def _from_column(table: Table, i: int) -> Iterator[Step]:
    """Yield the moves of runs of column ``i``: those that turn a card, and quiet ones that bare something of use."""
    column, down = table.columns[i], table.down[i]
    for depth in range(len(column) - 1, down - 1, -1):
        card = column[depth]
        if depth + 1 < len(column) and KEY[column[depth + 1]] != TAKES[card]:
            return
        turns = depth == down
        if not turns and not _is_of_use(table, column[depth - 1], i):
            continue
        empties = depth == 0
        if empties and not _king_waits(table):
            continue
        for j in _onto(table.columns, card, i):
            if empties and not table.columns[j]:
                continue
            after, turned = _without(table, i, depth)
            worth = EMPTY if empties else turned if turns else QUIET
            columns = _laid(after.columns, j, column[depth:])
            yield Step(Move(card, _COLUMNS[j]), worth, after._replace(columns=columns), table.later)


def _is_of_use(table: Table, bared: int, i: int) -> bool:
    """Whether ``bared``, as the last card of column ``i``, could go up or take a free card that has no better place."""
    if up_on(table.heights, bared) is not None:
        return True
    wants = TAKES[bared]
    if any(KEY[card] == wants for card in (*table.waste[-1:], *table.ahead[: table.draw][-1:])):
        return True
    return any(
        column[down] != HIDDEN and KEY[column[down]] == wants
        for j, (column, down) in enumerate(zip(table.columns, table.down, strict=True))
        if j != i and len(column) > down > 0
    )


def _king_waits(table: Table) -> bool:
    """Whether a king that would be better off in an empty column is in reach."""
    return any(RANK[card] == KING for card in (*table.waste[-1:], *table.ahead)) or any(
        column[down] != HIDDEN and RANK[column[down]] == KING
        for column, down in zip(table.columns, table.down, strict=True)
        if len(column) > down > 0
    )


def _without(table: Table, i: int, depth: int) -> tuple[Table, float]:
    """Return the table without the cards of column ``i`` from ``depth`` on, and what the card turned up is worth."""
    column, down = table.columns[i][:depth], table.down
    turned = 0.0
    if depth and depth == down[i]:
        column = (*column[:-1], HIDDEN)
        turned = TURN + TURN_EACH * down[i]
        down = (*down[:i], down[i] - 1, *down[i + 1 :])
    return table._replace(columns=(*table.columns[:i], column, *table.columns[i + 1 :]), down=down), turned


def _onto(columns: Piles, card: int, source: int) -> list[int]:
    """Return the columns that take ``card``; of the empty ones only the first."""
    found = []
    empty = RANK[card] == KING
    for j, column in enumerate(columns):
        if not column:
            if empty:
                empty = False
                found.append(j)
        elif j != source and column[-1] != HIDDEN and TAKES[column[-1]] == KEY[card]:
            found.append(j)
    return found


def _laid(columns: Piles, j: int, cards: tuple[int, ...]) -> Piles:
    return (*columns[:j], columns[j] + cards, *columns[j + 1 :])


def _raised(heights: tuple[int, ...], pile: int) -> tuple[int, ...]:
    return (*heights[:pile], heights[pile] + 1, *heights[pile + 1 :])
