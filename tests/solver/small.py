"""Small decks, on which brute force comes to an end, and positions in the middle of their games."""

import random
from itertools import product

from msgspec.structs import replace

from server.solver.problem import Problem, check
from tests.solver.oracle import State, first, is_won, plays

#: Suits (bits), ranks and columns of small decks.
ONE_DECK = [(15, 3, 3), (15, 4, 3), (15, 4, 4), (3, 5, 3), (9, 5, 3), (7, 4, 3), (3, 6, 3), (15, 3, 4), (9, 6, 3)]
ANY_CARD = [(15, 3, 3), (15, 4, 4), (3, 5, 3), (3, 6, 3), (9, 5, 3), (7, 4, 3), (15, 3, 2), (3, 5, 2), (7, 3, 3)]
TWO_DECKS = [(3, 3, 3), (5, 3, 3), (3, 4, 3), (15, 2, 3), (9, 3, 3), (7, 2, 3), (3, 4, 4), (5, 4, 4)]

RULES = [
    {"draw": draw, "passes": passes, "worry_back": worry_back}
    for draw, passes, worry_back in product((1, 3), (1, 2, None), (True, False))
]


def small(seed: int, shape: tuple[int, int, int], decks: int = 1, *, open_deal: bool = False) -> Problem:
    """The deal number ``seed`` of a deck of ``shape``."""
    suits, ranks, columns = shape
    deck = [
        52 * copy + 13 * suit + rank
        for copy in range(decks)
        for suit in range(4)
        if suits >> suit & 1
        for rank in range(ranks)
    ]
    random.Random(seed).shuffle(deck)
    problem = replace(Problem.deal(deck, columns, 4 * decks), ranks=ranks, suits=suits)
    if open_deal:
        problem = replace(problem, down=(0,) * columns)
    check(problem)
    return problem


def problem_at(problem: Problem, state: State) -> Problem:
    """The problem that is left at ``state``."""
    return replace(
        problem,
        columns=state.columns,
        down=state.down,
        stock=state.stock,
        waste=state.waste,
        foundations=state.foundations,
        passes=state.passes,
    )


def wander(problem: Problem, seed: int, steps: int) -> Problem:
    """The problem after some random plays, fewer if none is left or the game is won."""
    chance = random.Random(seed)
    state = first(problem)
    for _ in range(steps):
        found = list(plays(problem, state))
        if not found or is_won(state):
            break
        state = chance.choice(found)[1]
    return problem_at(problem, state)
