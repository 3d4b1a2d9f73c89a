"""Rules of the log 1, 10, 11, 12, 17, 19, 21 where several nodes share one Redis: one server, and a cluster."""

from collections.abc import AsyncIterator

import pytest

from server.storage.base import DEAD_MS, MAX_ADOPT, Appended, NotAppended, Seek, Seeker
from shared.terms import DuelTerms
from tests.redis_servers import AOF, shared_cluster, shared_server
from tests.storage.redis_rig import Keeping, Node, Nodes, nodes_at, until


@pytest.fixture(params=["one", "cluster"])
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[Nodes]:
    one = request.param == "one"
    url = shared_server(*AOF).url if one else f"redis+cluster://127.0.0.1:{shared_cluster().port}"
    async with nodes_at(url, keeping=Keeping(keep_ms=50_000, idle_ms=60_000, archive_ms=120_000)) as made:
        yield made


async def hosted_by(*hosts: Node) -> None:
    await hosts[0].store.log.create("m", b"1")
    for host in hosts:
        assert isinstance(await host.store.log.register("m"), Appended)


async def append_unheard(ann: Node, bob: Node) -> None:
    """Ann appends, and the hint to Bob is lost."""
    channels = bob.store._hints._channels
    take, lost = channels._take, list[bytes]()
    channels._take = lost.append
    await ann.append("m", b"2")
    await until(lambda: lost)
    channels._take = take


async def test_1_another_host_is_told_and_finds_all(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann, bob)
    await ann.append("m", b"2", b"3", have=1)
    await until(lambda: bob.hinted)
    result = await bob.store.log.read("m", 1)
    assert isinstance(result, Appended)
    assert [entry.data for entry in result.entries] == [b"2", b"3"]
    assert set(bob.hinted) == {"m"}
    assert ann.hinted == [], "its own entries are no news"


async def test_12_only_hosts_of_the_match_are_told(nodes: Nodes) -> None:
    ann, bob, cid = await nodes.open("a"), await nodes.open("b"), await nodes.open("c")
    await hosted_by(ann, bob)
    await cid.store.log.create("other", b"1")
    await cid.store.log.register("other")
    await ann.append("other", b"2")
    await until(lambda: cid.hinted)
    bob.store.log.unregister("m")
    await bob.append("m", b"2")
    await until(lambda: ann.hinted)
    await ann.append("m", b"3")
    await cid.append("m", b"4")
    await until(lambda: len(ann.hinted) > 1)
    assert bob.hinted == []
    assert set(cid.hinted) == {"other"}


async def test_12_a_match_with_one_host_sends_no_hint(nodes: Nodes) -> None:
    ann = await nodes.open("a")
    await hosted_by(ann)
    await ann.append("m", b"2")
    await ann.store.log.beat()
    assert ann.store._hints.numbers() == dict.fromkeys(ann.store._hints.numbers(), 0)
    lanes = await ann.store.log._all("beat", 1000)
    assert all(lane[4] == 0 for lane in lanes)


async def test_12_a_gap_in_the_numbers_means_read_all_of_the_lane(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann, bob)
    await append_unheard(ann, bob)
    await ann.append("m", b"3")
    await until(lambda: bob.missed)
    assert bob.missed == ["m"]
    assert bob.hinted == []


async def test_12_a_lost_last_hint_is_noticed_at_a_beat(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann, bob)
    await append_unheard(ann, bob)
    assert bob.missed == []
    await bob.store.log.beat()
    await until(lambda: bob.missed)
    bob.missed.clear()
    await bob.store.log.beat()
    await ann.append("m", b"3")
    await until(lambda: bob.hinted)
    assert bob.missed == []


async def test_12_hints_that_come_twice_or_late_are_harmless(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann, bob)
    channels = bob.store._hints._channels
    take, seen = channels._take, list[bytes]()

    def twice(packed: bytes) -> None:
        seen.append(packed)
        take(packed)
        take(packed)

    channels._take = twice
    await ann.append("m", b"2")
    await until(lambda: bob.hinted)
    await ann.append("m", b"3")
    await until(lambda: len(bob.hinted) == 2)
    take(seen[0])
    assert (bob.hinted, bob.missed) == (["m", "m"], [])


async def test_11_a_dead_nodes_live_matches_go_to_one_of_the_others(nodes: Nodes) -> None:
    ann, bob, cid = await nodes.open("a"), await nodes.open("b"), await nodes.open("c")
    names = [f"m{n}" for n in range(MAX_ADOPT + 5)]
    for name in names:
        await ann.store.log.create(name, b"1")
        await ann.store.log.register(name)
        await ann.store.log.set_live(name, live=True)
    await bob.store.log.register("m0")
    await nodes.die(ann)
    await nodes.pass_time(DEAD_MS, bob, cid)
    assert (await bob.store.log.beat()).boots == ("a", "b", "c")
    nodes.clock.jump(1)
    first = await bob.store.log.beat()
    assert first.boots == ("b", "c")
    second = await cid.store.log.beat()
    assert len(first.adopt) == MAX_ADOPT
    assert sorted(first.adopt + second.adopt) == sorted(names[1:])
    assert (await bob.store.log.beat()).adopt == (await cid.store.log.beat()).adopt == ()


