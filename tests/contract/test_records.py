"""Identities, results (rule of the log 17) and room codes (rule 19)."""

import asyncio

from server.storage.base import Identity
from tests.contract.stores import Rig

ANN = Identity(identity="i-ann", name="Ann", made_at=1_790_000_000)


async def test_an_identity_is_found_by_the_hash_of_its_token(rig: Rig) -> None:
    await rig.store.records.add_identity(ANN, b"h" * 32)
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.store.records.find_identity(b"h" * 32) == ANN
    assert await rig.store.records.find_identity(b"g" * 32) is None
    assert await rig.store.records.find_identity(b"") is None


async def test_a_nickname_changes_and_nothing_else(rig: Rig) -> None:
    await rig.store.records.add_identity(ANN, b"h" * 32)
    await rig.store.records.rename("i-ann", "Änne")
    await rig.store.records.rename("nobody", "x")
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.store.records.find_identity(b"h" * 32) == Identity("i-ann", "Änne", ANN.made_at)


async def test_17_a_result_counts_once(rig: Rig) -> None:
    added = await asyncio.gather(*(rig.store.records.add_result(f"m{n % 3}", b"%d" % n) for n in range(9)))
    assert sum(added) == 3
    if rig.kind.lasts:
        await rig.reopen()
    assert not await rig.store.records.add_result("m0", b"again")
    assert await rig.store.records.add_result("m3", b"new")
    results = await rig.store.records.results(0)
    assert [number for number, _, _ in results] == [1, 2, 3, 4]
    assert sorted(match for _, match, _ in results) == ["m0", "m1", "m2", "m3"]
    assert results[3] == (4, "m3", b"new")


async def test_results_are_read_in_parts(rig: Rig) -> None:
    for n in range(7):
        await rig.store.records.add_result(f"m{n}", b"%d" % n)
    assert [row[0] for row in await rig.store.records.results(2, 3)] == [3, 4, 5]
    assert [row[0] for row in await rig.store.records.results(5, 3)] == [6, 7]
    assert await rig.store.records.results(7) == ()


async def test_19_a_room_code_leads_to_one_match(rig: Rig) -> None:
    lobby = rig.store.lobby
    claims = await asyncio.gather(*(lobby.claim_code("BCDEF", f"m{n}") for n in range(5)))
    assert sum(claims) == 1
    winner = await lobby.find_code("BCDEF")
    assert winner is not None
    assert await lobby.claim_code("BCDEF", winner)
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.store.lobby.find_code("BCDEF") == winner
    await rig.store.lobby.release_code("BCDEF")
    assert await rig.store.lobby.find_code("BCDEF") is None
    assert await rig.store.lobby.claim_code("BCDEF", "other")
