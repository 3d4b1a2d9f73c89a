"""Seeks and pairings (rule of the log 19): one open seek an identity, both taken in one step, none twice."""

import asyncio
from typing import Any

from msgspec.structs import replace

from server.storage.base import PAIRING_MS, LobbyView, Pairing, Seek, Seeker
from shared.terms import DuelTerms
from tests.contract.stores import Rig

TERMS = DuelTerms()


def seek(name: str, conn: str = "", terms: DuelTerms = TERMS, **more: Any) -> Seek:
    return Seek(f"s-{name}{conn}", Seeker(f"i-{name}", name, conn or f"boot-1.{name}"), terms, **more)


async def open_all(rig: Rig, *names: str) -> None:
    for name in names:
        assert isinstance(await rig.store.lobby.open_seek(seek(name)), Seek)


async def look(rig: Rig) -> LobbyView:
    return await rig.store.lobby.look("boot-1")


async def names(rig: Rig) -> list[str]:
    return [found.who.name for found in (await look(rig)).seeks]


async def test_19_seeks_stand_in_the_order_in_which_they_came(rig: Rig) -> None:
    for name in ("cid", "ann", "bob"):
        await open_all(rig, name)
        rig.clock.jump(700)
    view = await look(rig)
    assert [found.who.name for found in view.seeks] == ["cid", "ann", "bob"]
    assert [view.now - (found.since or 0) for found in view.seeks] == [2100, 1400, 700]
    assert view.pairings == ()


async def test_19_who_comes_back_has_his_old_place(rig: Rig) -> None:
    await open_all(rig, "ann")
    rig.clock.jump(500)
    await open_all(rig, "bob")
    before = (await look(rig)).seeks[0]
    assert await rig.store.lobby.close_seek("boot-1.ann")
    assert await names(rig) == ["bob"]
    assert await rig.store.lobby.open_seek(before) == before
    assert await names(rig) == ["ann", "bob"]


async def test_19_an_identity_has_one_open_seek(rig: Rig) -> None:
    """Its newest; the end of the connection that sought before does not end it."""
    await rig.store.lobby.open_seek(seek("ann", "boot-1.1"))
    await rig.store.lobby.open_seek(seek("ann", "boot-1.2", replace(TERMS, tempo="alternating")))
    assert not await rig.store.lobby.close_seek("boot-1.1")
    (only,) = (await look(rig)).seeks
    assert (only.who.conn, only.terms.tempo) == ("boot-1.2", "alternating")
    assert await rig.store.lobby.close_seek("boot-1.2")
    assert not await rig.store.lobby.close_seek("boot-1.2")
    assert await names(rig) == []


async def test_19_a_pair_takes_both_seeks(rig: Rig) -> None:
    await open_all(rig, "ann", "bob", "cid")
    ann, bob, _ = (await look(rig)).seeks
    pairing = await rig.store.lobby.pair("m1", (bob.seek, ann.seek))
    assert pairing is not None
    assert (pairing.match, pairing.terms) == ("m1", TERMS)
    assert pairing.players == (bob.who, ann.who)
    assert pairing.seeks == (bob, ann)
    assert await names(rig) == ["cid"]
    assert (await look(rig)).pairings == (pairing,)
    assert (await rig.store.lobby.look("boot")).pairings == ()


async def test_19_of_many_pairings_of_one_seek_one_is_made(rig: Rig) -> None:
    everyone = ["ann", "bob", "cid", "dan", "eve"]
    await open_all(rig, *everyone)
    lobby = rig.store.lobby
    made = await asyncio.gather(*(lobby.pair(f"m-{name}", ("s-ann", f"s-{name}")) for name in everyone))
    pairings = [pairing for pairing in made if pairing is not None]
    assert len(pairings) == 1
    taken = {who.name for who in pairings[0].players}
    assert set(await names(rig)) == set(everyone) - taken
    assert len(taken) == 2


async def test_19_of_two_who_accept_one_seek_one_gets_it(rig: Rig) -> None:
    await open_all(rig, "ann", "bob")
    lobby = rig.store.lobby
    guests = (seek("bob").who, seek("cid").who)
    made = await asyncio.gather(*(lobby.accept(f"m-{who.name}", "s-ann", who) for who in guests))
    (pairing,) = [pairing for pairing in made if pairing is not None]
    assert pairing.players[0].name == "ann"
    winner = pairing.players[1].name
    assert (pairing.seeks[1] is not None) == (winner == "bob")  # he had one of his own, and leaves it
    assert await names(rig) == ([] if winner == "bob" else ["bob"])


async def test_19_nobody_meets_himself_or_other_terms(rig: Rig) -> None:
    lobby = rig.store.lobby
    await open_all(rig, "ann")
    await lobby.open_seek(seek("bob", terms=replace(TERMS, draw=(3, 3))))
    assert await lobby.pair("m1", ("s-ann", "s-ann")) is None
    assert await lobby.pair("m1", ("s-ann", "s-bob")) is None
    assert await lobby.pair("m1", ("s-ann", "s-nobody")) is None
    assert await lobby.accept("m1", "s-ann", seek("ann", "boot-1.9").who) is None
    assert await lobby.accept("m1", "s-nobody", seek("cid").who) is None
    assert await names(rig) == ["ann", "bob"]


async def test_19_who_is_held_neither_seeks_nor_accepts(rig: Rig) -> None:
    lobby = rig.store.lobby
    await open_all(rig, "ann", "bob", "cid")
    pairing = await lobby.pair("m1", ("s-ann", "s-bob"))
    assert isinstance(pairing, Pairing)
    assert await lobby.open_seek(seek("bob", "boot-1.9")) == pairing
    assert await lobby.accept("m2", "s-cid", pairing.players[0]) is None
    await lobby.settle("m1")
    await lobby.settle("m1")
    assert (await look(rig)).pairings == ()
    assert isinstance(await lobby.open_seek(seek("bob", "boot-1.9")), Seek)
    assert await lobby.accept("m2", "s-cid", pairing.players[0]) is not None


async def test_19_a_pairing_that_nobody_settles_lets_go_by_itself(rig: Rig) -> None:
    await open_all(rig, "ann", "bob")
    assert await rig.store.lobby.pair("m1", ("s-ann", "s-bob")) is not None
    for _ in range(PAIRING_MS // 1000):
        assert len((await look(rig)).pairings) == 1
        rig.clock.jump(1000)
    assert (await look(rig)).pairings == ()
    await open_all(rig, "ann")


async def test_19_who_left_is_not_paired(rig: Rig) -> None:
    await open_all(rig, "ann", "bob")
    lobby = rig.store.lobby
    closed, pairing = await asyncio.gather(lobby.close_seek("boot-1.ann"), lobby.pair("m1", ("s-ann", "s-bob")))
    assert closed != (pairing is not None)
