"""Duels over real sockets, beside a bare relay (``bench.relay``) under the same load in the same run.

Closed loop: every seat sends its next play when the verdict of its last has come, so that the server is never idle.
Open loop: plays at a given rate, for the latency. The server runs alone on one core, this generator on the other. The
plays are legal ones, chosen from the targets that the server sends. ``python -m bench.duel_load --help``.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import uvloop
from msgspec import Struct

from bench.seats import Counter, RelaySeat, Seat
from shared.protocol import JSON, MSGPACK

ROOT = Path(__file__).resolve().parent.parent
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
#: Seats that say hello at once: a store that syncs the disk has its own pace.
AT_ONCE = 50


class Window(Struct):
    """What one window showed. ``cpu_us``: of the server process, per accepted play; ``kernel_us``: of it in the kernel.
    ``busy``, ``search_busy``, ``generator_busy``: shares of a core that the server, its search process and this
    generator took.
    """

    name: str
    plays: int
    refused: int
    seconds: float
    cpu_us: float
    kernel_us: float
    busy: float
    search_busy: float
    generator_busy: float
    p50_ms: float
    p99_ms: float

    @property
    def rate(self) -> float:
        """Accepted plays a second."""
        return self.plays / self.seconds


def cpu_seconds(pid: int, *, kernel: bool = False) -> float:
    """Processor time that process ``pid`` has used, all its threads; ``kernel``: in the kernel alone."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[12]) + (0 if kernel else int(fields[11]))) / TICKS_A_SECOND


def children_seconds(pid: int) -> float:
    """Processor time of the processes that ``pid`` started."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                total += cpu_seconds(int(stat.parent.name))
    return total


@contextlib.contextmanager
def running(command: Sequence[str], core: int) -> Iterator[tuple[int, int]]:
    """Run a server on ``core``; yield its process id and the port it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    os.sched_setaffinity(process.pid, {core})
    try:
        assert process.stdout is not None
        found = re.search(r":(\d+)", process.stdout.readline())
        if found is None:
            raise RuntimeError(f"{command[0]}: expected a line with its port")
        yield process.pid, int(found[1])
    finally:
        process.kill()
        process.wait()


async def measure(
    name: str, pid: int, seats: Sequence[Seat] | Sequence[RelaySeat], counter: Counter, options: argparse.Namespace
) -> Window:
    """Let the seats play for a while, then count for ``options.seconds``."""
    with loaded(seats, options.rate):
        await asyncio.sleep(options.warm_up)
        gc.collect()
        counter.open = True
        kernel, search = cpu_seconds(pid, kernel=True), children_seconds(pid)
        begun, cpu, own = time.perf_counter(), cpu_seconds(pid), time.process_time()
        await asyncio.sleep(options.seconds)
        counter.open = False
        seconds = time.perf_counter() - begun
        cpu, own = cpu_seconds(pid) - cpu, time.process_time() - own
        kernel, search = cpu_seconds(pid, kernel=True) - kernel, children_seconds(pid) - search
    p50, p99 = delays_ms(counter)
    return Window(
        name=name,
        plays=counter.plays,
        refused=counter.refused,
        seconds=seconds,
        cpu_us=cpu * 1e6 / max(1, counter.plays),
        kernel_us=kernel * 1e6 / max(1, counter.plays),
        busy=cpu / seconds,
        search_busy=search / seconds,
        generator_busy=own / seconds,
        p50_ms=p50,
        p99_ms=p99,
    )


@contextlib.contextmanager
def loaded(seats: Sequence[Seat] | Sequence[RelaySeat], rate: float | None) -> Iterator[None]:
    """Let the seats play: ``rate`` plays a second in all, or, without one, as fast as it goes."""
    pacing = None
    if rate:
        pacing = asyncio.create_task(pace(seats, rate))
    else:
        for seat in seats:
            seat.eager = True
            seat.go()
    yield
    if pacing is not None:
        pacing.cancel()
    for seat in seats:
        seat.eager = False


def delays_ms(counter: Counter) -> tuple[float, float]:
    """Return the median and the 99th percentile of what was counted, ms."""
    if len(counter.delays) < 2:
        return float("nan"), float("nan")
    cuts = statistics.quantiles(counter.delays, n=100)
    return cuts[49] * 1000, cuts[98] * 1000