async def test_11_a_node_that_was_taken_for_dead_is_told_and_may_begin_anew(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann)
    await ann.store.log.set_live("m", live=True)
    await nodes.pass_time(DEAD_MS + 1000, bob)
    assert "m" in ann.store._hints._hosted[next(tag for tag, m in ann.store._hints._hosted.items() if m)]
    beat = await ann.store.log.beat()
    assert not beat.alive
    assert beat.adopt == ()
    assert await ann.store.log.register("m") == NotAppended("unavailable"), "a zombie hosts nothing"
    await ann.store.log.join("a2")
    assert (await ann.store.log.beat()).alive
    await ann.store.log.register("m")
    await bob.append("m", b"2")
    await until(lambda: ann.hinted)


async def test_11_a_node_that_goes_in_order_is_not_waited_for(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await hosted_by(ann)
    await ann.store.log.set_live("m", live=True)
    nodes.all.remove(ann)
    await ann.store.close()
    beat = await bob.store.log.beat()
    assert (beat.boots, beat.adopt) == (("b",), ("m",))


async def test_10_the_version_that_all_nodes_know_is_told(nodes: Nodes) -> None:
    ann = await nodes.open("a", knows=3)
    assert (await ann.store.log.beat()).knows == 3
    bob = await nodes.open("b", knows=2)
    assert (await ann.store.log.beat()).knows == 2
    nodes.all.remove(bob)
    await bob.store.close()
    assert (await ann.store.log.beat()).knows == 3


async def test_21_a_log_that_nobody_uses_goes_and_one_in_use_stays(nodes: Nodes) -> None:
    ann = await nodes.open("a")
    log = ann.store.log
    for name in ("idle", "hosted", "live", "renewed"):
        await log.create(name, b"1")
    await log.register("hosted")
    await log.set_live("live", live=True)
    await nodes.pass_time(40_000, ann)
    await log.register("renewed")
    log.unregister("renewed")
    await nodes.pass_time(25_000, ann)
    assert await log.read("idle", 0) == NotAppended("gone")
    for name in ("hosted", "live", "renewed"):
        assert await ann.data(name) == [b"1"]
    assert isinstance(await log.create("idle", b"anew"), Appended)
    await log.set_live("live", live=False)
    for name in ("hosted", "live"):  # the live one had been adopted
        log.unregister(name)
    await nodes.pass_time(62_000, ann)
    for name in ("hosted", "live", "renewed"):
        assert await log.read(name, 0) == NotAppended("gone")


async def test_17_archives_go_in_time_if_told_so(nodes: Nodes) -> None:
    ann = await nodes.open("a")
    await ann.store.log.create("m", b"1")
    await ann.store.log.finish("m", b"replay")
    await nodes.pass_time(119_000, ann)
    assert await ann.store.log.archived("m") == b"replay"
    await nodes.pass_time(2_000, ann)
    assert await ann.store.log.archived("m") is None
    assert await ann.store.log.archives() == ((), "")


async def test_17_and_21_nothing_is_left_of_what_is_over(nodes: Nodes) -> None:
    """After matches, nodes, seeks and codes: clocks, the last answer to each sender, and no more."""
    ann, bob = await nodes.open("a"), await nodes.open("b")
    for n in range(20):
        name = f"m{n}"
        await ann.store.log.create(name, b"1")
        await ann.store.log.register(name)
        await bob.store.log.register(name)
        await ann.store.log.set_live(name, live=True)
        await ann.append(name, b"2", b"3", have=1)
        if n < 15:
            await bob.store.log.finish(name, b"replay")
    await ann.store.lobby.open_seek(seek("ann", "a.1"))
    await bob.store.lobby.open_seek(seek("bob", "b.1"))
    await bob.store.lobby.open_seek(seek("cid", "b.2"))
    await bob.store.lobby.pair("m", ("s-bob", "s-ann"))
    await ann.store.lobby.claim_code("CODE", "m0")
    await ann.store.lobby.release_code("CODE")
    for n in range(15, 20):
        await ann.store.log.set_live(f"m{n}", live=False)
        ann.store.log.unregister(f"m{n}")
        bob.store.log.unregister(f"m{n}")
    await nodes.die(ann)
    await nodes.pass_time(125_000, bob)
    await bob.store.lobby.look("b")
    nodes.all.remove(bob)
    await bob.store.close()
    kinds = {key.decode().split("}:", 1)[1].partition(":")[0] for key in nodes.all_keys()}
    assert kinds == {"clock", "sent", "secrets"}


def seek(name: str, conn: str) -> Seek:
    return Seek(f"s-{name}", Seeker(f"i-{name}", name, conn), DuelTerms())


async def test_19_a_seek_ends_with_its_node(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await ann.store.lobby.open_seek(seek("ann", "a.1"))
    await bob.store.lobby.open_seek(seek("bob", "b.1"))
    await nodes.die(ann)
    await nodes.pass_time(DEAD_MS + 1000, bob)
    assert [found.who.name for found in (await bob.store.lobby.look("b")).seeks] == ["bob"]
    assert await bob.store.lobby.pair("m", ("s-bob", "s-ann")) is None


async def test_19_seeks_of_a_node_that_goes_in_order_end_at_once(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await ann.store.lobby.open_seek(seek("ann", "a.1"))
    nodes.all.remove(ann)
    await ann.store.close()
    assert (await bob.store.lobby.look("b")).seeks == ()


async def test_19_players_of_two_nodes_are_paired_and_both_see_it(nodes: Nodes) -> None:
    ann, bob = await nodes.open("a"), await nodes.open("b")
    await ann.store.lobby.open_seek(seek("ann", "a.1"))
    await bob.store.lobby.open_seek(seek("bob", "b.1"))
    pairing = await bob.store.lobby.pair("m", ("s-bob", "s-ann"))
    assert pairing is not None
    assert (await ann.store.lobby.look("a")).pairings == (await bob.store.lobby.look("b")).pairings == (pairing,)
