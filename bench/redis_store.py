"""What the store on Redis costs: ``python -m bench.redis_store [seconds a row]``.

Closed loop: so many appends of 120 bytes are out at any time, over 2000 matches that one node hosts; each answer
begins the next append. ``loop`` is CPU of the event loop's thread an append (the driving, about 1 µs, included),
``redis`` that of the Redis processes. Each row is the median of three runs, with the lowest and the highest.
"""

import asyncio
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

import uvloop

from bench.store import ENTRY, mono_ms, percentile
from server.storage.base import Appended, AppendResult, MatchLog
from server.storage.redis import open_redis
from tests.redis_servers import AOF, RedisServer, Trio, make_cluster

MATCHES = 2000
OUT = (1, 20, 100, 500)
RUNS = 3


class Load:
    """Keeps appends out until the time is over."""

    def __init__(self, log: MatchLog, names: list[str], seconds: float) -> None:
        self.log = log
        self.names = names
        self.have = [1] * len(names)
        self.turn = 0
        self.out = 0
        self.latencies: list[float] = []
        self.end = time.perf_counter() + seconds
        self.failed = 0

    def send(self) -> None:
        """One append."""
        turn = self.turn
        self.turn = (turn + 1) % len(self.names)
        self.out += 1
        self.log.append(self.names[turn], self.have[turn], (ENTRY,), partial(self._done, turn, time.perf_counter()))

    def _done(self, turn: int, begun: float, result: AppendResult) -> None:
        now = time.perf_counter()
        self.out -= 1
        self.latencies.append(now - begun)
        if isinstance(result, Appended):
            self.have[turn] = result.entries[-1].no
        else:
            self.failed += 1
        if now < self.end:
            self.send()


def cpu_of(servers: list[RedisServer]) -> float:
    """Return the CPU that the servers used so far, s."""
    used = 0
    for server in servers:
        assert server.process is not None
        for task in Path(f"/proc/{server.process.pid}/task").iterdir():
            used += int((task / "schedstat").read_text().split()[0])
    return used / 1e9


async def run(log: MatchLog, names: list[str], servers: list[RedisServer], out: int, seconds: float) -> list[float]:
    """Return appends a second, CPU of the loop and of Redis an append (µs), and latencies (p50, p99, ms)."""
    heads = await asyncio.gather(*(log.read(name, 0) for name in names))
    load = Load(log, names, seconds)
    load.have = [head.entries[-1].no if isinstance(head, Appended) else 0 for head in heads]
    begun, thread, cpu = time.perf_counter(), time.thread_time(), cpu_of(servers)
    for _ in range(out):
        load.send()
    while load.out:  # noqa: ASYNC110 - a load has no event to wait for
        await asyncio.sleep(0.02)
    took = time.perf_counter() - begun
    count = len(load.latencies)
    assert not load.failed, f"{load.failed} of {count} appends were not taken"
    ours, theirs = (time.thread_time() - thread) / count, (cpu_of(servers) - cpu) / count
    ms = [value * 1e3 for value in load.latencies]
    return [count / took, ours * 1e6, theirs * 1e6, percentile(ms, 0.5), percentile(ms, 0.99)]


def shown(values: list[float], digits: int) -> str:
    """Return median, lowest and highest."""
    return f"{median(values):.{digits}f} ({min(values):.{digits}f} - {max(values):.{digits}f})"


async def table(name: str, url: str, servers: list[RedisServer], durability: str, seconds: float) -> None:
    """Print the rows of one set-up."""
    names = [f"match-{n}" for n in range(MATCHES)]
    assert durability in {"process", "disk", "replica"}
    store = await open_redis(url, mono_ms, randbytes=os.urandom, durability=durability)  # type: ignore[arg-type] # just asserted
    await store.log.join("bench")
    await asyncio.gather(*(store.log.create(match, ENTRY) for match in names))
    await asyncio.gather(*(store.log.register(match) for match in names))
    for out in OUT:
        runs = [await run(store.log, names, servers, out, seconds) for _ in range(RUNS)]
        rate, ours, theirs, p50, p99 = ([one[column] for one in runs] for column in range(5))
        print(
            f"{name:28} {out:>4} out: {shown(rate, 0):>24} /s  loop {shown(ours, 1):>21} µs  "
            f"redis {shown(theirs, 1):>21} µs  p50 {shown(p50, 2)}  p99 {shown(p99, 1)} ms",
            flush=True,
        )
    await store.close()


async def main(seconds: float) -> None:
    """Print the tables."""
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        place = Path(folder)
        every = ("appendonly yes", "appendfsync everysec")
        for name, settings, durability in (("always", AOF, "disk"), ("everysec", every, "process")):
            server = RedisServer(place / name, *settings).start()
            try:
                await table(f"one server, {name}", server.url, [server], durability, seconds)
            finally:
                server.stop()
        trio = Trio(place / "trio")
        try:
            await table("master, replica, WAIT 1", trio.url, [trio.master, trio.replica], "replica", seconds)
        finally:
            for server in trio.all:
                server.stop()
        cluster = make_cluster(place / "cluster")
        try:
            url = f"redis+cluster://127.0.0.1:{cluster[0].port}"
            await table("cluster of three, always", url, cluster, "disk", seconds)
        finally:
            for server in cluster:
                server.stop()


if __name__ == "__main__":
    uvloop.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.5))
