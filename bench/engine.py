"""What the engine costs: ``python -m bench.engine [games]`` prints µs a call, per variant, over random games.

Each call is timed by itself (the best of three runs on the same position); the table shows the median and the 10th
and 90th percentile of all calls of all games. ``apply`` is timed on accepted commands as drawn, ``refused`` on moves
that are not legal.
"""

import sys
from collections.abc import Callable
from random import Random
from statistics import quantiles
from time import perf_counter_ns

from shared.engine import Step, apply, legal, start
from shared.moves import Command, Draw, Move, Recycle
from shared.ruleset import Ruleset, ruleset
from shared.stuck import search
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from shared.view import redact, view

VARIANTS: dict[str, Terms] = {
    "klondike": KlondikeTerms(),
    "two_deck": TwoDeckTerms(),
    "duel simultaneous": DuelTerms(),
    "duel alternating": DuelTerms(tempo="alternating"),
}
Times = dict[str, list[float]]


def timed(times: Times, name: str, call: Callable[[], object]) -> None:
    """Enter the best of three runs of ``call``, in µs."""
    best = 10**12
    for _ in range(3):
        begun = perf_counter_ns()
        call()
        best = min(best, perf_counter_ns() - begun)
    times.setdefault(name, []).append(best / 1000)


def decks_of(rules: Ruleset, random: Random) -> tuple[tuple[int, ...], ...]:
    """Return shuffled decks for ``rules``."""
    size = rules.decks * 52
    return tuple(tuple(random.sample(range(seat * 52, seat * 52 + size), size)) for seat in range(rules.seats))


def one_game(rules: Ruleset, seed: int, times: Times) -> None:
    """Play one random game, foundation plays first, and time every call."""
    random = Random(seed)
    position = start(rules, decks_of(rules, random), first=0)
    for number in range(300):
        at = number * 500
        seat = position.turn.seat if position.turn else number % rules.seats
        if position.outcome is not None:
            return
        can = legal(rules, position, seat, at)
        moves: list[Command] = [Move(card, to) for card, targets in can.moves.items() for to in targets]
        up: list[Command] = [move for move in moves if isinstance(move, Move) and move.to == "f"]
        moves += [Draw()] * ("draw" in can.commands) + [Recycle()] * ("recycle" in can.commands)
        if not moves:
            return
        command = random.choice(up or moves)
        wrong = Move(random.randrange(104), random.choice(("f", "t0", "t3", "t6")))
        done = apply(rules, position, seat, command, at)
        if not isinstance(done, Step):
            raise TypeError(f"{command} is legal, yet refused: {done}")
        timed(times, "legal", lambda p=position: legal(rules, p, seat, at))  # type: ignore[misc]
        timed(times, "apply", lambda p=position: apply(rules, p, seat, command, at))  # type: ignore[misc]
        if not isinstance(apply(rules, position, seat, wrong, at), Step):
            timed(times, "refused", lambda p=position: apply(rules, p, seat, wrong, at))  # type: ignore[misc]
        timed(times, "redact", lambda d=done: [redact(rules, event, 0) for event in d.events])  # type: ignore[misc]
        timed(times, "view", lambda p=position: view(rules, p, 0))  # type: ignore[misc]
        if rules.seats == 2 and number % 20 == 0:
            timed(times, "stuck", lambda p=position: search(rules, p, seat))  # type: ignore[misc]
        position = done.position


def main() -> None:
    """Print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print(f"{'µs a call':20}{'':10}{'median':>8}{'p10':>8}{'p90':>8}{'max':>10}{'calls':>8}")
    for name, terms in VARIANTS.items():
        times: Times = {}
        for seed in range(games):
            one_game(ruleset(terms), seed, times)
        for what, values in times.items():
            deciles = quantiles(values, n=10)
            row = f"{deciles[4]:8.2f}{deciles[0]:8.2f}{deciles[8]:8.2f}{max(values):10.1f}{len(values):8}"
            print(f"{name:20}{what:10}{row}")


if __name__ == "__main__":
    main()
