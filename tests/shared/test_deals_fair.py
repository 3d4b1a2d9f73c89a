"""Duel and daily deals: commit, reveal, check."""

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.cards import HIDDEN, card_name
from shared.fair import check_deal, commitment, daily_deck, duel_decks, is_date_somewhere
from tests.shared import reckoning

GOLDEN = Path(__file__).parent.parent / "golden"
DUELS: list[dict[str, Any]] = json.loads((GOLDEN / "deals_duels.json").read_text())
DAILIES: dict[str, Any] = json.loads((GOLDEN / "deals_dailies.json").read_text())

seeds = st.binary(min_size=32, max_size=32)
nonces = st.binary(min_size=16, max_size=16)


@pytest.mark.parametrize("duel", DUELS, ids=range(len(DUELS)))
def test_golden_duels(duel: dict[str, Any]) -> None:
    raw = tuple(bytes.fromhex(nonce) for nonce in duel["nonces"])
    decks = duel_decks(bytes.fromhex(duel["seed"]), (raw[0], raw[1]), mirror=duel["mirror"])
    again = reckoning.duel_deal(duel["seed"], duel["nonces"], mirror=duel["mirror"])
    assert [" ".join(map(card_name, deck)) for deck in decks] == duel["decks"]
    assert [reckoning.names(deck) for deck in again] == duel["decks"]
    assert commitment(bytes.fromhex(duel["seed"])) == duel["commitment"]
    assert check_deal(duel["commitment"], duel["seed"], duel["nonces"], mirror=duel["mirror"], seen=decks) == ()


@pytest.mark.parametrize("date", sorted(DAILIES["dates"]))
def test_golden_dailies(date: str) -> None:
    deck = daily_deck(bytes.fromhex(DAILIES["secret"]), dt.date.fromisoformat(date))
    assert " ".join(map(card_name, deck)) == DAILIES["dates"][date]
    assert reckoning.names(reckoning.daily_deal(DAILIES["secret"], date)) == DAILIES["dates"][date]


@given(seeds, nonces, nonces)
def test_each_seat_gets_its_own_deck(seed: bytes, first: bytes, second: bytes) -> None:
    decks = duel_decks(seed, (first, second), mirror=False)
    assert sorted(decks[0]) == list(range(52))
    assert sorted(decks[1]) == list(range(52, 104))
    assert decks[0] != tuple(card - 52 for card in decks[1])
    assert list(map(list, decks)) == reckoning.duel_deal(seed.hex(), [first.hex(), second.hex()], mirror=False)


@given(seeds, nonces, nonces)
def test_mirror_gives_both_the_same_faces(seed: bytes, first: bytes, second: bytes) -> None:
    decks = duel_decks(seed, (first, second), mirror=True)
    assert decks[0] == tuple(card - 52 for card in decks[1])
    assert decks[0] == duel_decks(seed, (first, second), mirror=False)[0]


@given(seeds, nonces, nonces, nonces)
def test_either_nonce_alone_changes_both_decks(seed: bytes, first: bytes, second: bytes, other: bytes) -> None:
    if other in (first, second):
        return
    before = duel_decks(seed, (first, second), mirror=False)
    for after in (duel_decks(seed, (other, second), mirror=False), duel_decks(seed, (first, other), mirror=False)):
        assert before[0] != after[0]
        assert before[1] != after[1]


def test_the_commitment_is_the_plain_hash() -> None:
    seed = bytes(range(32))
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()


@pytest.mark.parametrize(
    ("seed", "first", "words"),
    [(31, 16, "seed: expected 32 bytes, got 31"), (33, 16, "seed"), (32, 15, "nonce of seat 0: expected 16 bytes")],
)
def test_other_lengths_are_refused(seed: int, first: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        duel_decks(bytes(seed), (bytes(first), bytes(16)), mirror=False)


def test_a_short_daily_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="daily secret: expected at least 16 bytes, got 8"):
        daily_deck(bytes(8), dt.date(2026, 1, 1))


def fair() -> dict[str, Any]:
    duel = DUELS[0]
    return {"committed": duel["commitment"], "seed": duel["seed"], "nonces": duel["nonces"], "mirror": False}


def decks() -> list[list[int]]:
    return reckoning.duel_deal(DUELS[0]["seed"], DUELS[0]["nonces"], mirror=False)


def test_a_fair_deal_is_told_so_with_some_cards_unseen() -> None:
    seen = [[card if place % 3 else HIDDEN for place, card in enumerate(deck)] for deck in decks()]
    own = (1, DUELS[0]["nonces"][1].upper())
    assert check_deal(**fair(), own=own, seen=seen) == ()
    assert check_deal(**{**fair(), "committed": " " + fair()["committed"].upper()}) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"committed": "00" * 32}, "was shown before the deal"),
        ({"seed": "00" * 32}, "was shown before the deal"),
        ({"seed": "00" * 31}, "seed: expected 32 bytes"),
        ({"seed": "zz"}, "seed: expected hex digits"),
        ({"nonces": ["00" * 16, "0g"]}, "nonces[1]: expected hex digits"),
        ({"nonces": ["00" * 16]}, "nonces: expected 2, got 1"),
        ({"nonces": ["00" * 16, "00" * 4]}, "nonce of seat 1"),
        ({"own": (0, "00" * 16)}, "nonce of seat 0: this client sent"),
        ({"mirror": True, "seen": decks()}, "card 1 of seat 1"),
        ({"seen": [[*decks()[0][:5], decks()[0][6]], []]}, "card 6 of seat 0"),
        ({"seen": [[*decks()[0], 1]]}, "at most 52, got 53"),
        ({"seen": [[200]]}, "but 200 was played"),
    ],
)
def test_an_unfair_deal_is_found(change: dict[str, Any], words: str) -> None:
    (problem,) = check_deal(**{**fair(), **change})[:1]
    assert words in problem


@pytest.mark.parametrize("offset", [-11, -5, 0, 5.5, 13, 14])
@pytest.mark.parametrize("minutes", [-1, 1])
def test_the_local_date_is_open_on_both_sides_of_midnight(offset: float, minutes: int) -> None:
    zone = dt.timezone(dt.timedelta(hours=offset))
    now = dt.datetime(2026, 12, 1, tzinfo=zone) + dt.timedelta(minutes=minutes)
    assert is_date_somewhere(now.date(), now)
    assert is_date_somewhere(now.date(), now.astimezone(dt.UTC))


def test_dates_that_are_nowhere_are_not() -> None:
    noon = dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC)
    open_dates = [day for day in range(1, 5) if is_date_somewhere(dt.date(2026, 12, day), noon)]
    assert open_dates == [1, 2]
    assert not is_date_somewhere(dt.date(2026, 11, 30), noon)
    assert is_date_somewhere(dt.date(2026, 11, 30), noon - dt.timedelta(seconds=1))
    assert not is_date_somewhere(dt.date(2026, 12, 2), dt.datetime(2026, 12, 1, 9, 59, tzinfo=dt.UTC))
    with pytest.raises(ValueError, match="zone"):
        is_date_somewhere(dt.date(2026, 12, 1), dt.datetime(2026, 12, 1, 12))  # noqa: DTZ001 - the point
