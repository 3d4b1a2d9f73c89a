"""Nicknames as they may be shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.identity import MAX_NAME, Guests, clean_name
from tests.server.gateway_fakes import FakeRecords, counting_bytes


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Ann\nLee\t", "Ann Lee"),
        ("A\x00n\x1bn", "Ann"),
        ("\u202eevil\u202c", "evil"),  # right-to-left override
        ("\u2066a\u2069\u200b\ufeff", "a"),  # isolates, zero width space, mark of byte order
        ("u\u0308ber", "über"),  # composed
        ("Z" + "\u0301\u0302\u0303\u0304\u0305", "Ź\u0302\u0303"),  # a pile of marks
        ("\u00a0Ann\u3000Lee\u2028", "Ann Lee"),
        ("\uff21\uff22", "\uff21\uff22"),  # full width stays
        ("Ægir 🂡", "Ægir 🂡"),
        ("\ud800x", "x"),
        ("\u200b \u202e", ""),
        ("", ""),
        ("x" * 40, "x" * MAX_NAME),
        ("x" * 23 + " y", "x" * 23),
    ],
)
def test_clean_name(given_name: str, shown: str) -> None:
    assert clean_name(given_name) == shown


@given(st.text(max_size=60))
def test_a_clean_name_is_short_one_line_and_stays_as_it_is(name: str) -> None:
    shown = clean_name(name)
    assert len(shown) <= MAX_NAME
    assert shown == clean_name(shown)
    assert not any(unicodedata.category(char).startswith("C") for char in shown)
    assert "  " not in shown
    assert shown == shown.strip()


async def test_who_gives_no_usable_name_gets_one() -> None:
    guests = Guests(FakeRecords(), randbytes=counting_bytes(), wall_ms=lambda: 1_700_000_000_999)
    for name in (None, "\u200b"):
        identity, _ = await guests.make(name)
        word, number = identity.name.split()
        assert word == "Guest"
        assert 1000 <= int(number) <= 9999
        assert identity.made_at == 1_700_000_000


async def test_two_guests_have_nothing_in_common() -> None:
    guests = Guests(FakeRecords(), randbytes=counting_bytes(), wall_ms=lambda: 0)
    (ann, ann_token), (bob, bob_token) = await guests.make("Ann"), await guests.make("Bob")
    assert ann.identity != bob.identity
    assert ann_token != bob_token
    assert await guests.find(ann_token) == ann
    assert await guests.find(bob_token) == bob
    assert await guests.find("x" * 43) is None


async def test_a_new_name_is_kept_and_an_empty_one_is_no_name() -> None:
    guests = Guests(FakeRecords(), randbytes=counting_bytes(), wall_ms=lambda: 0)
    ann, token = await guests.make("Ann")
    assert (await guests.rename(ann, " ")).name == "Ann"
    assert (await guests.rename(ann, "Anna")).name == "Anna"
    found = await guests.find(token)
    assert found is not None
    assert found.name == "Anna"