async def pace(seats: Sequence[Seat] | Sequence[RelaySeat], rate: float) -> None:
    """Let the seats, one after another, send ``rate`` plays a second in all; one that still waits is passed over."""
    begun, sent, turn = time.perf_counter(), 0, 0
    while True:
        await asyncio.sleep(0.002)
        due = int((time.perf_counter() - begun) * rate) - sent
        for _ in range(min(due, len(seats))):
            seats[turn % len(seats)].go()
            turn += 1
        sent += due


async def load_relay(name: str, pid: int, port: int, options: argparse.Namespace) -> Window:
    """Measure a relay."""
    counter = Counter()
    seats = [RelaySeat(counter, number) for number in range(2 * options.matches)]
    for seat in seats:
        await seat.connect(port)
    window = await measure(name, pid, seats, counter, options)
    for seat in seats:
        seat.close()
    return window


async def load_duels(name: str, pid: int, port: int, codec: str, options: argparse.Namespace) -> Window:
    """Measure the server: seat all duels, start them together, play."""
    counter = Counter()
    seats = [Seat(codec, counter, number) for number in range(2 * options.matches)]
    gate = asyncio.Semaphore(AT_ONCE)

    async def sit(host: Seat, guest: Seat) -> None:
        async with gate:
            await asyncio.gather(host.connect(port), guest.connect(port))
            await guest.join(await host.create())

    await asyncio.gather(*(sit(*seats[at : at + 2]) for at in range(0, len(seats), 2)))
    for seat in seats:
        seat.ready()
    await asyncio.gather(*(seat.playing() for seat in seats))
    window = await measure(name, pid, seats, counter, options)
    for seat in seats:
        seat.close()
    return window


def rows(windows: Sequence[Window]) -> Iterator[str]:
    """The table of a run, in Markdown; ratios are to the relay of the same round."""
    heads = ["server", "plays/s", "of relay", "CPU µs", "kernel", "of relay", "p50 ms", "p99 ms"]
    heads += ["busy", "search", "generator", "refused"]
    yield f"| {' | '.join(heads)} |"
    yield "| --- " * len(heads) + "|"
    relay = windows[0]
    for window in windows:
        relay = window if window.name == "relay" else relay
        yield (
            f"| {window.name} | {window.rate:.0f} | {window.rate / relay.rate:.2f} "
            f"| {window.cpu_us:.1f} | {window.kernel_us:.1f} | {relay.cpu_us / window.cpu_us:.2f} "
            f"| {window.p50_ms:.1f} | {window.p99_ms:.1f} "
            f"| {window.busy:.2f} | {window.search_busy:.2f} | {window.generator_busy:.2f} | {window.refused} |"
        )


def run_relay(options: argparse.Namespace) -> Window:
    """Measure our relay, or another server of the same wire that ``--relay-port`` and ``--relay-pid`` name."""
    with running(["bench.relay"], options.server_core) as (pid, port):
        return uvloop.run(load_relay("relay", pid, port, options))


def run_duels(codec: str, options: argparse.Namespace) -> Window:
    """Measure the server with a log of its own."""
    with tempfile.TemporaryDirectory(dir=options.data) as folder:
        command = ["bench.serve", *(("--data", folder) if options.durable else ())]
        with running(command, options.server_core) as (pid, port):
            name = f"duel {codec.split('.')[1]}, {'log on disk' if options.durable else 'log in memory'}"
            return uvloop.run(load_duels(name, pid, port, codec, options))


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m bench.duel_load", description=__doc__)
    parser.add_argument("--matches", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--warm-up", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0, help="plays a second in all (open loop); 0: closed loop")
    parser.add_argument("--codecs", nargs="+", default=[MSGPACK, JSON])
    parser.add_argument("--memory", dest="durable", action="store_false", help="no disk")
    parser.add_argument("--data", help="folder for the logs (default: the system's temporary one)")
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--generator-core", type=int, default=1)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the rounds; print the table."""
    options = parse(arguments)
    os.sched_setaffinity(0, {options.generator_core})
    windows: list[Window] = []
    for _ in range(options.rounds):
        windows.append(run_relay(options))
        windows.extend(run_duels(codec, options) for codec in options.codecs)
    print("\n".join(rows(windows)))


if __name__ == "__main__":
    main()
