"""What is odd but not down: slow readers, lost hints, a wrong clock, a line that breaks at every number."""

import asyncio
import time
from pathlib import Path

import pytest
from redis.asyncio import Redis as Client

from scripts.cluster import Cluster, Node
from server.archive import decode_archive
from server.storage.base import Appended
from tests.chaos.conftest import Lines, only_long, rounds
from tests.chaos.invariants import check, open_store
from tests.chaos.players import bots, duel

pytestmark = [pytest.mark.chaos, pytest.mark.live]


@only_long
async def test_who_reads_slowly_holds_up_nobody_and_catches_up(cluster: Cluster, lines: Lines) -> None:
    slow = await lines.to(cluster.nodes[0].port)
    async with duel("", 21, urls=(cluster.url, f"ws://127.0.0.1:{slow.port}/ws"), pause=0.03) as (match, ann, bob):
        began = time.monotonic()
        slow.delay = 0.3
        await asyncio.sleep(1)
        slow.delay = 0.0
        slow.hold(held=True)
        await asyncio.sleep(rounds(2, 8))
        seen = bob.session.no
        slow.hold(held=False)
        assert ann.longest_gap(began) < 1
        assert ann.session.no > seen
        async with asyncio.timeout(10):
            await bob.plays_again(time.monotonic())
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


@only_long
async def test_who_is_cut_off_from_his_node_goes_to_another(cluster: Cluster, lines: Lines) -> None:
    """No reset is seen, the bytes go nowhere: the client gives the line up, and plays on elsewhere."""
    dead = await lines.to(cluster.nodes[0].port)
    async with duel("", 26, urls=(f"ws://127.0.0.1:{dead.port}/ws", cluster.url)) as (match, ann, bob):
        ann.guest.move(cluster.url)
        await asyncio.sleep(0.5)
        dead.hold(held=True)
        began = time.monotonic()
        async with asyncio.timeout(25):
            await ann.plays_again(began)
        print(f"elsewhere {time.monotonic() - began:.1f} s after the line fell silent")
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


async def test_hints_that_are_lost_are_made_good(cluster: Cluster) -> None:
    """The nodes' subscriptions are ended again and again while the rival plays on another node."""
    urls = [f"ws://127.0.0.1:{node.port}/ws" for node in cluster.nodes]
    async with Client(port=cluster.redis.port) as redis, duel("", 22, urls=urls, pause=0.03) as (match, ann, bob):
        killed = 0
        for _ in range(rounds(6, 60)):
            await asyncio.sleep(0.15)
            killed += await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        assert killed > 4, "they subscribe again"
        await ann.rest()
        mine = ann.session.no
        async with asyncio.timeout(5):
            await bob.guest.connection.until(lambda session: session.no >= mine)
        await bob.rest()
        await check(cluster.redis.url, match, (ann, bob))


@only_long
async def test_a_node_whose_clock_is_an_hour_off_and_jumps_changes_nothing(tmp_path: Path) -> None:
    async with Cluster(tmp_path / "c", nodes=1) as cluster:
        main = ("-m", "tests.chaos.shifted_node")
        shifted = Node(cluster.redis.url, tmp_path / "shifted.log", main=main)
        await asyncio.to_thread(shifted.start)
        urls = (cluster.url, f"ws://127.0.0.1:{shifted.port}/ws")
        try:
            began = time.monotonic()
            async with duel("", 23, urls=urls) as (match, ann, bob):
                await asyncio.sleep(rounds(4, 20))
                await asyncio.gather(ann.rest(), bob.rest())
                log = await check(cluster.redis.url, match, (ann, bob))
                passed = (time.monotonic() - began) * 1000
                assert 3_000 < log[-1].at - log[0].at < passed + 1_000, "play time is nobody's clock"
        finally:
            shifted.kill()


@pytest.mark.timeout(400)
async def test_a_line_that_breaks_at_every_number(cluster: Cluster) -> None:
    async with duel(cluster.url, 24) as (match, ann, bob):
        async with asyncio.timeout(300):
            for _ in range(rounds(10, 200)):
                no = ann.session.no
                await ann.guest.connection.until(lambda session, no=no: session.no > no)  # type: ignore[misc]
                lines = ann.guest.connection.lines
                await ann.guest.connection.drop()
                await ann.guest.connection.until(
                    lambda session, lines=lines: session.live and ann.guest.connection.lines > lines  # type: ignore[misc]
                )
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


@only_long
@pytest.mark.timeout(400)
async def test_two_computers_play_a_duel_to_its_end_while_nodes_die_and_one_wins(cluster: Cluster) -> None:
    """One end, one winner, told to both; one result and one archive, whatever died on the way."""
    for seed in range(rounds(1, 5)):
        async with bots(cluster.url, 25 + seed) as (match, ann, bob, playing):
            number = 0
            while not playing.done():
                await asyncio.wait((playing,), timeout=1.5)
                if not playing.done() and number < rounds(3, 40):
                    node = cluster.nodes[number % 2]
                    number += 1
                    node.kill()
                    await asyncio.to_thread(node.start)
            await playing
            tables = [guest.session.table for guest in (ann, bob)]
            assert tables[0] is not None
            assert tables[1] is not None
            assert tables[0].result is not None
            assert tables[0].result == tables[1].result
            assert len(tables[0].games) == 1
            async with open_store(cluster.redis.url) as store:
                async with asyncio.timeout(15):
                    while (archive := await store.log.archived(match)) is None:
                        await asyncio.sleep(0.1)
                assert decode_archive(archive).table.result == tables[0].result
                assert [name for _, name, _ in await store.records.results(0)].count(match) == 1
                answer = await store.log.read(match, 0)
                assert isinstance(answer, Appended)
            print(f"{tables[0].result.reason}, {len(answer.entries)} entries, {number} nodes killed on the way")
