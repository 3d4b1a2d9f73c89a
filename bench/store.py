"""What the stores cost: ``python -m bench.store [seconds a row]``.

Open loop: appends of 120 bytes to 250 matches at a steady rate, all on one event loop. ``loop`` is CPU of the loop's
thread an append, the driving subtracted; ``writer`` is all other CPU of the process; latency is from the call to the
answer. ``busy`` burns so many µs of Python an append beside it, as rooms do, so that the writer must fight for the
interpreter's lock.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from server.storage.base import Appended, AppendResult, MatchLog, Store
from server.storage.memory import MemoryStore
from server.storage.sqlite import open_sqlite

MATCHES = 250
ENTRY = os.urandom(120)


class NoLog:
    """Answers at once: what the driving itself costs."""

    def __init__(self) -> None:
        self.heads: dict[str, int] = {}

    def append(self, match: str, have: int, entries: Sequence[bytes], done: Callable[[AppendResult], None]) -> None:
        """Answer with nothing."""
        self.heads[match] = have
        done(Appended(0, (), len(entries)))


def mono_ms() -> int:
    """The clock of the stores."""
    return time.monotonic_ns() // 1_000_000


def burn(us: float) -> None:
    """Work in Python for ``us``."""
    end = time.perf_counter() + us / 1e6
    while time.perf_counter() < end:
        pass


def percentile(values: list[float], part: float) -> float:
    """Return the value below which ``part`` of ``values`` lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else 0.0


class Load:
    """Appends to the matches in turn; each answer is noted with its latency, s."""

    def __init__(self, log: MatchLog | NoLog, names: list[str], busy_us: float) -> None:
        self.log = log
        self.names = names
        self.busy_us = busy_us
        self.have = [1] * len(names)
        self.sent = 0
        self.latencies: list[float] = []

    def send(self) -> None:
        """One append."""
        turn = self.sent % len(self.names)
        self.sent += 1
        self.log.append(self.names[turn], self.have[turn], (ENTRY,), partial(self._done, turn, time.perf_counter()))

    def _done(self, turn: int, begun: float, result: AppendResult) -> None:
        self.latencies.append(time.perf_counter() - begun)
        if isinstance(result, Appended) and result.entries:
            self.have[turn] = result.entries[-1].no
        if self.busy_us:
            burn(self.busy_us)

    async def run(self, rate: int, seconds: float) -> tuple[float, float, float]:
        """Send at ``rate``/s; return seconds taken, CPU of this thread and of the process."""
        begun, thread, process = time.perf_counter(), time.thread_time(), time.process_time()
        while (now := time.perf_counter() - begun) < seconds:
            for _ in range(int(now * rate) - self.sent):
                self.send()
            await asyncio.sleep(0.0005)
        waited = time.perf_counter()
        while len(self.latencies) < self.sent and time.perf_counter() - waited < 10:  # noqa: ASYNC110 - a load has no event to wait for
            await asyncio.sleep(0.001)
        return time.perf_counter() - begun, time.thread_time() - thread, time.process_time() - process


async def row(name: str, store: Store | None, rate: int, seconds: float, busy_us: float, idle: float) -> float:
    """Run one row, print it, return the CPU of the loop's thread an append, µs."""
    names = [f"{rate}-{busy_us}-{n}" for n in range(MATCHES)]
    log: MatchLog | NoLog = NoLog()
    if store is not None:
        log = store.log
        await asyncio.gather(*(store.log.create(match, ENTRY) for match in names))
    load = Load(log, names, busy_us)
    took, thread, process = await load.run(rate, seconds)
    count = len(load.latencies)
    loop_us = thread / count * 1e6
    latencies = [value * 1e3 for value in load.latencies]
    print(
        f"{name:20} {rate:>7}/s {busy_us:>4.0f} busy: {count / took:>7.0f}/s  loop {loop_us - idle - busy_us:>5.1f} "
        f"µs  writer {(process - thread) / count * 1e6:>5.1f} µs  latency p50 {percentile(latencies, 0.5):>6.2f}  "
        f"p99 {percentile(latencies, 0.99):>6.2f}  max {max(latencies):>6.1f} ms",
        flush=True,
    )
    return loop_us


def flush_latency(place: Path) -> str:
    """Measure the disk: 4 KiB appended and flushed, 200 times."""
    taken = []
    file = os.open(place / "flush", os.O_CREAT | os.O_WRONLY)
    for n in range(200):
        os.pwrite(file, bytes(4096), n * 4096)
        begun = time.perf_counter()
        os.fdatasync(file)
        taken.append((time.perf_counter() - begun) * 1e3)
    os.close(file)
    return f"fdatasync of 4 KiB: p50 {percentile(taken, 0.5):.2f} p99 {percentile(taken, 0.99):.2f} ms"


async def main(seconds: float) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as place:
        print(flush_latency(Path(place)), flush=True)
        for rate, busy_us in [(1000, 0.0), (5000, 0.0), (20000, 0.0), (200000, 0.0), (5000, 100.0), (9000, 100.0)]:
            idle = await row("driving alone", None, rate, seconds / 4, 0, 0)
            stores: list[tuple[str, Store]] = [
                ("memory", MemoryStore(mono_ms)),
                ("sqlite, disk", open_sqlite(Path(place) / f"{rate}-{busy_us}", mono_ms)),
                ("sqlite, no window", open_sqlite(Path(place) / f"{rate}-{busy_us}-0", mono_ms, window_s=0)),
            ]
            for name, store in stores:
                await row(name, store, rate, seconds, busy_us, idle)
                await store.close()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0))
