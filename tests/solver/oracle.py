"""Plain brute force over explicit columns: slow, and simple enough to be believed.

Written apart from the solver and from the engine, from docs/rules.md alone; it shares ``Problem`` with the solver and
nothing else.
"""

from collections.abc import Iterator
from typing import NamedTuple, cast

from server.solver.problem import Problem
from shared.cards import RANK, RED, SUIT
from shared.moves import Draw, Move, Recycle, Target


class State(NamedTuple):
    columns: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    foundations: tuple[tuple[int, ...], ...]
    passes: int | None


def first(problem: Problem) -> State:
    return State(problem.columns, problem.down, problem.stock, problem.waste, problem.foundations, problem.passes)


def is_won(state: State) -> bool:
    return not (any(state.columns) or state.stock or state.waste)


def takes(parent: int, card: int) -> bool:
    return RANK[parent] == RANK[card] + 1 and RED[parent] != RED[card]


def runs(state: State) -> Iterator[tuple[int, int]]:
    """(column, place) of every card that may be moved with what lies on it."""
    for number, column in enumerate(state.columns):
        for place in range(len(column) - 1, state.down[number] - 1, -1):
            if place + 1 < len(column) and not takes(column[place], column[place + 1]):
                break
            yield number, place


def without(state: State, number: int, place: int) -> State:
    """The column cut at ``place``; the card bared turns up."""
    column = state.columns[number][:place]
    down = min(state.down[number], max(len(column) - 1, 0))
    return state._replace(
        columns=(*state.columns[:number], column, *state.columns[number + 1 :]),
        down=(*state.down[:number], down, *state.down[number + 1 :]),
    )


def laid(state: State, number: int, cards: tuple[int, ...]) -> State:
    column = state.columns[number] + cards
    return state._replace(columns=(*state.columns[:number], column, *state.columns[number + 1 :]))


def targets(problem: Problem, state: State, card: int) -> Iterator[int]:
    for number, column in enumerate(state.columns):
        if takes(column[-1], card) if column else problem.any_card or RANK[card] == problem.ranks:
            yield number


def put_up(state: State, card: int) -> State | None:
    share = len(state.foundations) // 4
    for number in range(SUIT[card] * share, (SUIT[card] + 1) * share):
        pile = state.foundations[number]
        if len(pile) == RANK[card] - 1:
            return state._replace(
                foundations=(*state.foundations[:number], (*pile, card), *state.foundations[number + 1 :])
            )
    return None


Plays = Iterator[tuple[Move | Draw | Recycle, State]]


def from_columns(problem: Problem, state: State) -> Plays:
    for number, place in runs(state):
        column = state.columns[number]
        cut = without(state, number, place)
        for to in targets(problem, state, column[place]):
            if to != number:
                yield to_column(column[place], to), laid(cut, to, column[place:])
        if place == len(column) - 1 and (after := put_up(cut, column[place])):
            yield Move(column[place], "f"), after


def from_waste(problem: Problem, state: State) -> Plays:
    card = state.waste[-1]
    cut = state._replace(waste=state.waste[:-1])
    for to in targets(problem, state, card):
        yield to_column(card, to), laid(cut, to, (card,))
    if after := put_up(cut, card):
        yield Move(card, "f"), after


def from_foundations(problem: Problem, state: State) -> Plays:
    for number, pile in enumerate(state.foundations):
        for to in targets(problem, state, pile[-1]) if pile else ():
            rest = (*state.foundations[:number], pile[:-1], *state.foundations[number + 1 :])
            yield to_column(pile[-1], to), laid(state._replace(foundations=rest), to, pile[-1:])


def to_column(card: int, column: int) -> Move:
    return Move(card, cast("Target", f"t{column}"))


def plays(problem: Problem, state: State) -> Plays:
    """Every legal command and what it leads to."""
    yield from from_columns(problem, state)
    if state.waste:
        yield from from_waste(problem, state)
    if problem.worry_back:
        yield from from_foundations(problem, state)
    if state.stock:
        drawn = state.stock[: problem.draw]
        yield Draw(), state._replace(stock=state.stock[problem.draw :], waste=state.waste + drawn)
    elif state.waste and state.passes != 1:
        passes = None if state.passes is None else state.passes - 1
        yield Recycle(), state._replace(stock=state.waste, waste=(), passes=passes)


def key(state: State) -> object:
    """The state but for the order of its columns and for which of two equal cards is which."""
    columns = tuple(
        sorted(
            (down, tuple(card % 52 for card in column)) for column, down in zip(state.columns, state.down, strict=True)
        )
    )
    heights = tuple(map(len, state.foundations))
    if len(heights) == 8:
        heights = tuple(height for suit in range(4) for height in sorted(heights[2 * suit : 2 * suit + 2]))
    stock = tuple(card % 52 for card in state.stock)
    return columns, stock, tuple(card % 52 for card in state.waste), heights, state.passes


def brute_force(problem: Problem, most: int) -> bool | None:
    """Whether the problem can be won, by looking at every position in reach; ``None``: they are more than ``most``."""
    start = first(problem)
    seen = {key(start)}
    todo = [start]
    while todo:
        state = todo.pop()
        if is_won(state):
            return True
        for _, after in plays(problem, state):
            mark = key(after)
            if mark not in seen:
                if len(seen) >= most:
                    return None
                seen.add(mark)
                todo.append(after)
    return False


def replay(problem: Problem, steps: list[Move | Draw | Recycle]) -> State:
    """Where ``steps`` lead; raises at the first that is not legal."""
    state = first(problem)
    for step in steps:
        found = [after for play, after in plays(problem, state) if play == step]
        if not found:
            raise AssertionError(f"{step} is not legal")
        state = found[0]
    return state
