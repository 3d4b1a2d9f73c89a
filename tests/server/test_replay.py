"""Replays of real duels: sound as they come, and found out when something in them was changed."""

import json
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from server import commands
from server.archive import Archive, decode_archive
from server.replay import ReplayError, check, check_deals, deal_order, read_archive
from shared import fair
from shared.bots import Bot
from shared.moves import Declare, Draw, Move, Recycle, Resign
from shared.protocol import LegalNow, Wish
from shared.ruleset import ruleset
from shared.table import StuckProof
from shared.terms import DuelTerms
from shared.view import view
from tests.server.house import House

Tempo = Literal["simultaneous", "alternating"]


async def archive_of_duel(terms: DuelTerms, plays: int = 40) -> Archive:
    """A duel in which both seats play what is legal, foundation first, and one gives up."""
    house = await House().start()
    room, ann, bob = await house.duel(terms)
    for turn in range(plays):
        viewer = (ann, bob)[turn % 2]
        viewer.new()
        room.ask_legal(viewer)
        await house.settle()
        (answer,) = (told for told in viewer.new() if isinstance(told, LegalNow))
        legal = answer.legal
        wish: Wish | None = None
        if legal.moves:
            card, targets = max(legal.moves.items(), key=lambda item: "f" in item[1])
            wish = Move(card=card, to="f" if "f" in targets else targets[0])
            if "f" not in targets and turn % 3:
                wish = Draw() if "draw" in legal.commands else wish
        elif "draw" in legal.commands:
            wish = Draw()
        elif "recycle" in legal.commands:
            wish = Recycle()
        if wish is not None:
            await house.play(room, viewer, wish)
    await house.play(room, ann, Resign())
    await house.jump(3000)
    found = await house.store.log.archived(room.match)
    assert found is not None
    return decode_archive(found)


@pytest.fixture(params=["simultaneous", "alternating", "mirror"])
async def archive(request: pytest.FixtureRequest) -> Archive:
    mirror = request.param == "mirror"
    tempo: Tempo = "alternating" if request.param == "alternating" else "simultaneous"
    return await archive_of_duel(DuelTerms(tempo=tempo, mirror=mirror, turn_seconds=None))


async def test_a_real_duel_is_sound(archive: Archive) -> None:
    report = check(archive)
    assert report.problems == ()
    text = "\n".join(report.lines)
    assert "the deal" in text
    assert "draws" in text
    assert "the end (resigned): seat 1 wins" in text
    assert " to t" in text


async def test_the_dealt_cards_are_found_in_deal_order(archive: Archive) -> None:
    terms = archive.table.terms
    assert isinstance(terms, DuelTerms)
    (game,) = archive.table.games
    one, two = (bytes.fromhex(nonce) for nonce in game.nonces)
    decks = fair.duel_decks(bytes.fromhex(game.seed), (one, two), mirror=terms.mirror)
    (position,) = [event.position for entry in archive.entries for event in entry.events if hasattr(event, "position")]
    assert tuple(deal_order(seat) for seat in position.seats) == decks


def changed(archive: Archive, **values: object) -> Archive:
    found: Archive = msgspec.structs.replace(archive, **values)
    return found


async def test_another_seed_commitment_or_nonce_is_found_out(archive: Archive) -> None:
    (game,) = archive.table.games
    for field, value in (
        ("seed", "00" * 32),
        ("commitment", "ab" * 32),
        ("nonces", ("", "")),
        ("seed", "zz"),
        ("nonces", ("00",)),
    ):
        forged = msgspec.structs.replace(game, **{field: value})
        table = msgspec.structs.replace(archive.table, games=(forged,))
        assert check_deals(changed(archive, table=table)), field


async def test_a_play_that_was_not_legal_is_found_out(archive: Archive) -> None:
    place, entry = next(
        (place, entry)
        for place, entry in enumerate(archive.entries)
        if any(type(event).__name__ == "Drawn" for event in entry.events)
    )
    twice = (*archive.entries[: place + 1], *[entry] * 60, *archive.entries[place + 1 :])
    assert any("not legal" in problem for problem in check(changed(archive, entries=twice)).problems)


