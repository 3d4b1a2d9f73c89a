"""Where Redis may be: behind TLS and users, named by sentinels, spread over a cluster; and what it must be."""

import asyncio
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from server.storage.base import Appended, AppendResult, Durability, StoreError
from server.storage.redis import open_redis
from server.storage.redis.log import lane_of
from server.storage.redis.ways import Cluster
from tests.redis_servers import AOF, RedisServer, Trio, free_port, make_cluster, shared_trio
from tests.storage.redis_rig import Node, nodes_at, until


async def refused(url: str, durability: Durability = "process") -> str:
    with pytest.raises(StoreError) as caught:
        await open_redis(url, lambda: 0, randbytes=os.urandom, durability=durability)
    assert "sesame" not in str(caught.value)
    return str(caught.value)


async def loses(url: str, durability: Durability) -> str:
    store = await open_redis(url, lambda: 0, randbytes=os.urandom, durability=durability)
    await store.close()
    assert store.log.durability == durability
    return store.loses


@pytest.fixture
def start(tmp_path: Path) -> Iterator["Starter"]:
    starter = Starter(tmp_path)
    yield starter
    for server in starter.all:
        server.stop()


class Starter:
    """Starts servers that end with the test."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.all: list[RedisServer] = []

    def __call__(self, *settings: str, **more: bool) -> RedisServer:
        server = RedisServer(self.place / str(len(self.all)), *settings, **more)
        self.all.append(server)
        return server.start()


# What a server must be.


async def test_20_a_server_that_drops_keys_is_refused(start: Starter) -> None:
    url = start("maxmemory-policy allkeys-lru").url
    assert "maxmemory-policy is allkeys-lru): set maxmemory-policy noeviction" in await refused(url)


async def test_20_durability_that_the_server_has_not_is_refused_and_else_told(start: Starter) -> None:
    server = start("appendonly no")
    assert "appendonly is no" in await refused(server.url, "disk")
    assert "has no replica" in await refused(server.url, "replica")
    assert "since the last snapshot" in await loses(server.url, "process")
    with server.client() as client:
        client.config_set("appendonly", "yes")
        assert "appendfsync is everysec" in await refused(server.url, "disk")
        assert "the last second or two" in await loses(server.url, "process")
        client.config_set("appendfsync", "always")
    assert await loses(server.url, "disk") == await loses(server.url, "disk")
    assert "nothing that was acknowledged" in await loses(server.url, "disk")


async def test_another_layout_of_keys_is_refused(start: Starter) -> None:
    server = start()
    with server.client() as client:
        client.hset("ds:{records}:secrets", "layout", "7")
    assert "in version 7, this program knows version 1" in await refused(server.url)


async def test_a_server_that_is_not_there_or_lets_nobody_in_is_told(start: Starter) -> None:
    assert "cannot be reached" in await refused(f"redis://127.0.0.1:{free_port()}")
    server = start("requirepass sesame")
    assert "cannot be reached" in await refused(f"redis://127.0.0.1:{server.port}")
    assert "cannot be reached" in await refused(f"redis://ann:sesame-not@127.0.0.1:{server.port}")
    assert await loses(f"redis://:sesame@127.0.0.1:{server.port}", "process")


async def test_a_user_with_just_what_is_needed_is_enough(start: Starter) -> None:
    """docs/storage.md, Redis, has this rule for a user; without CONFIG the setting is taken on trust."""
    may = "+@read +@write +@scripting +@pubsub -@dangerous +time +ping +wait +info"
    acl = f"user games on >sesame ~ds:* &ds:* {may}"
    server = start(*AOF, acl)
    url = f"redis://games:sesame@127.0.0.1:{server.port}"
    store = await open_redis(url, lambda: 0, randbytes=os.urandom, durability="disk")
    await store.log.join("a")
    assert isinstance(await store.log.create("m", b"1"), Appended)
    assert (await store.log.beat()).alive
    assert await store.records.add_result("m", b"r")
    assert await store.lobby.claim_code("ABC", "m")
    await store.close()


# TLS.


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    place = tmp_path_factory.mktemp("tls")
    cert, key = place / "cert.pem", place / "key.pem"
    make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    more = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(["openssl", *make.split(), *more], check=True, capture_output=True)
    return cert, key


async def test_tls(start: Starter, certificate: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = certificate
    port = free_port()
    start(*AOF, f"tls-port {port}", f"tls-cert-file {cert}", f"tls-key-file {key}", f"tls-ca-cert-file {cert}",
          "tls-auth-clients no")  # fmt: skip
    url = f"rediss://localhost:{port}"
    assert "certificate verify failed" in await refused(url)
    async with nodes_at(url) as nodes:
        nodes.url = f"{url}?ca={cert}"
        ann, bob = await nodes.open("a"), await nodes.open("b")
        await ann.store.log.create("m", b"1")
        await bob.store.log.register("m")
        await ann.append("m", b"2")
        await until(lambda: bob.hinted)
        assert await bob.data("m") == [b"1", b"2"]


# Sentinels.


@pytest.mark.slow
async def test_20_a_failover_by_sentinels_loses_nothing_acknowledged_with_a_replica(start: Starter) -> None:
    trio = Trio(start.place)
    start.all += trio.all
    assert "no sentinel knows a master other" in await refused(trio.url.replace("/games", "/other"))
    async with nodes_at(trio.url, durability="replica", jumping=False) as nodes:
        node, other = await nodes.open("a"), await nodes.open("b")
        assert "if one machine fails" in node.store.loses
        await node.store.log.create("m", b"1")
        await other.store.log.register("m")
        said = [await node.append("m", b"%d" % n, have=n) for n in range(1, 50)]
        trio.master.signal(signal.SIGKILL)
        sent = [node.start("m", b"during %d" % n, have=0) for n in range(3)]
        with trio.replica.client() as client:
            await until(lambda: client.info("replication")["role"] == "master", 15)
            client.config_set("min-replicas-to-write", "0")
        # One Redis is left: nothing is acknowledged until there is a replica again.
        await asyncio.sleep(0.3)
        assert not any(future.done() for future in sent)
        trio.master.stop()
        trio.master.settings = ()
        config = trio.master.folder / "redis.conf"
        config.write_text(config.read_text() + f"replicaof 127.0.0.1 {trio.replica.port}\n")
        trio.master.start()
        said += await asyncio.wait_for(asyncio.gather(*sent), 20)
        held = await other.data("m")
        for result in said:
            assert isinstance(result, Appended)
            assert held[result.entries[-1].no - 1] == result.entries[-1].data
        assert len(held) == 1 + len(said)
        await until(lambda: "m" in other.missed)
        other.hinted.clear()
        await node.append("m", b"later")
        await until(lambda: other.hinted or other.missed, 10)


async def test_a_sentinel_that_is_silent_or_gone_hides_no_master() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        others = shared_trio().url.partition("://")[2]
        url = f"redis+sentinel://127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{free_port()},{others}"
        async with nodes_at(url, durability="replica") as nodes:
            node = await nodes.open("a")
            assert isinstance(await node.store.log.create("m", b"1"), Appended)


# A cluster.


@pytest.mark.slow
async def test_a_cluster_node_that_is_away_takes_only_its_lanes(tmp_path: Path) -> None:
    servers = make_cluster(tmp_path)
    try:
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
        async with nodes_at(f"redis+cluster://{hosts}") as nodes:
            node = await nodes.open("a")
            names = [f"m{n}" for n in range(30)]
            for name in names:
                await node.store.log.create(name, b"1")
            ways = node.store._ways
            assert isinstance(ways, Cluster)
            where = {name: ways.address(lane_of(name))[1] for name in names}
            assert set(where.values()) == {server.port for server in servers}
            servers[1].stop()
            sent = {name: node.start(name, b"2", have=1) for name in names}
            up = [sent[name] for name in names if where[name] != servers[1].port]
            await asyncio.wait_for(asyncio.gather(*up), 10)
            await asyncio.sleep(0.1)
            down = [sent[name] for name in names if where[name] == servers[1].port]
            assert not any(future.done() for future in down)
            servers[1].start()
            await asyncio.wait_for(asyncio.gather(*down), 20)
            for name in names:
                assert await node.data(name) == [b"1", b"2"]
    finally:
        for server in servers:
            server.stop()


@pytest.mark.slow
async def test_a_lane_that_moves_to_another_node_of_the_cluster_is_followed(tmp_path: Path) -> None:
    """Appends go on while its slot is moved, key by key; none is lost, none doubled."""
    servers = make_cluster(tmp_path)
    try:
        async with nodes_at(f"redis+cluster://127.0.0.1:{servers[0].port}") as nodes:
            node = await nodes.open("a")
            await node.store.log.create("m", b"1")
            ways = node.store._ways
            assert isinstance(ways, Cluster)
            tag = lane_of("m")
            source = next(server for server in servers if server.port == ways.address(tag)[1])
            target = next(server for server in servers if server is not source)
            moving = asyncio.ensure_future(_move(ways._slot(tag), source, target, servers))
            answers: list[AppendResult] = []
            while not moving.done():
                answers.append(await asyncio.wait_for(node.append("m", b"%d" % len(answers), have=0), 10))
            await moving
            answers.append(await node.append("m", b"%d" % len(answers), have=0))
            assert await node.data("m") == [b"1", *(b"%d" % n for n in range(len(answers)))]
            assert ways.address(tag)[1] == target.port
    finally:
        for server in servers:
            server.stop()


async def _move(slot: int, source: RedisServer, target: RedisServer, servers: list[RedisServer]) -> None:
    with source.client() as old, target.client() as new:
        new_id, old_id = _id(new), _id(old)
        new.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", old_id)
        old.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", new_id)
        while keys := old.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 2):
            old.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 2000, "KEYS", *keys)
            await asyncio.sleep(0.05)
        for server in [target, source, *servers]:
            with server.client() as client:
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", new_id)


def _id(client: redis.Redis) -> str:
    found = client.execute_command("CLUSTER", "MYID")
    return found.decode() if isinstance(found, bytes) else str(found)


async def test_hints_come_again_after_the_server_was_away(start: Starter) -> None:
    server = start(*AOF)
    async with nodes_at(server.url, jumping=False) as nodes:
        ann, bob = await nodes.open("a"), await nodes.open("b")
        await ann.store.log.create("m", b"1")
        await bob.store.log.register("m")
        server.stop()
        await asyncio.sleep(0.2)
        server.start()
        await until(lambda: bob.missed, 5)
        await _subscribed(bob)
        await ann.append("m", b"2")
        await until(lambda: bob.hinted)


async def _subscribed(node: Node) -> None:
    """Until hints come: a lost one shows in the next beat."""
    await asyncio.sleep(0.5)
    await node.store.log.beat()
    node.hinted.clear()
    node.missed.clear()
