"""Thinking ahead in the duel, over one seat's own cards as it sees them.

A plan is a line of own moves and draws of known cards; the rival is taken to stand still meanwhile. It never looks
under a face-down card: what a move turns up is ``HIDDEN`` from then on.
"""

from collections.abc import Collection, Iterator
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
#: Moves within the columns of which nothing comes, one after another.
MOST_QUIET: Final = 6
#: Tables looked at for one choice.
BUDGET: Final = 120

_COLUMNS: Final[tuple[Target, ...]] = ("t0", "t1", "t2", "t3", "t4", "t5", "t6")
#: The keys of black and red kings (``shared.law.KEY``).
_KINGS: Final = (2 * KING, 2 * KING + 1)
Piles = tuple[tuple[int, ...], ...]
Takers = dict[int, list[int]]


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
        rival = frozenset(card % 52 for card in free)
        return cls(mine.columns, mine.down, mine.waste, ahead, heights, rules.draw[seat], rival, *PATIENCE[rules.tempo])


class Step(NamedTuple):
    """One step of a plan: ``move`` (``None``: draws), its worth, the table after it, what it leaves of later worth."""

    move: Move | None
    worth: float
    after: Table
    patience: float


def best(table: Table, depth: int, liking: dict[Move, float], been: Collection[Piles] = ()) -> Move | None:
    """Return the first move of the best plan of up to ``depth`` steps that starts with a move of ``liking``; ``None``:
    none is worth a move, or drawing comes first.

    ``liking``: the moves that the player noticed, and what it thinks of each beyond its worth. ``been``: face-up
    columns to which no move leads back.
    """
    budget = [BUDGET]
    found: Move | None = None
    worth = 0.0
    for step in steps(table):
        if step.move is not None and (step.move not in liking or _goes_back(table, step.after, been)):
            continue
        value = step.worth + step.patience * _worth(step.after, depth - 1, budget)
        if value > 0 and step.move is not None:
            value = max(0.01, value + liking[step.move])
        if value > worth:
            found, worth = step.move, value
    return found


def _goes_back(table: Table, after: Table, been: Collection[Piles]) -> bool:
    """Whether a move within the columns, of which nothing comes, leads to where they have lain before; after some such
    moves, any is one too many.
    """
    quiet = after.waste is table.waste and after.heights is table.heights and after.down == table.down
    return quiet and (len(been) > MOST_QUIET or face_up(after.columns, after.down) in been)


def _worth(table: Table, depth: int, budget: list[int]) -> float:
    if depth <= 0 or budget[0] <= 0:
        return 0.0
    budget[0] -= 1
    found = 0.0
    for step in steps(table):
        found = max(found, step.worth + step.patience * _worth(step.after, depth - 1, budget))
    return found


def face_up(columns: Piles, down: tuple[int, ...]) -> Piles:
    """Return the cards of each column that lie face up."""
    return tuple([column[hidden:] for column, hidden in zip(columns, down, strict=True)])


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
    takers = _takers(table.columns)
    tops = [deck[end - 1] for end in ends if end]
    return any(up_on(table.heights, card) is not None or KEY[card] in takers for card in tops)


def steps(table: Table) -> Iterator[Step]:
    """Yield what a plan may do next: every move that is of use, and the draw of known cards."""
    takers = _takers(table.columns)
    waste = table.waste
    if waste:
        card = waste[-1]
        rest = table._replace(waste=waste[:-1])
        if up_on(table.heights, card) is not None:
            yield _up(table, rest, card, 0.0)
        for j in takers.get(KEY[card], ()):
            columns = _laid(table.columns, j, (card,))
            yield Step(Move(card, _COLUMNS[j]), WASTE, rest._replace(columns=columns), table.later)
    for i, column in enumerate(table.columns):
        if column and column[-1] != HIDDEN:
            if up_on(table.heights, column[-1]) is not None:
                after, turned = _without(table, i, len(column) - 1)
                yield _up(table, after, column[-1], turned)
            yield from _from_column(table, takers, i)
    yield from _draws(table, takers)


