"""Rules of the log 4, 5, 7, 20 on Redis: what was sent is sent again until its fate is known, and counts once."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis

from server.storage.base import MAX_WAIT_MS, Appended, AppendResult, NotAppended, StoreAway, StoreError
from server.storage.redis.line import Line
from server.storage.redis.log import lane_of
from tests.redis_servers import AOF, RedisServer, shared_server
from tests.storage.redis_rig import Node, Nodes, nodes_at, until
from tests.storage.tcp_proxy import Proxy


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    made = await Proxy(shared_server(*AOF).port).start()
    yield made
    await made.stop()


@pytest.fixture
async def nodes(proxy: Proxy) -> AsyncIterator[Nodes]:
    async with nodes_at(f"redis://127.0.0.1:{proxy.port}") as made:
        yield made


async def node_with_match(nodes: Nodes) -> Node:
    node = await nodes.open("a")
    await node.store.log.create("m", b"1")
    await node.append("m", b"2", have=1)
    return node


def line_of(node: Node) -> Line:
    return node.store._lines[0].of("0")


async def send_into_outage(node: Node, proxy: Proxy) -> asyncio.Future[AppendResult]:
    """Cut the line, and append: it is on its way when this returns, and does not get through."""
    proxy.closed = True
    proxy.cut()
    sent = node.start("m", b"a", have=2)
    await until(lambda: line_of(node)._fails)
    return sent


def last(result: object) -> tuple[int, bytes]:
    assert isinstance(result, Appended), result
    return result.entries[-1].no, result.entries[-1].data


async def test_4_an_append_whose_answer_was_lost_is_not_appended_twice(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    proxy.mute = True
    sent = [node.start("m", b"a", have=2), node.start("m", b"b", have=2)]
    created = asyncio.ensure_future(node.store.log.create("n", b"1"))
    await until(lambda: b"append" in b"".join(proxy.requests[-3:]))
    await asyncio.sleep(0.05)
    proxy.cut()
    proxy.mute = False
    assert [last(result) for result in await asyncio.gather(*sent)] == [(3, b"a"), (4, b"b")]
    assert isinstance(await created, Appended), "the one who made it is told so, not that it exists"
    assert await node.data("m") == [b"1", b"2", b"a", b"b"]
    await node.append("m", b"c", have=4)
    assert await node.data("m") == [b"1", b"2", b"a", b"b", b"c"]


async def test_4_an_answer_that_does_not_come_is_asked_for_again_after_a_second(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    proxy.mute = True
    sent = node.start("m", b"a", have=2)
    await asyncio.sleep(0.8)
    proxy.mute = False
    assert not sent.done()
    assert last(await asyncio.wait_for(sent, 10)) == (3, b"a")
    assert await node.data("m") == [b"1", b"2", b"a"]


async def test_4_bytes_that_arrive_after_they_were_sent_again_change_nothing(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    proxy.hold = True
    sent = node.start("m", b"a", have=2)
    await until(lambda: proxy._held)
    proxy.cut(keep_servers_end=True)
    proxy.hold = False
    assert last(await sent) == (3, b"a")
    await node.append("m", b"b", have=3)
    proxy.let_go()
    await asyncio.sleep(0.1)
    assert await node.data("m") == [b"1", b"2", b"a", b"b"]


async def test_4_the_same_bytes_in_the_same_order(nodes: Nodes, proxy: Proxy) -> None:
    """What gathered while the line was cut comes after what was on its way."""
    node = await node_with_match(nodes)
    sent = [await send_into_outage(node, proxy)]
    command = line_of(node)._command
    sent += [node.start("m", b"%d" % n, have=2) for n in range(20)]
    await asyncio.sleep(0.3)
    assert line_of(node)._command is command
    proxy.closed = False
    await asyncio.gather(*sent)
    assert await node.data("m") == [b"1", b"2", b"a", *(b"%d" % n for n in range(20))]


async def test_4_what_was_never_sent_is_unavailable_after_two_seconds(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    sent = await send_into_outage(node, proxy)
    waiting = [node.start("m", b"b"), node.start("unknown", b"c")]
    created = asyncio.ensure_future(node.store.log.create("n", b"1"))
    read = asyncio.ensure_future(node.store.log.read("m", 0))
    live = asyncio.ensure_future(node.store.log.set_live("m", live=True))
    await asyncio.sleep(0)
    nodes.clock.jump(MAX_WAIT_MS + 1)
    late = node.start("m", b"e")
    assert await asyncio.gather(*waiting) == [NotAppended("unavailable")] * 2
    assert [await created, await read] == [NotAppended("unavailable")] * 2
    with pytest.raises(StoreAway):
        await live
    assert not sent.done()
    proxy.closed = False
    assert isinstance(await sent, Appended)
    assert isinstance(await late, Appended)
    assert await node.data("m") == [b"1", b"2", b"a", b"e"]
    assert await node.store.log.read("n", 0) == NotAppended("gone")


async def test_7_after_an_outage_all_that_is_hosted_is_to_be_read(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    await node.store.log.register("m")
    node.missed.clear()
    sent = await send_into_outage(node, proxy)
    assert node.missed == []
    proxy.closed = False
    await sent
    await until(lambda: "m" in node.missed)


async def test_11_no_answer_to_a_beat_is_told_in_two_seconds(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    proxy.mute = True
    begun = asyncio.get_running_loop().time()
    with pytest.raises(StoreAway):
        await node.store.log.beat()
    assert asyncio.get_running_loop().time() - begun < 5
    proxy.mute = False


async def test_5_an_outage_is_charged_to_nobody(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    before = await node.store.log.read("m", 0)
    assert isinstance(before, Appended)
    sent = await send_into_outage(node, proxy)
    nodes.clock.jump(60_000)
    proxy.closed = False
    result = await sent
    assert isinstance(result, Appended)
    assert result.play_ms == before.play_ms, "its time is that of the call that was sent"
    later = await node.append("m", b"b", have=3)
    assert isinstance(later, Appended)
    assert later.play_ms == before.play_ms


async def test_4_scripts_that_a_server_forgot_are_given_anew() -> None:
    async with nodes_at() as nodes:
        node = await node_with_match(nodes)
        with shared_server(*AOF).client() as client:
            client.script_flush()
        assert last(await node.append("m", b"a", have=2)) == (3, b"a")
        assert (await node.store.lobby.look("a")).seeks == ()
        assert await node.store.records.results(0) == ()
        assert await node.data("m") == [b"1", b"2", b"a"]


async def test_4_a_wrong_key_harms_its_match_only(caplog: pytest.LogCaptureFixture) -> None:
    async with nodes_at() as nodes:
        node = await node_with_match(nodes)
        prefix = node.store._sender.prefix
        with shared_server(*AOF).client() as client:
            client.set(f"{prefix}:{{{lane_of('bad')}}}:log:bad", "no list")
        results = await asyncio.gather(
            node.start("m", b"a", have=2), node.start("bad", b"x"), node.start("m", b"b", b"c", have=2)
        )
        assert [last(results[0]), last(results[2])] == [(3, b"a"), (5, b"c")]
        assert results[1] == NotAppended("unavailable")
        assert "WRONGTYPE" in caplog.text
        with pytest.raises(StoreError, match="WRONGTYPE"):
            await node.store.log.read("bad", 0)
        assert await node.data("m") == [b"1", b"2", b"a", b"b", b"c"]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "own", *AOF).start()
    yield server
    server.stop()


async def test_20_killed_and_started_again_it_lost_nothing_and_time_stood(own: RedisServer) -> None:
    async with nodes_at(own.url, jumping=False) as nodes:
        node = await node_with_match(nodes)
        acknowledged = []
        for n in range(200):
            acknowledged.append(last(await node.append("m", b"%d" % n, have=n + 2)))
            if n in {50, 120}:
                own.stop()
                sent = node.start("m", b"during %d" % n, have=0)
                await asyncio.sleep(0.05)
                own.start()
                acknowledged.append(last(await sent))
        held = await node.data("m")
        assert [held[no - 1] for no, _ in acknowledged] == [data for _, data in acknowledged]
        assert len(held) == 2 + len(acknowledged)


async def test_11_a_server_that_hangs_and_goes_on_is_met_again(own: RedisServer) -> None:
    async with nodes_at(own.url) as nodes:
        node = await node_with_match(nodes)
        own.signal(signal.SIGSTOP)
        sent = node.start("m", b"a", have=2)
        await asyncio.sleep(1.5)
        own.signal(signal.SIGCONT)
        assert last(await asyncio.wait_for(sent, 10)) == (3, b"a")
        assert await node.data("m") == [b"1", b"2", b"a"]


@pytest.mark.parametrize(
    ("set_it", "undo"),
    [
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
        (("CONFIG", "SET", "min-replicas-to-write", "1"), ("CONFIG", "SET", "min-replicas-to-write", "0")),
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
    ],
    ids=["OOM", "NOREPLICAS", "READONLY"],
)
async def test_20_a_server_that_takes_no_write_is_away(
    own: RedisServer, set_it: tuple[str, ...], undo: tuple[str, ...]
) -> None:
    async with nodes_at(own.url) as nodes:
        node = await node_with_match(nodes)
        with own.client() as client:
            client.execute_command(*set_it)
            sent = node.start("m", b"a", have=2)
            result = asyncio.ensure_future(node.store.records.add_result("m", b"r"))
            code = asyncio.ensure_future(node.store.lobby.claim_code("ABC", "m"))
            await asyncio.sleep(0.3)
            assert [sent.done(), result.done(), code.done()] == [False] * 3
            client.execute_command(*undo)
        assert last(await sent) == (3, b"a")
        assert await result is True
        assert await code is True
        assert await node.data("m") == [b"1", b"2", b"a"]


async def test_20_a_busy_server_is_away(own: RedisServer) -> None:
    async with nodes_at(own.url) as nodes:
        node = await node_with_match(nodes)
        with own.client() as client, own.client() as other:
            client.config_set("busy-reply-threshold", 10)
            work = asyncio.get_running_loop().run_in_executor(None, _loop_for_ever, client)
            await asyncio.sleep(0.2)
            sent = node.start("m", b"a", have=2)
            await asyncio.sleep(0.2)
            assert not sent.done()
            other.script_kill()
            await work
        assert last(await sent) == (3, b"a")


def _loop_for_ever(client: redis.Redis) -> None:
    with pytest.raises(redis.ResponseError):
        client.eval("while true do end", 0)


async def test_12_a_subscription_that_ends_is_made_again_and_all_is_read(own: RedisServer) -> None:
    async with nodes_at(own.url) as nodes:
        ann, bob = await node_with_match(nodes), await nodes.open("b")
        await bob.store.log.register("m")
        bob.missed.clear()
        with own.client() as client:
            client.client_kill_filter(_type="pubsub")
        await ann.append("m", b"unseen", have=2)
        await until(lambda: "m" in bob.missed)
        assert bob.hinted == []
        bob.missed.clear()
        await bob.store.log.beat()  # the number of the hint that nobody heard
        await until(lambda: bob.missed)
        await ann.append("m", b"seen", have=3)
        await until(lambda: bob.hinted)


async def test_7_a_store_that_lost_its_tail_shows_it(own: RedisServer) -> None:
    """A head below what is held is seen by the numbers, and hosts are told to look."""
    async with nodes_at(own.url) as nodes:
        node = await node_with_match(nodes)
        await node.append("m", b"3", b"4", have=2)
        await node.store.log.register("m")
        with own.client() as client:
            (key,) = client.scan_iter("*:log:m", count=10_000)
            client.ltrim(key, 0, 1)
        answer = await node.append("m", b"x", have=4)
        assert isinstance(answer, Appended)
        assert [entry.no for entry in answer.entries] == [3]
        beyond = await node.store.log.read("m", 3)
        assert isinstance(beyond, Appended)
        assert beyond.entries == ()


async def test_after_closing_nothing_is_taken() -> None:
    async with nodes_at() as nodes:
        node = await node_with_match(nodes)
        nodes.all.clear()
        await node.store.close()
        assert await node.start("m", b"a") == NotAppended("unavailable")
        assert await node.store.log.create("n", b"1") == NotAppended("unavailable")
        with pytest.raises(StoreAway):
            await node.store.records.rename("i", "n")


async def test_closing_in_an_outage_ends_all_the_same(nodes: Nodes, proxy: Proxy) -> None:
    node = await node_with_match(nodes)
    sent = await send_into_outage(node, proxy)
    waiting = node.start("m", b"b")
    nodes.all.clear()
    begun = asyncio.get_running_loop().time()
    await node.store.close()
    assert asyncio.get_running_loop().time() - begun < 5
    assert await waiting == NotAppended("unavailable")
    assert not sent.done(), "its fate is not told: it might be in"
