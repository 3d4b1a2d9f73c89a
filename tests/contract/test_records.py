"""Identities, results (rule of the log 17) and room codes (rule 19)."""

import asyncio

from server.storage.keeping import MAX_GAMES, MAX_TOKENS, Identity, Move, TokenNote
from tests.contract.stores import Rig

ANN = Identity(identity="i-ann", name="Ann", made_at=1_790_000_000)
BOB = Identity(identity="i-bob", name="Bob", made_at=1_790_000_001)


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


async def test_a_device_more_and_one_less(rig: Rig) -> None:
    records = rig.store.records
    await records.add_identity(ANN, b"h" * 32)
    phone = TokenNote(b"p" * 32, "phone", 1_790_000_100)
    assert await records.add_token("i-ann", phone)
    assert not await records.add_token("nobody", TokenNote(b"x" * 32, "", 0))
    if rig.kind.lasts:
        await rig.reopen()
    records = rig.store.records
    assert await records.tokens("i-ann") == (TokenNote(b"h" * 32, "", ANN.made_at), phone)
    assert await records.find_identity(b"p" * 32) == ANN == await records.identity("i-ann")
    assert not await records.drop_token("nobody", b"p" * 32)
    assert await records.drop_token("i-ann", b"p" * 32)
    assert not await records.drop_token("i-ann", b"p" * 32)
    assert await records.find_identity(b"p" * 32) is None
    assert await records.find_identity(b"x" * 32) is None
    assert await records.identity("nobody") is None


async def test_the_oldest_device_makes_room(rig: Rig) -> None:
    records = rig.store.records
    await records.add_identity(ANN, b"h" * 32)
    for n in range(MAX_TOKENS):
        await records.add_token("i-ann", TokenNote(bytes([n]) * 32, str(n), n))
    assert [note.label for note in await records.tokens("i-ann")] == [str(n) for n in range(MAX_TOKENS)]
    assert await records.find_identity(b"h" * 32) is None


async def test_a_code_moves_an_identity_once_and_in_time(rig: Rig) -> None:
    records = rig.store.records
    await records.add_identity(ANN, b"h" * 32, "desk")
    await records.add_identity(BOB, b"b" * 32)
    await records.offer_move(b"1" * 32, "i-ann", 100)
    await records.offer_move(b"2" * 32, "i-ann", 100)
    await records.offer_move(b"3" * 32, "i-bob", 100)
    if rig.kind.lasts:
        await rig.reopen()
    records = rig.store.records
    phones = [TokenNote(bytes([n]) * 32, f"phone {n}", 99) for n in range(5)]
    assert await records.take_move(b"1" * 32, 50, phones[0]) is None, "a later offer took its place"
    assert await records.find_move(b"2" * 32) == Move("i-ann", 100)
    taken = await asyncio.gather(*(records.take_move(b"2" * 32, 99, phone) for phone in phones))
    assert sorted(move.until for move in taken if move is not None) == [0, 0, 0, 0, 100]
    assert await records.find_move(b"2" * 32) == Move("i-ann", 0)
    winner = phones[[move is not None and move.until for move in taken].index(100)]
    assert await records.tokens("i-ann") == (TokenNote(b"h" * 32, "desk", ANN.made_at), winner)
    assert [await records.find_identity(phone.hash) for phone in phones if phone is not winner] == [None] * 4
    assert await records.find_identity(winner.hash) == ANN
    assert await records.take_move(b"3" * 32, 100, phones[0]) == Move("i-bob", 100), "too late"
    assert await records.find_move(b"3" * 32) == Move("i-bob", 100), "and not used up by that"
    assert await records.tokens("i-bob") == (TokenNote(b"b" * 32, "", BOB.made_at),)
    assert await records.find_move(b"0" * 32) is None


async def test_games_that_wait(rig: Rig) -> None:
    records = rig.store.records
    for n in range(3):
        await records.note_game("i-ann", f"m{n}", b"%d" % n)
    await records.note_game("i-ann", "m0", b"new")
    await records.note_game("i-bob", "m9", b"9")
    await records.forget_game("i-ann", "m1")
    await records.forget_game("i-ann", "none")
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.store.records.games_of("i-ann") == (("m2", b"2"), ("m0", b"new"))
    assert await rig.store.records.games_of("nobody") == ()


async def test_the_oldest_game_that_waits_makes_room(rig: Rig) -> None:
    for n in range(MAX_GAMES + 2):
        await rig.store.records.note_game("i-ann", f"m{n}", b"")
    waiting = [match for match, _ in await rig.store.records.games_of("i-ann")]
    assert waiting == [f"m{n}" for n in range(MAX_GAMES + 1, 1, -1)]


async def test_17_books_are_kept_by_one_who_read_what_they_hold(rig: Rig) -> None:
    records = rig.store.records
    assert await records.books_no() == 0
    kept = await asyncio.gather(*(records.keep_books(0, n, {"a": b"%d" % n, f"b{n}": b""}) for n in range(1, 5)))
    assert sum(kept) == 1
    winner = kept.index(True) + 1
    if rig.kind.lasts:
        await rig.reopen()
    records = rig.store.records
    assert await records.books_no() == winner
    assert await records.books(["a", "b1", "b2", "b3", "b4"]) == {"a": b"%d" % winner, f"b{winner}": b""}
    assert not await records.keep_books(0, 9, {"a": b"late"})
    assert await records.keep_books(winner, 9, {"a": b"next"})
    assert await records.books(["a", "none"]) == {"a": b"next"}
    assert await records.books([]) == {}


async def test_books_are_dropped_to_be_made_anew_and_results_stay(rig: Rig) -> None:
    records = rig.store.records
    await records.add_result("m1", b"old")
    await records.keep_books(0, 1, {"a": b"x"})
    await records.drop_books()
    assert await records.books(["a"]) == {}
    assert await records.books_no() == 0
    assert [(match, data) for _, match, data in await records.results(0)] == [("m1", b"old")]
    assert not await records.add_result("m1", b"new")
    assert await records.keep_books(0, 1, {"a": b"y"})


async def test_15_a_secret_is_what_came_first(rig: Rig) -> None:
    found = await asyncio.gather(*(rig.store.records.secret("daily", b"%d" % n) for n in range(4)))
    assert len(set(found)) == 1
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.store.records.secret("daily", b"later") == found[0]
    assert await rig.store.records.secret("other", b"o") == b"o"