async def test_another_end_is_found_out(archive: Archive) -> None:
    (game,) = archive.table.games
    outcome = msgspec.structs.replace(game.outcome, winner=0)
    table = msgspec.structs.replace(archive.table, games=(msgspec.structs.replace(game, outcome=outcome),))
    assert any("another end" in problem for problem in check(changed(archive, table=table)).problems)


async def test_it_reads_both_forms(archive: Archive, tmp_path: Path) -> None:
    for data in (msgspec.json.encode(archive), msgspec.msgpack.encode(archive)):
        assert read_archive(data) == archive
        (tmp_path / "match").write_bytes(data)
        words, sound = commands.replay(tmp_path / "match", quiet=True)
        assert (words, sound) == ("Every play is legal, every end and deal as told.", True)
        assert commands.verify_file(tmp_path / "match")[1]


def without(value: Any, key: str) -> dict[str, Any]:
    return {name: inner for name, inner in value.items() if name != key}


async def test_what_is_no_replay_is_told_with_its_field(tmp_path: Path) -> None:
    archive = await archive_of_duel(DuelTerms(), plays=2)
    whole = json.loads(msgspec.json.encode(archive))
    cases: list[tuple[object, str]] = [
        ({}, "match"),
        (without(whole, "table"), "table"),
        ({**whole, "entries": 3}, "$.entries"),
        ({**whole, "version": 99}, "version: expected 1, got 99"),
    ]
    for value, words in cases:
        with pytest.raises(ReplayError, match="expected") as error:
            read_archive(json.dumps(value).encode())
        assert words in str(error.value)
    for data in (b"", b"\x00", b"{", b"\xff\xfe", b"[" * 100_000):
        with pytest.raises(ReplayError):
            read_archive(data)
    with pytest.raises(commands.CommandError, match="No such file"):
        commands.load(tmp_path / "nothing")


async def test_verify_by_values_shows_both_decks() -> None:
    seed = "11" * 32
    committed = fair.commitment(bytes.fromhex(seed))
    words, is_fair = commands.verify_values(committed, seed, ("22" * 16, ""), mirror=False)
    assert is_fair
    assert words.startswith("seat 0: ")
    assert len(words.splitlines()[1].split()) == 54
    assert commands.verify_values("00" * 32, seed, ("", ""), mirror=False)[1] is False


async def dead_duel() -> Archive:
    """A duel of two experts that ends dead: proven by the node."""
    rules = ruleset(DuelTerms())
    for seed in range(20):
        house = await House(boot=f"dead {seed}").start()
        room, ann, bob = await house.duel()
        bots = [Bot("expert", seat, seed) for seat in (0, 1)]
        at = room.now()
        while room.state.running and not all(bot.has_given_in for bot in bots):
            for bot, viewer in zip(bots, (ann, bob), strict=True):
                if room.state.position is None or not room.state.running:
                    continue
                seen = view(rules, room.state.position, bot.seat)
                at = bot.look(rules, seen, at, viewer.n) or at
                wish = bot.act(rules, seen, at, viewer.n)
                if wish is not None and not isinstance(wish, Declare):
                    await house.play(room, viewer, wish)
                    at += 10
        await house.jump(10_000)
        archive = await house.store.log.archived(room.match)
        if archive is not None and (found := decode_archive(archive)).table.games[0].outcome.reason == "both_stuck":
            return found
    raise AssertionError("none of these duels ends dead: take other seeds")


async def test_a_dead_end_is_searched_again() -> None:
    archive = await dead_duel()
    assert check(archive).problems == ()
    (game,) = archive.table.games
    assert {proof.seat for proof in game.proofs} <= {0, 1}
    early = tuple(StuckProof(proof.seat, archive.entries[0].no) for proof in game.proofs)
    for proofs in ((), early):
        table = replace(archive.table, games=(replace(game, proofs=proofs),))
        assert any("not proven stuck" in problem for problem in check(replace(archive, table=table)).problems)
