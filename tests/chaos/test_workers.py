"""Several workers on one port: each serves, a dead one is started again, all stop together."""

import asyncio
import os
import signal
import time
import urllib.request
from pathlib import Path

import pytest

from scripts.cluster import Node, Redis
from tests.chaos.conftest import only_long
from tests.chaos.invariants import check
from tests.chaos.players import duel

pytestmark = [pytest.mark.chaos, pytest.mark.live]


def children(pid: int) -> set[int]:
    """The processes that `pid` started."""
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def workers(pid: int) -> set[int]:
    """Those of them that are workers (and no search process of theirs)."""
    return {child for child in children(pid) if b"serve" in Path(f"/proc/{child}/cmdline").read_bytes()}


async def until(seconds: float, holds: object) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # type: ignore[operator]
            await asyncio.sleep(0.05)


async def test_workers_share_a_port_and_one_that_dies_is_started_again(tmp_path: Path) -> None:
    redis = Redis(tmp_path / "redis")
    node = Node(redis.url, tmp_path / "log", "--workers", "2", "--message-rate", "0", "--durability", "process")
    try:
        await asyncio.to_thread(redis.start)
        await asyncio.to_thread(node.start)
        url = f"ws://127.0.0.1:{node.port}/ws"
        assert (tmp_path / "log").read_text().count("is running") == 1
        async with duel(url, 31) as (match, ann, bob):
            for _ in range(2):
                await until(10, lambda: len(workers(node.pid)) == 2)
                await asyncio.sleep(0.5)
                os.kill(min(workers(node.pid)), signal.SIGKILL)
                died = time.monotonic()
                async with asyncio.timeout(10):
                    await asyncio.gather(ann.plays_again(died), bob.plays_again(died))
            await until(10, lambda: len(workers(node.pid)) == 2)
            await asyncio.gather(ann.rest(), bob.rest())
            await check(redis.url, match, (ann, bob))
        assert node.terminate() == 0
    finally:
        node.kill()
        redis.kill()


@only_long
async def test_workers_end_with_their_parent_and_show_their_own_figures(tmp_path: Path) -> None:
    redis = Redis(tmp_path / "redis")
    node = Node(redis.url, tmp_path / "log", "--workers", "2", "--metrics", "--durability", "process")
    try:
        await asyncio.to_thread(redis.start)
        await asyncio.to_thread(node.start)
        await until(10, lambda: len(workers(node.pid)) == 2)

        def figures(number: int) -> bytes:
            address = f"http://127.0.0.1:{node.port + 1 + number}/metrics"
            with urllib.request.urlopen(address, timeout=5) as answer:
                found: bytes = answer.read()
                return found

        await asyncio.sleep(1)
        for number in range(2):
            assert b"double_solitaire_connections" in await asyncio.to_thread(figures, number)
        alive = workers(node.pid)
        node.kill()
        await until(10, lambda: not any(Path(f"/proc/{pid}").exists() for pid in alive))
    finally:
        node.kill()
        redis.kill()


async def test_workers_that_cannot_start_say_why_once(tmp_path: Path) -> None:
    node = Node("redis://127.0.0.1:1/0", tmp_path / "log", "--workers", "2")
    node.launch()
    assert node.running is not None
    assert await asyncio.to_thread(node.running.wait, 20) == 1
    assert "cannot be reached" in (tmp_path / "log").read_text()
