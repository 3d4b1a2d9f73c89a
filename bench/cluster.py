"""Duels on 1, 2 and 4 node processes that share one Redis: moves a second, and what each costs the nodes and Redis.

Each seat connects to a node drawn at random, as behind a balancer without stickiness: with n nodes the two players of a
match sit on different ones in (n - 1) of n matches, and then each move costs a hint and a reading more. First the load
is open (a given rate, for cost and latency), then closed (as fast as it goes). Redis appends to its file once a second
(``--fsync always`` to flush each batch). On a machine of few cores the nodes share them with Redis and the players:
then the costs a move hold, and the rates do not add up. ``python -m bench.cluster --help``.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import redis as library
import uvloop
from msgspec import Struct

from bench.duel_load import cpu_seconds, delays_ms, loaded
from bench.seats import Counter, Seat
from scripts.cluster import Node, Redis
from shared.protocol import MSGPACK

AT_ONCE = 20


class Window(Struct):
    """What one window showed. CPU in µs a move; ``busy``: shares of a core, of all nodes and of Redis."""

    nodes: int
    load: str
    rate: float
    node_us: float
    redis_us: float
    nodes_busy: float
    redis_busy: float
    commands: float
    p50_ms: float
    p99_ms: float


def calls(redis: Redis) -> int:
    """How many commands Redis has done, those inside its scripts too."""
    with library.Redis(port=redis.port) as client:
        info = client.info("stats")
    return int(info["total_commands_processed"])


async def sit(ports: Sequence[int], matches: int, counter: Counter, chance: random.Random) -> list[Seat]:
    """Seat players of so many duels at nodes drawn at random, and let them begin."""
    seats = [Seat(MSGPACK, counter, number) for number in range(2 * matches)]
    gate = asyncio.Semaphore(AT_ONCE)

    async def pair(host: Seat, guest: Seat) -> None:
        async with gate:
            await asyncio.gather(host.connect(chance.choice(ports)), guest.connect(chance.choice(ports)))
            await guest.join(await host.create())

    await asyncio.gather(*(pair(*seats[at : at + 2]) for at in range(0, len(seats), 2)))
    for seat in seats:
        seat.ready()
    await asyncio.gather(*(seat.playing() for seat in seats))
    return seats


async def window(
    load: str, seats: Sequence[Seat], counter: Counter, nodes: Sequence[Node], redis: Redis, options: argparse.Namespace
) -> Window:
    """Play for a while, then count for ``options.seconds``."""
    with loaded(seats, options.rate if load == "open" else None):
        await asyncio.sleep(options.warm_up)
        counter.plays, counter.delays = 0, []
        done, began = calls(redis), time.perf_counter()
        node_cpu, redis_cpu = sum(cpu_seconds(node.pid) for node in nodes), cpu_seconds(redis.pid)
        counter.open = True
        await asyncio.sleep(options.seconds)
        counter.open = False
        seconds = time.perf_counter() - began
        node_cpu = sum(cpu_seconds(node.pid) for node in nodes) - node_cpu
        redis_cpu = cpu_seconds(redis.pid) - redis_cpu
    p50, p99 = delays_ms(counter)
    plays = max(1, counter.plays)
    return Window(
        nodes=len(nodes),
        load=load,
        rate=plays / seconds,
        node_us=node_cpu * 1e6 / plays,
        redis_us=redis_cpu * 1e6 / plays,
        nodes_busy=node_cpu / seconds,
        redis_busy=redis_cpu / seconds,
        commands=(calls(redis) - done) / plays,
        p50_ms=p50,
        p99_ms=p99,
    )


def memory(nodes: Sequence[Node], redis: Redis) -> tuple[float, float]:
    """Resident memory of the nodes, and what Redis uses, KB."""
    with library.Redis(port=redis.port) as client:
        used = float(client.info("memory")["used_memory"])
    lines = (Path(f"/proc/{node.pid}/status").read_text().partition("VmRSS:")[2].split()[0] for node in nodes)
    return float(sum(map(int, lines))), used / 1024


async def idle(nodes: Sequence[Node], redis: Redis, matches: int, before: tuple[float, float]) -> None:
    """Print what players weigh who sit at their duels and only think."""
    after = memory(nodes, redis)
    began = sum(cpu_seconds(node.pid) for node in nodes), cpu_seconds(redis.pid)
    await asyncio.sleep(5)
    node_cpu = (sum(cpu_seconds(node.pid) for node in nodes) - began[0]) / 5 / len(nodes)
    redis_cpu = (cpu_seconds(redis.pid) - began[1]) / 5
    players = 2 * matches
    print(
        f"{len(nodes)} nodes, {players} players thinking: each weighs {(after[0] - before[0]) / players:.1f} KB of a "
        f"node, a match {(after[1] - before[1]) / matches:.1f} KB of Redis; a node alone "
        f"{before[0] / len(nodes) / 1024:.0f} MB; CPU {node_cpu:.1%} of a core a node, {redis_cpu:.1%} Redis",
        flush=True,
    )


async def load_nodes(nodes: Sequence[Node], redis: Redis, options: argparse.Namespace) -> list[Window]:
    """Measure a cluster that runs."""
    counter = Counter()
    ports = [node.port for node in nodes]
    before = memory(nodes, redis)
    seats = await sit(ports, options.matches, counter, random.Random(len(nodes)))
    await idle(nodes, redis, options.matches, before)
    windows = [await window(load, seats, counter, nodes, redis, options) for load in ("open", "closed")]
    for seat in seats:
        seat.close()
    return windows


def run(count: int, options: argparse.Namespace) -> list[Window]:
    """Start a cluster of ``count`` nodes, measure, end it."""
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as folder:
        place = Path(folder)
        redis = Redis(place / "redis", fsync=options.fsync)
        nodes = [
            Node(redis.url, place / f"{n}.log", "--durability", "process", main=("-m", "bench.serve"))
            for n in range(count)
        ]
        try:
            redis.start()
            for node in nodes:
                node.launch()
            for node in nodes:
                node.wait()
            return uvloop.run(load_nodes(nodes, redis, options))
        finally:
            for process in (*nodes, redis):
                process.kill()


def rows(windows: Sequence[Window]) -> Iterator[str]:
    """The table, in Markdown."""
    heads = ["nodes", "load", "moves/s", "node CPU µs", "Redis CPU µs", "nodes busy", "Redis busy", "commands"]
    heads += ["p50 ms", "p99 ms"]
    yield f"| {' | '.join(heads)} |"
    yield "| --- " * len(heads) + "|"
    for one in windows:
        yield (
            f"| {one.nodes} | {one.load} | {one.rate:.0f} | {one.node_us:.0f} | {one.redis_us:.0f} "
            f"| {one.nodes_busy:.2f} | {one.redis_busy:.2f} | {one.commands:.2f} "
            f"| {one.p50_ms:.1f} | {one.p99_ms:.1f} |"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each number of nodes; print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--rate", type=float, default=500, help="moves a second of the open load")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--warm-up", type=float, default=2)
    parser.add_argument("--fsync", choices=["everysec", "always"], default="everysec")
    options = parser.parse_args(arguments)
    print(f"{os.cpu_count()} cores, {options.matches} duels, Redis fsync {options.fsync}")
    print("\n".join(rows([one for count in options.nodes for one in run(count, options)])))


if __name__ == "__main__":
    main()
