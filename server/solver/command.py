"""``double-solitaire solve``: JSON lines in, one JSON line out for each, in order (docs/solver.md, Command)."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Queue
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from server.solver.problem import Problem
from server.solver.question import id_of, parse_question, problem_of
from server.solver.search import Search
from server.solver.solve import solve
from shared.notation import command_text

_BAR: Final = 30


class Options(Struct, frozen=True):
    """``seconds``, ``states``: most for one deal; ``memory``: bytes of table for each of ``workers`` threads."""

    seconds: float | None = 60.0
    states: int | None = None
    memory: int = 1 << 27
    workers: int = 1


class Output(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Write ``text``."""
        ...

    def flush(self) -> object:
        """Let it be seen."""
        ...


class _Worker:
    """Answers lines, each thread with a search of its own."""

    def __init__(self, options: Options, clock: Callable[[], float]) -> None:
        self._options = options
        self._clock = clock
        self._own = threading.local()
        self.stop = threading.Event()

    def answer(self, number: int, line: str) -> tuple[str, str]:
        """The line of output for a line of input, and its result (``error`` for a bad one)."""
        name: str | int | None = None
        try:
            question = parse_question(line)
            name = question.id
            reply = self._solve(problem_of(question))
        except ValueError as error:
            reply = {"line": number, "error": str(error)}
            name = id_of(line)
        return msgspec.json.encode({"id": name, **reply}).decode(), str(reply.get("result", "error"))

    def _solve(self, problem: Problem) -> dict[str, object]:
        search: Search | None = getattr(self._own, "search", None)
        if search is None:
            search = self._own.search = Search(self._options.memory)
        verdict = solve(
            problem,
            search,
            self._clock,
            states=self._options.states,
            seconds=self._options.seconds,
            cancelled=self.stop.is_set,
        )
        moves = None if verdict.moves is None else [command_text(step) for step in verdict.moves]
        reply: dict[str, object] = {
            "result": verdict.result,
            "states": verdict.states,
            "seconds": round(verdict.seconds, 6),
            "moves": moves,
        }
        return reply if verdict.limit is None else {**reply, "limit": verdict.limit}


class _Progress:
    """A bar on a terminal: how many lines are answered, of how many if that is known, and how."""

    def __init__(self, out: Output | None, total: int | None) -> None:
        self._out = out
        self._total = total
        self._tally: Counter[str] = Counter()

    def count(self, result: str) -> None:
        """One more line is answered."""
        self._tally[result] += 1
        if self._out is None:
            return
        done = self._tally.total()
        bar = ""
        if self._total:
            full = _BAR * done // self._total
            bar = f"[{'#' * full}{'.' * (_BAR - full)}] {done}/{self._total}"
        counts = ", ".join(f"{self._tally[name]} {name}" for name in ("win", "loss", "unknown", "error"))
        self._out.write(f"\r{bar or done}  {counts}")
        self._out.flush()

    def end(self) -> None:
        """Leave the bar's line."""
        if self._out is not None and self._tally:
            self._out.write("\n")


def run(
    lines: Iterable[str],
    out: Output,
    options: Options,
    clock: Callable[[], float],
    progress: Output | None = None,
) -> int:
    """Answer ``lines`` on ``out``, in order; 1 if one of them was bad, else 0. Empty lines are left out.

    ``clock``: seconds that only grow. ``progress``: a terminal to draw a bar on; its end is known if ``lines`` is a
    sequence.
    """
    worker = _Worker(options, clock)
    total = sum(bool(line.strip()) for line in lines) if isinstance(lines, Sequence) else None
    waiting: Queue[Future[tuple[str, str]] | None] = Queue(2 * options.workers)
    writer = _Writer(waiting, out, _Progress(progress, total), worker.stop)
    with ThreadPoolExecutor(options.workers, thread_name_prefix="solve") as threads:
        writer.start()
        try:
            for number, line in enumerate(lines, 1):
                if writer.failure is not None:
                    break
                if line.strip():
                    waiting.put(threads.submit(worker.answer, number, line))
        except BaseException:
            worker.stop.set()
            raise
        finally:
            waiting.put(None)
            writer.join()
    if writer.failure is not None:
        raise writer.failure
    return int(writer.bad)


class _Writer(threading.Thread):
    """Writes the answers in order, each as soon as it is there, while more lines are read or waited for."""

    def __init__(
        self,
        waiting: "Queue[Future[tuple[str, str]] | None]",
        out: Output,
        progress: _Progress,
        stop: threading.Event,
    ) -> None:
        super().__init__(name="answers")
        self.bad = False
        self.failure: Exception | None = None
        self._waiting = waiting
        self._out = out
        self._progress = progress
        self._stop_all = stop

    def run(self) -> None:
        """Write until ``None`` comes. After a failure all that waits is taken and dropped, so that nobody blocks."""
        while (future := self._waiting.get()) is not None:
            if self.failure is not None:
                continue
            try:
                self._write(*future.result())
            except Exception as failure:  # noqa: BLE001 - it is raised where the command runs
                self.failure = failure
                self._stop_all.set()
        self._progress.end()

    def _write(self, text: str, result: str) -> None:
        self.bad = self.bad or result == "error"
        self._out.write(text + "\n")
        self._out.flush()
        self._progress.count(result)
