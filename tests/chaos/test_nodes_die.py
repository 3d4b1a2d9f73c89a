"""Nodes are killed, frozen and stopped under two players: they play on, and nothing that anybody saw is lost."""

import asyncio
import random
import statistics
import time

import pytest

from scripts.cluster import Cluster, Node
from tests.chaos.conftest import only_long, rounds
from tests.chaos.invariants import check
from tests.chaos.players import LONG, Actor, duel

pytestmark = [pytest.mark.chaos, pytest.mark.live]

#: Both play on so soon after a node's death, seconds, in 99 of 100 kills.
ON_IN = 2.0


def told(waits: list[float]) -> str:
    """The distribution in words."""
    ordered = sorted(waits)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.9, 0.99)]
    return (
        f"{len(waits)} kills: both played on after {at[0]:.2f} s in the median, {at[1]:.2f} s in 90 %, "
        f"{at[2]:.2f} s in 99 %, {ordered[-1]:.2f} s at worst, {statistics.mean(waits):.2f} s on average; "
        f"{sum(wait <= ON_IN for wait in waits)} within {ON_IN} s"
    )


async def kill_one(node: Node, ann: Actor, bob: Actor) -> float:
    """Kill a node in the middle of a game and start it again; return after how long both had played on."""
    while any(a.session.table is None or a.session.table.phase != "playing" for a in (ann, bob)):
        await asyncio.sleep(0.1)
    node.kill()
    died = time.monotonic()
    async with asyncio.timeout(20):
        wait = max(await asyncio.gather(ann.plays_again(died), bob.plays_again(died)))
    await asyncio.to_thread(node.start)
    return wait


@pytest.mark.timeout(1800)
async def test_a_node_is_killed_again_and_again_in_the_middle_of_a_duel(cluster: Cluster) -> None:
    """Each time it is a node with at least one of the two: after a death both are on the other one, which dies next,
    once the first is back and Ann has perhaps gone over.
    """
    chance = random.Random(4)
    waits: list[float] = []
    kills = rounds(4, 200)
    while len(waits) < kills:
        async with duel(cluster.url, chance.getrandbits(30)) as (match, ann, bob):
            await kill_one(cluster.nodes[0], ann, bob)
            for number in range(min(20, kills - len(waits))):
                if chance.random() < 0.5:
                    await ann.guest.connection.drop()
                await asyncio.sleep(0.2 + 0.4 * chance.random())
                lines = [actor.guest.connection.lines for actor in (ann, bob)]
                waits.append(await kill_one(cluster.nodes[(number + 1) % 2], ann, bob))
                assert lines != [actor.guest.connection.lines for actor in (ann, bob)], "somebody was there"
            await asyncio.gather(ann.rest(), bob.rest())
            await check(cluster.redis.url, match, (ann, bob))
    print(told(waits))
    late = sum(wait > ON_IN for wait in waits)
    assert late * 100 <= len(waits), told(waits)


async def test_the_node_of_both_players_dies_and_the_other_takes_the_match_over(cluster: Cluster) -> None:
    one, other = cluster.nodes
    first = f"ws://127.0.0.1:{one.port}/ws"
    async with duel(first, 5) as (match, ann, bob):
        await asyncio.sleep(0.5)
        one.kill()
        died = time.monotonic()
        for actor in (ann, bob):
            actor.guest.move(f"ws://127.0.0.1:{other.port}/ws")
        async with asyncio.timeout(10):
            await asyncio.gather(ann.plays_again(died), bob.plays_again(died))
        await asyncio.sleep(0.3)
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


@only_long
async def test_a_phone_goes_from_node_to_node_and_its_rival_sees_it_stay(cluster: Cluster) -> None:
    urls = [f"ws://127.0.0.1:{node.port}/ws" for node in cluster.nodes]
    async with duel(urls[0], 6) as (match, ann, bob):
        for number in range(rounds(6, 40)):
            await asyncio.sleep(0.3)
            ann.guest.move(urls[(number + 1) % 2])
            began = time.monotonic()
            await ann.guest.connection.drop()
            async with asyncio.timeout(5):
                await ann.plays_again(began)
            table = bob.session.table
            assert table is not None
            assert all(player is not None and player.present for player in table.players)
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


@only_long
@pytest.mark.timeout(180)
async def test_a_node_is_frozen_for_ten_seconds_and_wakes(cluster: Cluster) -> None:
    """The others bury it; it wakes, is told so, sends its players away and serves on under another name."""
    one, other = cluster.nodes
    urls = [f"ws://127.0.0.1:{node.port}/ws" for node in (one, other)]
    async with duel("", 7, urls=urls, terms=LONG) as (match, ann, bob):
        lines = ann.guest.connection.lines
        await asyncio.sleep(0.3)
        one.freeze()
        await asyncio.sleep(10)
        assert bob.session.table is not None
        assert not bob.session.table.players[0].present  # type: ignore[union-attr]
        one.thaw()
        woke = time.monotonic()
        async with asyncio.timeout(20):
            await asyncio.gather(ann.plays_again(woke), bob.plays_again(woke))
            await ann.guest.connection.until(lambda _: ann.guest.connection.lines > lines)
            await ann.plays_again(time.monotonic())
        assert "taken for dead" in one.log.read_text()
        await asyncio.sleep(1.5)
        assert bob.session.table.players[0].present  # type: ignore[union-attr]
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))


@pytest.mark.timeout(240)
async def test_a_rolling_deploy_is_a_blink(cluster: Cluster) -> None:
    """Each node in turn is told to stop: it is gone in 5 s, its players are elsewhere before, and never wait long."""
    async with duel(cluster.url, 8, pause=0.03) as (match, ann, bob):
        for _ in range(rounds(1, 5)):
            for node in cluster.nodes:
                began = time.monotonic()
                status = await asyncio.to_thread(node.terminate)
                assert status == 0
                assert time.monotonic() - began < 5
                await asyncio.to_thread(node.start)
                await asyncio.sleep(0.5)
        await asyncio.gather(ann.rest(), bob.rest())
        await check(cluster.redis.url, match, (ann, bob))
    for actor in (ann, bob):
        print(f"longest wait between two verdicts: {actor.longest_gap():.2f} s")
        assert actor.longest_gap() < ON_IN