def _draws(table: Table, takers: Takers) -> Iterator[Step]:
    """Yield the draws of known cards up to the next few that have a place to go to."""
    ahead = table.ahead
    patience = 1.0
    found = 0
    for end in (*range(table.draw, len(ahead), table.draw), len(ahead)) if ahead else ():
        patience *= table.drawn
        if up_on(table.heights, ahead[end - 1]) is not None or KEY[ahead[end - 1]] in takers:
            yield Step(None, 0.0, table._replace(waste=table.waste + ahead[:end], ahead=ahead[end:]), patience)
            found += 1
            if found == DRAWS:
                return


def _up(table: Table, after: Table, card: int, turned: float) -> Step:
    """Return the play of ``card`` to the foundation that takes it."""
    pile = up_on(table.heights, card)
    assert pile is not None, "asked before"  # noqa: S101
    heights = _raised(table.heights, pile)
    contested = CONTESTED if card % 52 in table.rival and up_on(heights, card) is None else 0.0
    return Step(Move(card, "f"), UP + turned + contested, after._replace(heights=heights), table.later)


def _from_column(table: Table, takers: Takers, i: int) -> Iterator[Step]:
    """Yield the moves of runs of column ``i``: those that turn a card, and quiet ones that bare something of use."""
    column, down = table.columns[i], table.down[i]
    for depth in range(len(column) - 1, down - 1, -1):
        card = column[depth]
        if depth + 1 < len(column) and KEY[column[depth + 1]] != TAKES[card]:
            return
        onto = takers.get(KEY[card])
        if onto is None or not (
            _king_waits(table) if depth == 0 else depth == down or _is_of_use(table, column[depth - 1])
        ):
            continue
        for j in onto:
            if depth == 0 and not table.columns[j]:
                continue  # a whole column to an empty one
            after, turned = _without(table, i, depth)
            worth = EMPTY if depth == 0 else turned if depth == down else QUIET
            columns = _laid(after.columns, j, column[depth:])
            yield Step(Move(card, _COLUMNS[j]), worth, after._replace(columns=columns), table.later)


def _is_of_use(table: Table, bared: int) -> bool:
    """Whether ``bared``, as the last card of its column, could go up or take a free card that has no better place."""
    if up_on(table.heights, bared) is not None:
        return True
    wants = TAKES[bared]
    return any(KEY[card] == wants for card in _seekers(table))


def _seekers(table: Table) -> list[int]:
    """Return the cards that would be better off on a column: those on face-down cards, the waste's top, the next
    drawn.
    """
    columns = zip(table.columns, table.down, strict=True)
    found = [column[down] for column, down in columns if len(column) > down > 0 and column[down] != HIDDEN]
    return [*found, *table.waste[-1:], *table.ahead[: table.draw][-1:]]


def _king_waits(table: Table) -> bool:
    """Whether a king that would be better off in an empty column is in reach."""
    return any(RANK[card] == KING for card in (*_seekers(table), *table.ahead))


def _without(table: Table, i: int, depth: int) -> tuple[Table, float]:
    """Return the table without the cards of column ``i`` from ``depth`` on, and what the card turned up is worth."""
    column, down = table.columns[i][:depth], table.down
    turned = 0.0
    if depth and depth == down[i]:
        column = (*column[:-1], HIDDEN)
        turned = TURN + TURN_EACH * down[i]
        down = (*down[:i], down[i] - 1, *down[i + 1 :])
    return table._replace(columns=(*table.columns[:i], column, *table.columns[i + 1 :]), down=down), turned


def _takers(columns: Piles) -> Takers:
    """Return the columns that take a card, by its key; of the empty ones, which take kings, only the first."""
    found: Takers = {}
    for j, column in enumerate(columns):
        if column:
            if column[-1] != HIDDEN:
                found.setdefault(TAKES[column[-1]], []).append(j)
        else:
            for key in _KINGS:
                if key not in found:
                    found[key] = [j]
    return found


def _laid(columns: Piles, j: int, cards: tuple[int, ...]) -> Piles:
    return (*columns[:j], columns[j] + cards, *columns[j + 1 :])


def _raised(heights: tuple[int, ...], pile: int) -> tuple[int, ...]:
    return (*heights[:pile], heights[pile] + 1, *heights[pile + 1 :])
