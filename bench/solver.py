"""What the solver costs: ``python -m bench.solver [SECTION ...]`` prints CPU time a deal, one core, called from Python.

Sections: ``deals`` (Klondike, seeds 0-199), ``peer`` and ``solvitaire`` (the same deals, another solver beside ours),
``rules`` (one pass, no worry back, any card), ``thousand`` (seeds 0-999), ``two_deck``, ``vegas`` and ``vegas_minute``
(two decks, one pass, 5 s and 60 s), ``lag`` (the event loop's delay while two solves run). If none is named, ``deals``,
``rules``, ``two_deck`` and ``lag`` run: a few minutes.

Deal number s is ``random.Random(s).shuffle(list(range(52)))`` (104 for two decks), card c being rank ``c % 13`` of suit
``c // 13`` of clubs, diamonds, hearts, spades (of two decks: ``c % 52``). CPU time, because the wall clock of a machine
with other work on it measures that work. One table of 128 MB is kept from deal to deal, as in the server.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory

from msgspec import Struct

from server.solver.problem import Problem
from server.solver.search import KERNEL_COMPILED, Search
from server.solver.solve import Verdict, solve
from shared.cards import RANK, SUIT

MEMORY = 1 << 27
DEFAULT = ("deals", "rules", "two_deck", "lag")


class Timed(Struct):
    """One deal's verdict and what it took, in CPU seconds, loading and the kernel's line included."""

    result: str
    cpu: float
    states: int


def deck(seed: int, decks: int = 1) -> list[int]:
    """The deal number ``seed`` in the project's cards: suits spades, hearts, diamonds, clubs."""
    cards = list(range(52 * decks))
    Random(seed).shuffle(cards)
    return [card // 52 * 52 + (3, 2, 1, 0)[card % 52 // 13] * 13 + card % 13 for card in cards]


def ours(problems: Iterable[Problem], search: Search, seconds: float) -> Iterator[Timed]:
    """Solve each problem within ``seconds`` of CPU time."""
    for problem in problems:
        begun = time.process_time()
        verdict: Verdict = solve(problem, search, time.process_time, seconds=seconds)
        yield Timed(verdict.result, time.process_time() - begun, verdict.states)


def table(title: str, found: list[Timed]) -> None:
    """Print one line of figures."""
    cpu = sorted(one.cpu * 1000 for one in found)
    counts = "/".join(str([one.result for one in found].count(result)) for result in ("win", "loss", "unknown"))
    losses = [one.cpu * 1000 for one in found if one.result == "loss"]
    states = sum(one.states for one in found)
    p90 = cpu[len(cpu) * 9 // 10]
    lost = median(losses) if losses else 0
    figures = f"{median(cpu):9.3f}  {mean(cpu):9.3f}  {p90:9.2f}  {cpu[-1]:9.1f}  {lost:9.3f}"
    print(
        f"{title:34} {len(found):4}  {counts:>12}  {figures}  {states / 1e6:8.2f}  {states / sum(cpu) / 1000:6.2f}",
        flush=True,
    )


def head() -> None:
    """Print what the columns are."""
    print(
        f"{'':34} {'n':>4}  {'w/l/open':>12}  {'median ms':>9}  {'mean ms':>9}  {'p90 ms':>9}  {'max ms':>9}"
        f"  {'losses md':>9}  {'M states':>8}  {'M/s':>6}"
    )


def klondike(seeds: range, **rules: object) -> Iterator[Problem]:
    """Klondike deals under ``rules``, made as they are asked for."""
    for seed in seeds:
        yield Problem.deal(deck(seed)).under(**rules)  # type: ignore[arg-type]


def warm(search: Search) -> Search:
    """Have the tables' memory touched, as it is in a server that has run for a while."""
    for problem in klondike(range(20), draw=3):
        solve(problem, search, time.process_time, seconds=1)
    return search


def deals() -> None:
    """Unlimited passes, worry back."""
    for draw in (1, 3):
        table(f"draw {draw}", list(ours(klondike(range(200), draw=draw), SEARCH, 20)))


def peer() -> None:
    """The same deals by pyksolve (``solve_fast``, 200 000 states), and whether verdicts agree."""
    from pyksolve import solver as pyk  # noqa: PLC0415 - not installed everywhere

    results = {pyk.SolveResult.Impossible: "loss", pyk.SolveResult.CouldNotComplete: "unknown"}
    for draw in (1, 3):
        mine = list(ours(klondike(range(200), draw=draw), SEARCH, 20))
        theirs = []
        for seed in range(200):
            game = pyk.Solitaire()
            game.load_solitaire("".join(f"{RANK[card]:02}{(4, 3, 2, 1)[SUIT[card]]}" for card in deck(seed)))
            game.reset_game(draw)
            begun = time.process_time()
            found = game.solve_fast(max_closed_count=200_000)
            theirs.append(Timed(results.get(found, "win"), time.process_time() - begun, 0))
        table(f"draw {draw}, ours", mine)
        table(f"draw {draw}, pyksolve", theirs)
        both = [(a.result, b.result) for a, b in zip(mine, theirs, strict=True) if b.result != "unknown"]
        print(f"    decided by both: {len(both)}, verdicts that differ: {sum(a != b for a, b in both)}", flush=True)


def solvitaire() -> None:
    """Seeds 0-49 by the program that ``SOLVITAIRE`` names, 20 s of wall clock a deal, its start (some ms) included."""
    program = os.environ.get("SOLVITAIRE") or sys.exit("SOLVITAIRE: expected the path of the program")
    for draw in (1, 3):
        mine = list(ours(klondike(range(50), draw=draw), SEARCH, 5))
        theirs = [_solvitaire(program, problem) for problem in klondike(range(50), draw=draw)]
        table(f"draw {draw}, seeds 0-49, ours", mine)
        table(f"draw {draw}, seeds 0-49, Solvitaire", theirs)
        both = [(a.result, b.result) for a, b in zip(mine, theirs, strict=True) if b.result != "unknown"]
        print(f"    decided by both: {len(both)}, verdicts that differ: {sum(a != b for a, b in both)}", flush=True)


def _solvitaire(program: str, problem: Problem) -> Timed:
    """One deal by Solvitaire: small suit letters are face-down cards, the next card of the stock is its last."""
    game = {
        "tableau piles": {
            "count": 7,
            "build policy": "red-black",
            "spaces policy": "kings",
            "move built group": "partial-if-card-above-buildable",
            "diagonal deal": True,
            "face up cards": "top",
        },
        "foundations": {"removable": True},
        "stock": {"size": 24, "deal count": problem.draw, "redeal": True},
    }
    piles = [
        [_name(card, up=place == len(column) - 1) for place, card in enumerate(column)] for column in problem.columns
    ]
    deal = {"tableau piles": piles, "stock": [_name(card, up=False) for card in reversed(problem.stock)]}
    with TemporaryDirectory() as folder:
        for name, value in (("game", game), ("deal", deal)):
            Path(folder, name).write_text(json.dumps(value))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [program, "--custom-rules", f"{folder}/game", "--classify", "--timeout", "20000", f"{folder}/deal"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(", ")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results = {"solved": "win", "unsolvable": "loss"}
    return Timed(results.get(said[1], "unknown"), cpu, int(said[4]))


def _name(card: int, *, up: bool) -> str:
    rank = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(RANK[card], str(RANK[card]))
    suit = "SHDC"[SUIT[card]]
    return rank + (suit if up else suit.lower())


def rules() -> None:
    """Other rules, 5 s a deal."""
    for draw in (1, 3):
        table(f"draw {draw}, one pass", list(ours(klondike(range(200), draw=draw, passes=1), SEARCH, 5)))
    table("draw 3, three passes", list(ours(klondike(range(200), draw=3, passes=3), SEARCH, 5)))
    for draw in (1, 3):
        table(f"draw {draw}, no worry back", list(ours(klondike(range(200), draw=draw, worry_back=False), SEARCH, 5)))
    for draw in (1, 3):
        table(
            f"draw {draw}, any card to a column", list(ours(klondike(range(200), draw=draw, any_card=True), SEARCH, 5))
        )


def thousand() -> None:
    """Seeds 0-999 with a table of 128 MB."""
    for draw in (1, 3):
        table(f"draw {draw}, seeds 0-999", list(ours(klondike(range(1000), draw=draw), SEARCH, 60)))


def two_deck() -> None:
    """Two decks, unlimited passes."""
    for draw in (1, 3):
        problems = (Problem.deal(deck(seed, 2)).under(draw=draw) for seed in range(20))
        table(f"two decks, draw {draw}", list(ours(problems, SEARCH, 5)))


def vegas(seconds: float = 5, seeds: int = 20, memory: int = 4 * MEMORY) -> None:
    """Two decks, one pass, with a table that is not filled within the time."""
    search = Search(memory)
    for draw in (1, 3):
        problems = (Problem.deal(deck(seed, 2)).under(draw=draw, passes=1) for seed in range(seeds))
        table(f"two decks, one pass, draw {draw}, {seconds:g} s", list(ours(problems, search, seconds)))


def vegas_minute() -> None:
    """The same with 60 s a deal, for fewer deals, and a table of 2 GB."""
    vegas(60, 5, 16 * MEMORY)


async def _lags(seconds: float, seeds: tuple[int, ...]) -> list[float]:
    """How late the loop woke a task that sleeps 1 ms, in ms, while ``seeds`` are solved, a thread each."""
    end = time.monotonic() + seconds
    stopped = [False]

    def work(seed: int) -> None:
        search = Search(1 << 26)
        while not stopped[0]:
            problem = Problem.deal(deck(seed)).under(draw=1, passes=1)
            solve(problem, search, time.monotonic, seconds=seconds, cancelled=lambda: stopped[0])

    loop = asyncio.get_running_loop()
    threads = [loop.run_in_executor(None, work, seed) for seed in seeds]
    late = []
    while (now := time.monotonic()) < end:
        await asyncio.sleep(0.001)
        late.append((time.monotonic() - now - 0.001) * 1000)
    stopped[0] = True
    await asyncio.gather(*threads)
    return late


def lag() -> None:
    """The event loop's delay, wall clock: it measures the machine's other work too, so idle stands beside."""
    for name, seeds in (("idle", ()), ("beside two solves", (3, 21)), ("idle", ()), ("beside two solves", (3, 21))):
        late = sorted(asyncio.run(_lags(5, seeds)))
        print(
            f"event loop {name:18} {len(late)} wakes, late by median {median(late):.2f} ms,"
            f" p99 {late[len(late) * 99 // 100]:.2f} ms, most {late[-1]:.2f} ms",
            flush=True,
        )


SECTIONS: dict[str, Callable[[], None]] = {
    "deals": deals,
    "peer": peer,
    "solvitaire": solvitaire,
    "rules": rules,
    "thousand": thousand,
    "two_deck": two_deck,
    "vegas": vegas,
    "vegas_minute": vegas_minute,
    "lag": lag,
}
SEARCH = Search(MEMORY)


def main(names: list[str]) -> None:
    """Run the sections called ``names``."""
    if not KERNEL_COMPILED:
        sys.exit("the kernels are not compiled: run `make kernel`")
    if unknown := [name for name in names if name not in SECTIONS]:
        sys.exit(f"no such section: {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    warm(SEARCH)
    head()
    for name in names or DEFAULT:
        SECTIONS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
