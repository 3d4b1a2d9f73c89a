"""The proxy of docker-compose.yml, the real one with the committed configuration, before nodes of this machine: only
names and ports are other ones.
"""

import asyncio
import shutil
import time
from pathlib import Path

import pytest

from scripts.cluster import Cluster, Process, free_port
from scripts.relay import is_ready
from tests.chaos.conftest import only_long
from tests.chaos.invariants import check
from tests.chaos.players import duel
from tests.live.node import ROOT

pytestmark = [pytest.mark.chaos, pytest.mark.live]


def proxy_before(cluster: Cluster, folder: Path) -> tuple[Process, int]:
    """The proxy, not started, and the port that players come to."""
    program = shutil.which("haproxy") or "/usr/sbin/haproxy"
    if not Path(program).exists():
        pytest.skip("haproxy is not installed (scripts/provide.sh haproxy)")
    text, port = (ROOT / "deploy" / "haproxy.cfg").read_text(), free_port()
    text = text.replace("bind :8080", f"bind 127.0.0.1:{port}").replace("maxconn 50000", "maxconn 500")
    for number, node in enumerate(cluster.nodes, 1):
        text = text.replace(f"node{number}:8080", f"127.0.0.1:{node.port}")
    config = folder / "haproxy.cfg"
    config.write_text(text)
    return Process([program, "-db", "-f", str(config)], folder / "haproxy.log"), port


@only_long
async def test_behind_the_proxy_deploys_and_deaths_are_a_blink(tmp_path: Path) -> None:
    async with Cluster(tmp_path / "c", options=("--behind-proxy",)) as cluster:
        proxy, port = proxy_before(cluster, tmp_path)
        try:
            proxy.start()
            async with asyncio.timeout(10):
                while not await is_ready(port):
                    await asyncio.sleep(0.1)
            assert not await is_ready(port, "/metrics")
            async with duel(f"ws://127.0.0.1:{port}/ws", 41, pause=0.03) as (match, ann, bob):
                began = time.monotonic()
                for node in cluster.nodes:
                    assert await asyncio.to_thread(node.terminate) == 0
                    await asyncio.to_thread(node.start)
                    await asyncio.sleep(1)
                for node in cluster.nodes:
                    node.kill()
                    died = time.monotonic()
                    async with asyncio.timeout(10):
                        await asyncio.gather(ann.plays_again(died), bob.plays_again(died))
                    await asyncio.to_thread(node.start)
                    await asyncio.sleep(1)
                await asyncio.gather(ann.rest(), bob.rest())
                await check(cluster.redis.url, match, (ann, bob))
                gaps = [actor.longest_gap(began) for actor in (ann, bob)]
                print(f"longest waits through two deploys and two deaths: {gaps[0]:.2f} s, {gaps[1]:.2f} s")
                assert max(gaps) < 2
        finally:
            proxy.kill()
