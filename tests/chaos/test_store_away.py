"""Redis is killed, fails over, is cut off: nothing acknowledged is lost that was to be kept, nobody pays for the outage
with more than 3 s of his clock, and what was lost is said and never guessed.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from redis.asyncio import Redis as Client

from scripts.cluster import Cluster, Node, Process, Redis, free_port
from scripts.relay import Relay, is_ready
from server.facts import Forked, unpack
from shared.protocol import Notice
from tests.chaos.conftest import Lines, only_long, rounds
from tests.chaos.invariants import check, read_log
from tests.chaos.players import Actor, duel

pytestmark = [pytest.mark.chaos, pytest.mark.live]


async def holds(what: Callable[[], bool], seconds: float) -> None:
    """Wait until it holds; fail after ``seconds``."""
    async with asyncio.timeout(seconds):
        while not what():
            await asyncio.sleep(0.02)


async def both_play(actors: Sequence[Actor], seconds: float) -> float:
    """Wait until each has a verdict of a play made from now on; return how long it took."""
    began = time.monotonic()
    async with asyncio.timeout(seconds):
        return max(await asyncio.gather(*(actor.plays_again(began) for actor in actors)))


@contextlib.asynccontextmanager
async def notices(actor: Actor) -> AsyncIterator[list[str]]:
    """What the server says of itself meanwhile."""
    heard: list[str] = []

    async def listen() -> None:
        async for message in actor.guest.connection.messages():
            heard.extend([message.what] if isinstance(message, Notice) else [])

    task = asyncio.create_task(listen())
    await asyncio.sleep(0)
    try:
        yield heard
    finally:
        task.cancel()


@pytest.mark.timeout(300)
async def test_redis_is_killed_and_comes_back_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """appendfsync always: an answer means that it is on the disk. The outage costs nobody more than 3 s."""
    options = ("--durability", "disk")
    async with Cluster(tmp_path / "c", options=options, fsync="always") as cluster:
        url = cluster.redis.url
        async with duel(cluster.url, 11) as (match, ann, bob), notices(bob) as heard:
            for round_ in range(rounds(1, 5)):
                await asyncio.sleep(0.5)
                before = (await read_log(url, match))[-1].at
                cluster.redis.kill()
                gone = time.monotonic()
                await asyncio.sleep(3.5 + round_)
                if round_ == 0:
                    assert "unavailable" in heard
                    assert not any([await is_ready(node.port) for node in cluster.nodes])
                await asyncio.to_thread(cluster.redis.start)
                away = time.monotonic() - gone
                await both_play((ann, bob), 15)
                passed = time.monotonic() - gone
                after = (await read_log(url, match))[-1].at
                assert (after - before) / 1000 <= passed - away + 3.5, "the outage is not charged"
            await asyncio.gather(ann.rest(), bob.rest())
            await check(url, match, (ann, bob))


@contextlib.asynccontextmanager
async def node_behind(line: Relay, cluster: Cluster, log: Path) -> AsyncIterator[Node]:
    """One more node of the cluster, which reaches Redis by ``line`` only."""
    node = Node(f"redis://127.0.0.1:{line.port}/0", log, "--message-rate", "0", "--durability", "process")
    try:
        await asyncio.to_thread(node.start)
        cluster.nodes.append(node)
        yield node
    finally:
        node.kill()


@only_long
@pytest.mark.timeout(300)
async def test_a_node_is_cut_off_from_redis_and_its_players_go_to_the_other(tmp_path: Path, lines: Lines) -> None:
    """First the bytes go nowhere (a partition: no reset is seen), then they come after all; then the line is cut."""
    async with Cluster(tmp_path / "c", nodes=1) as cluster:
        line = await lines.to(cluster.redis.port)
        async with node_behind(line, cluster, tmp_path / "apart.log") as apart:
            first = f"ws://127.0.0.1:{apart.port}/ws"
            async with duel("", 12, urls=(first, cluster.url)) as (match, ann, bob), notices(ann) as heard:
                ann.guest.move(cluster.url)  # where she goes when this line is of no use
                await asyncio.sleep(0.3)
                line.hold(held=True)
                began = time.monotonic()
                await holds(lambda: "unavailable" in heard, 4)
                assert not await is_ready(apart.port)
                async with asyncio.timeout(10):
                    await ann.plays_again(began)
                print(f"played on at the other node {ann.acks[-1].at - began:.1f} s after the partition began")
                await asyncio.sleep(4)
                line.hold(held=False)
                await asyncio.sleep(2)
                assert "taken for dead" in apart.log.read_text()
                await both_play((ann, bob), 5)
                for _ in range(3):
                    line.cut()
                    await asyncio.sleep(0.2)
                await both_play((ann, bob), 5)
                await asyncio.gather(ann.rest(), bob.rest())
                await check(cluster.redis.url, match, (ann, bob))


@pytest.mark.timeout(200)
async def test_lines_to_redis_that_are_cut_again_and_again_take_each_play_once(tmp_path: Path, lines: Lines) -> None:
    """Appends are cut off before and after they were done, and sent again: none is lost, none is in twice."""
    async with Cluster(tmp_path / "c", nodes=1) as cluster:
        line = await lines.to(cluster.redis.port)
        async with node_behind(line, cluster, tmp_path / "node.log") as node:
            urls = (f"ws://127.0.0.1:{node.port}/ws", cluster.url)
            async with duel("", 13, urls=urls, pause=0.02) as (match, ann, bob):
                for cut in range(rounds(8, 200)):
                    line.delay = 0.0 if cut % 2 else 0.01
                    await asyncio.sleep(0.05 + 0.01 * (cut % 7))
                    line.cut()
                line.delay = 0.0
                await both_play((ann, bob), 10)
                await asyncio.gather(ann.rest(), bob.rest())
                await check(cluster.redis.url, match, (ann, bob))


@contextlib.asynccontextmanager
async def trio(folder: Path, durability: str) -> AsyncIterator[tuple[str, Redis, Redis, list[Node]]]:
    """A master, a replica, three sentinels, two nodes that are told the sentinels. Where each answer waits for a
    replica there is a second one, so that one is left after the failover.
    """
    master = Redis(folder / "master", "--repl-diskless-sync-delay", "0")
    replicas = [Redis(folder / "replica", "--replicaof", "127.0.0.1", str(master.port))]
    if durability == "replica":
        replicas.append(Redis(folder / "spare", "--replicaof", "127.0.0.1", str(master.port)))
    ports = [free_port() for _ in range(3)]
    sentinels = [sentinel(folder / f"s{port}", port, master.port) for port in ports]
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    url = f"redis+sentinel://{hosts}/games"
    nodes = [Node(url, folder / f"node{n}.log", "--durability", durability) for n in range(2)]
    try:
        for process in (master, *replicas, *sentinels):
            await asyncio.to_thread(process.start)
        await asyncio.sleep(2.5)  # the replica has caught up, the sentinels know each other
        for node in nodes:
            await asyncio.to_thread(node.start)
        yield url, master, replicas[0], nodes
    finally:
        for process in (*nodes, *sentinels, *replicas, master):
            process.kill()


def sentinel(folder: Path, port: int, master: int) -> Process:
    """One of three that watch over the master."""
    folder.mkdir()
    conf = folder / "sentinel.conf"
    conf.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor games 127.0.0.1 {master} 2\n"
        "sentinel down-after-milliseconds games 1000\nsentinel failover-timeout games 5000\n"
    )
    return Process(["redis-server", str(conf), "--sentinel"], folder / "log")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("durability", [pytest.param("replica", marks=only_long), "process"])
async def test_redis_fails_over(tmp_path: Path, durability: str) -> None:
    """With `replica` nothing that was acknowledged is lost: an answer waits for the replica. With `process` the last
    moments are: then both are shown what is left, the game is void and dealt anew, and no two histories go on side by
    side.
    """
    loses = durability == "process"
    async with trio(tmp_path, durability) as (url, master, replica, nodes):
        urls = [f"ws://127.0.0.1:{node.port}/ws" for node in nodes]
        async with duel("", 14, urls=urls, pause=0.2) as (match, ann, bob):
            await asyncio.sleep(0.5)
            if loses:
                replica.freeze()
                async with Client(port=master.port) as client:  # what comes now does not even wait in its socket
                    await client.execute_command("CLIENT", "KILL", "TYPE", "replica")
                await asyncio.sleep(0.7)
            shown = min(ann.session.no, bob.session.no)
            master.kill()
            if loses:
                replica.thaw()
            took = await both_play((ann, bob), 30)
            print(f"{durability}: both played on {took:.1f} s after the failover began")
            await asyncio.sleep(0.5)
            await asyncio.gather(ann.rest(), bob.rest())
            rewound = [actor.session.rewound for actor in (ann, bob)]
            log = await check(url, match, (ann, bob), forks=loses)
            assert all(rewound) if loses else not any(rewound), "what was shown and lost was taken back"
            forked = [stored.no for stored in log if isinstance(unpack(stored.data), Forked)]
            assert not loses or forked[0] <= shown + 2, "at the place where the histories part"
            assert all(node.running is not None and node.running.poll() is None for node in nodes)
