"""Hints (docs/rules.md, Hints): the first move of a line that wins, else a rule of thumb.

A line that wins may begin at the stock although a card lies ready; where that card's play is proven to win too, it is
the hint.

A hint never takes a card from a foundation and never sends a king with nothing under it to an empty column. It names
cards that lie face up and piles, nothing else.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from server.solver.line import Step
from shared.cards import KING, RANK, SUIT
from shared.engine import Step as Done
from shared.engine import apply, legal
from shared.moves import Draw, Move, Recycle
from shared.position import Position, Seat
from shared.protocol import Hint
from shared.ruleset import Ruleset

NO_USEFUL_MOVE = Hint()
#: The rank of a move that neither goes up, nor turns a card, nor comes from the waste: it might be moved to and fro.
_SHIFTED = 1


def hint(
    rules: Ruleset,
    position: Position,
    line: Sequence[Step] | None,
    at: int = 0,
    wins: Callable[[Position], bool] = lambda _: False,
) -> Hint:
    """The hint at ``position`` of a solo game at play time ``at``; ``line``: moves that win from there, if known;
    ``wins``: whether a position is proven to be won.

    ``left`` is not filled in.
    """
    step = _best(rules, position, line, at, wins)
    if step is None:
        return NO_USEFUL_MOVE
    if isinstance(step, Move):
        return Hint(card=step.card, to=step.to)
    if isinstance(step, Draw):
        return Hint(do="draw")
    return Hint(do="recycle", costs=_cost(rules, position, at))


def _best(
    rules: Ruleset, position: Position, line: Sequence[Step] | None, at: int, wins: Callable[[Position], bool]
) -> Step | None:
    (rank, _), best = max(_worth(rules, position), key=lambda found: found[0], default=((0, 0), None))
    if not line or _is_barred(position, line[0]):
        return best or _stock(rules, position)
    if isinstance(line[0], Move) or best is None or rank <= _SHIFTED:
        return line[0]
    done = apply(rules, position, 0, best, at)
    return best if isinstance(done, Done) and wins(done.position) else line[0]


def _cost(rules: Ruleset, position: Position, at: int) -> int:
    """The points that a recycle would take from the score as it is."""
    done = apply(rules, position, 0, Recycle(), at)
    if not isinstance(done, Done) or position.tally is None or done.position.tally is None:
        return 0
    return position.tally.score - done.position.tally.score


def _is_barred(position: Position, step: Step) -> bool:
    """Whether a hint may not name ``step``."""
    if not isinstance(step, Move):
        return False
    if any(pile and pile[-1] == step.card for pile in position.foundations):
        return True
    columns = position.seats[0].columns
    to_empty = step.to != "f" and not columns[int(step.to[1])]
    return to_empty and RANK[step.card] == KING and any(column[:1] == (step.card,) for column in columns)


def _worth(rules: Ruleset, position: Position) -> list[tuple[tuple[int, int], Move]]:
    """The moves that are of some use by what the player sees, each with its worth."""
    mine = position.seats[0]
    place = {card: (i, j) for i, column in enumerate(mine.columns) for j, card in enumerate(column)}
    lowest = min(map(len, position.foundations))
    found = []
    for card, targets in legal(rules, position, 0).moves.items():
        column, depth = place.get(card, (-1, 0))
        from_waste = bool(mine.waste) and card == mine.waste[-1]
        for to in targets:
            move = Move(card, to)
            if _is_barred(position, move) or (column < 0 and not from_waste):
                continue
            turns = mine.down[column] if column >= 0 and depth == mine.down[column] else 0
            if to == "f":
                # Two ranks above the lowest foundation a card is hardly ever missed below.
                rank = 5 if RANK[card] <= lowest + 2 else 4 if turns else 2
            elif turns:
                rank = 4
            elif from_waste:
                rank = 3 if _is_put(mine, card, to) else 0
            else:
                rank = _SHIFTED if _is_of_use(rules, position, card, column, depth) else 0
            if rank:
                found.append(((rank, turns), move))
    return found


def _is_of_use(rules: Ruleset, position: Position, card: int, column: int, depth: int) -> bool:
    """Whether carrying ``card`` away helps at once: it bares a card that goes up, or empties a column for a king."""
    mine = position.seats[0]
    if depth > mine.down[column]:
        bared = mine.columns[column][depth - 1]
        share = len(position.foundations) // 4
        piles = position.foundations[SUIT[bared] * share : (SUIT[bared] + 1) * share]
        return any(len(pile) == RANK[bared] - 1 for pile in piles)
    if depth or RANK[card] == KING:
        return False
    waits = [*mine.waste[-1:], *(other[down] for other, down in zip(mine.columns, mine.down, strict=True) if down)]
    return [] not in map(list, mine.columns) and any(RANK[king] == KING for king in waits) and not rules.any_to_empty


def _is_put(mine: Seat, card: int, to: str) -> bool:
    """Whether the waste's ``card`` is of use on column ``to``: an empty one is kept for a king."""
    return RANK[card] == KING or bool(mine.columns[int(to[1])])


def _stock(rules: Ruleset, position: Position) -> Step | None:
    """The stock, unless the player has seen all of it and nothing in it is of use."""
    mine = position.seats[0]
    left = rules.passes is None or mine.pass_number < rules.passes
    if not mine.stock and not (mine.waste and left):
        return None
    if mine.pass_number > 1 or not mine.stock:
        tops = _tops(mine.waste, mine.stock, rules.draw[0])
        if left:
            tops |= _tops((), mine.waste + mine.stock, rules.draw[0])
        if not any(_is_of_use_on_top(rules, position, card) for card in tops):
            return None
    return Draw() if mine.stock else Recycle()


def _tops(waste: tuple[int, ...], stock: tuple[int, ...], draw: int) -> set[int]:
    """The cards that come to lie on top of the waste as the stock is drawn."""
    ends = {*range(draw, len(stock), draw), len(stock)} - {0}
    return {*waste[-1:], *(stock[end - 1] for end in ends)}


def _is_of_use_on_top(rules: Ruleset, position: Position, card: int) -> bool:
    """Whether ``card``, were it the waste's top, would be hinted."""
    mine = replace(position.seats[0], waste=(card,), stock=())
    targets = legal(rules, replace(position, seats=(mine,)), 0).moves.get(card, ())
    return any(to == "f" or _is_put(mine, card, to) for to in targets)
