"""How strong the computer players are: ``python -m bench.arena [--duels N] [--all N] [--tempo …] [--seed N]``.

Duels in simulated time, on the engine alone: each bot looks, waits as long as a person would, and plays; both see the
other's cards as they fall. Each level plays the one below, and the strongest the weakest, ``--duels`` times, sides
changing. Then ``--all`` duels of any level against any, to tell how duels end and how long they take. A refused play
is a fault, and so is a duel without an end.
"""

import argparse
import heapq
import platform
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import mean, quantiles
from time import perf_counter

from msgspec import Struct

from shared.bots import NAMES, Bot, LevelName
from shared.engine import Step, apply, deadline, expire, prove_stuck, start
from shared.position import Outcome, Position
from shared.ruleset import Ruleset, ruleset
from shared.stuck import search
from shared.terms import DuelTerms
from shared.view import view


class Duel(Struct):
    """One duel as it was played: how it ended, after how long (play time, ms), with how many plays."""

    outcome: Outcome
    ms: int
    plays: int


class Unfair(AssertionError):
    """A bot was refused a play, or a duel had no end."""


def play(rules: Ruleset, levels: tuple[LevelName, LevelName], seed: int, *, most: int = 20_000) -> Duel:
    """Play one duel to its end.

    Raises:
        Unfair: a play was refused, or the duel goes on for ever.
    """
    random = Random(seed)
    decks = (tuple(random.sample(range(52), 52)), tuple(random.sample(range(52, 104), 52)))
    position = start(rules, decks, first=random.randrange(2))
    bots = [Bot(level, seat, random.getrandbits(63)) for seat, level in enumerate(levels)]
    due: list[tuple[int, int]] = []
    at, plays = 0, [0, 0]
    for _ in range(most):
        if position.outcome is not None:
            return Duel(position.outcome, at, sum(plays))
        for seat, bot in enumerate(bots):
            when = bot.look(rules, view(rules, position, seat), at, plays[seat])
            if when is not None:
                heapq.heappush(due, (when, seat))
        clock = deadline(rules, position)
        if clock is not None and (not due or due[0][0] >= clock.at):
            at = clock.at
            position = expire(rules, position, clock).position
            due.clear()
            continue
        if not due:
            raise Unfair(f"{levels}, seed {seed}: both wait for ever at {at} ms")
        at, seat = due[0]
        due.clear()
        command = bots[seat].act(rules, view(rules, position, seat), at, plays[seat])
        if command is None:
            continue
        done = apply(rules, position, seat, command, at)
        if not isinstance(done, Step):
            raise Unfair(f"{levels}, seed {seed}: {command} of seat {seat} was refused: {done.code}")
        plays[seat] += 1
        position = done.position
        if all(bot.has_given_in for bot in bots):
            position = _proven(rules, position)
    raise Unfair(f"{levels}, seed {seed}: no end after {most} looks")


def _proven(rules: Ruleset, position: Position) -> Position:
    """Let the stuck search look at both seats, as a server does when a duel is quiet."""
    for seat in (0, 1):
        if position.outcome is None and not position.seats[seat].stuck and search(rules, position, seat, 2000):
            position = prove_stuck(rules, position, seat).position
    return position


def versus(rules: Ruleset, level: LevelName, other: LevelName, duels: int, seed: int) -> tuple[int, list[Duel]]:
    """Return how many of ``duels`` ``level`` won against ``other``, sides changing, and the duels."""
    won, played = 0, []
    for number in range(duels):
        side = number % 2
        duel = play(rules, (level, other) if side == 0 else (other, level), seed + number)
        won += duel.outcome.winner == side
        played.append(duel)
    return won, played


def _share(won: int, of: int) -> str:
    share = won / of
    return f"{100 * share:5.1f} % ± {196 * sqrt(share * (1 - share) / of):.1f}"


def pairings() -> Iterator[tuple[LevelName, LevelName]]:
    """Yield who is held against whom."""
    yield from zip(NAMES[1:], NAMES[:-1], strict=True)
    yield NAMES[-1], NAMES[0]


def _minutes(values: list[float]) -> str:
    cuts = quantiles(values, n=20)
    return f"median {cuts[9]:.1f}, 5 % below {cuts[0]:.1f}, 5 % above {cuts[18]:.1f}"


def _tell(duels: list[Duel]) -> None:
    reasons = Counter(duel.outcome.reason for duel in duels)
    print("  ends:     " + ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
    print(f"  minutes:  {_minutes([duel.ms / 60_000 for duel in duels])}")
    print(f"  plays:    mean {mean(duel.plays for duel in duels):.0f}, most {max(duel.plays for duel in duels)}")
    cards = [sum(duel.outcome.counts) for duel in duels]
    print(f"  cards up: mean {mean(cards):.1f} of 104, of both seats together")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--duels", type=int, default=400, help="of each pairing")
    parser.add_argument("--all", type=int, default=5000, help="of any level against any")
    parser.add_argument("--tempo", choices=["simultaneous", "alternating"], default=None, help="both, if left out")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, seed {asked.seed}; ± is the 95 % interval")
    for tempo in (asked.tempo,) if asked.tempo else ("simultaneous", "alternating"):
        rules = ruleset(DuelTerms(tempo=tempo))
        for level, other in pairings() if asked.duels else ():
            begun = perf_counter()
            won, duels = versus(rules, level, other, asked.duels, asked.seed * 1_000_000)
            took = perf_counter() - begun
            print(f"{tempo}: {level} beats {other} in {_share(won, len(duels))} of {len(duels)} ({took:.0f} s)")
            _tell(duels)
        if asked.all:
            random = Random(asked.seed)
            duels = [
                play(rules, (random.choice(NAMES), random.choice(NAMES)), asked.seed * 2_000_000 + number)
                for number in range(asked.all)
            ]
            print(f"{tempo}: {asked.all} duels of any level against any")
            _tell(duels)


if __name__ == "__main__":
    main()
