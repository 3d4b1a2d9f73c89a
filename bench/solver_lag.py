"""How late the event loop is while the server solves: ``python -m bench.solver_lag [SECONDS]``.

A timer is due every ms, on the loop that the server runs on. Its lateness is measured, for SECONDS each and by turns,
with nothing to solve; while two games of players who think are searched, as many as run at once; and with hints and
winnable deals asked for all the time besides. Then how long a player waits for a winnable deal, one a second for each
of the usual rules.
"""

import asyncio
import os
import random
import sys
import time
from statistics import median, quantiles

import uvloop

from server.solver.advisor import SolverAdvisor
from server.solver.search import KERNEL_COMPILED
from shared.engine import start
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import KlondikeTerms

#: Deals of one pass or two that take millions of states.
HARD = (33, 46, 47, 51)
#: Winnable deals asked for under each rules.
WAITS = 20


def deal(seed: int, terms: KlondikeTerms) -> tuple[Ruleset, Position]:
    """A shuffled deal under ``terms``."""
    cards = list(range(52))
    random.Random(seed).shuffle(cards)
    rules = ruleset(terms)
    return rules, start(rules, (tuple(cards),))


async def lateness(seconds: float) -> list[float]:
    """By how many ms a sleep of 1 ms is late, again and again."""
    late = []
    end = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < end:
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - begun - 0.001) * 1000)
    return late


async def think(advisor: SolverAdvisor, first: int) -> None:
    """Search one hard game after another."""
    for number in range(first, 1_000_000):
        await advisor.cannot_be_won(*deal(HARD[number % len(HARD)], KlondikeTerms(passes=2)))


async def ask(advisor: SolverAdvisor) -> None:
    """Want hints and winnable deals."""
    for seed in range(1_000_000):
        await advisor.hint(*deal(seed, KlondikeTerms(draw=3)), 0)
        await advisor.winnable(KlondikeTerms(), os.urandom)
        await asyncio.sleep(0.05)


def show(name: str, values: list[float]) -> None:
    """Print one row, ms."""
    cuts = quantiles(values, n=1000)
    row = (median(values), cuts[989], cuts[998], max(values))
    print(f"{name:34}" + "".join(f"{value:10.2f}" for value in row) + f"{len(values):9}", flush=True)


async def waits(advisor: SolverAdvisor, terms: KlondikeTerms, count: int) -> list[float]:
    """How many ms a winnable deal takes, from asking to having it."""
    took = []
    for _ in range(count):
        begun = time.perf_counter()
        _, proven = await advisor.winnable(terms, os.urandom)
        took.append((time.perf_counter() - begun) * 1000)
        assert proven, terms
        await asyncio.sleep(1)
    return took


async def lag(advisor: SolverAdvisor, seconds: float) -> None:
    """Measure the three states by turns, so that what else the machine does falls on all of them alike."""
    rows: dict[str, list[float]] = {name: [] for name in ("nothing to solve", "two solves", "two solves and hints")}
    for _ in range(max(1, round(seconds))):
        for name, late in rows.items():
            solves = [] if name == "nothing to solve" else [think(advisor, first) for first in (0, 2)]
            work = [asyncio.create_task(each) for each in solves]
            if name.endswith("hints"):
                work.append(asyncio.create_task(ask(advisor)))
            late.extend(await lateness(1.0))
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
    for name, late in rows.items():
        show(f"lateness, {name}", late)


async def measure(seconds: float) -> None:
    """Print the table."""
    print(
        f"kernel compiled: {KERNEL_COMPILED}; load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    print(f"{'ms':34}{'median':>10}{'p99':>10}{'p99.9':>10}{'max':>10}{'count':>9}")
    advisor = SolverAdvisor(time.monotonic)
    await lag(advisor, seconds)
    usual = [KlondikeTerms(draw=draw, scoring=scoring) for draw in (1, 3) for scoring in ("standard", "vegas")]
    advisor.prepare(usual, os.urandom)
    await asyncio.sleep(5)
    for terms in usual:
        show(f"winnable, draw {terms.draw} {terms.scoring}", await waits(advisor, terms, WAITS))
    await advisor.close()


def main() -> None:
    """Measure on the server's own kind of event loop."""
    uvloop.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0))


if __name__ == "__main__":
    main()
