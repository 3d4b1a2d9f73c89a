"""Deal codes: reading, writing, and the same cards for ever."""

import json
import re
import string
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.cards import card_name
from shared.deals import MAX_NUMBER, CodeError, DealCode, deck_for_code, format_code, parse_code
from shared.shuffle import hmac_words, shuffled
from tests.shared import reckoning

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "deals_codes.json").read_text())

codes = st.builds(
    lambda game, draw, number: DealCode(game=game[0], draw=draw, scoring=game[1], number=number),
    st.sampled_from([("DS", "normal"), ("DS", "vegas"), ("KL", "standard"), ("KL", "vegas"), ("KL", "none")]),
    st.sampled_from([1, 3]),
    st.integers(0, MAX_NUMBER),
)
NOISE = " -\t‐‑‒–—―\u00a0"  # noqa: RUF001 - what people's keyboards type


@pytest.mark.parametrize("text", sorted(GOLDEN))
def test_golden_codes_give_the_same_cards_for_ever(text: str) -> None:
    code = parse_code(text)
    assert code.number == GOLDEN[text]["number"]
    assert " ".join(map(card_name, deck_for_code(code))) == GOLDEN[text]["cards"]
    assert reckoning.names(reckoning.code_deal(code.game, code.number)) == GOLDEN[text]["cards"]


@given(codes)
def test_a_code_reads_back(code: DealCode) -> None:
    text = format_code(code)
    assert re.fullmatch(r"(DS1-D[13][NV]|KL1-D[13][SVO])-[A-Z]{7}", text)
    assert parse_code(text) == code
    assert str(code) == text


@given(codes, st.data())
def test_a_code_reads_back_however_it_is_typed(code: DealCode, data: st.DataObject) -> None:
    bare = format_code(code).replace("-", "")
    typed = "".join(
        data.draw(st.text(NOISE, max_size=2))
        + data.draw(st.sampled_from([c, c.lower(), chr(ord(c) + 0xFEE0), chr(ord(c.lower()) + 0xFEE0)]))
        for c in bare
    )
    assert parse_code(typed) == code


@given(st.text(string.ascii_letters + string.digits + NOISE + "ßſıİ²①éＡ１", max_size=18))
def test_any_other_text_is_an_error_and_never_another_deal(text: str) -> None:
    try:
        code = parse_code(text)
    except CodeError:
        return
    shown = "".join(c for c in text if c.isalnum()).translate({0xFF21: "A", 0xFF11: "1"}).upper()
    assert shown[6:].replace("0", "O") == format_code(code).replace("-", "")[6:]


@pytest.mark.parametrize(
    "text",
    [
        "ds1-d1n-aaaaaab",
        " DS1 D1N AAAAAAB ",
        "DS1–D1N—AAAAAAB",  # noqa: RUF001 - en and em dash
        "DS1\u2010D1N\u2015AAAAAAB",
        "DS1\u00a0D1N\u00a0AAAAAAB",
        "DS1D1NAAAAAAB",
        "ＤＳ１－Ｄ１Ｎ－ＡＡＡＡＡＡＢ",  # noqa: RUF001 - full width
        "ds1 d1n\u3000ａａａａａａｂ",  # noqa: RUF001 - full width
        "\ufeffDS1-D1N-AAAA-AAB\n",
    ],
)
def test_forgiving_reading(text: str) -> None:
    assert parse_code(text) == DealCode(game="DS", draw=1, scoring="normal", number=1)


def test_zero_counts_as_the_letter_o() -> None:
    assert parse_code("KL1-D3O-A0AAA0B") == parse_code("KL1-D3O-AOAAAOB") == parse_code("KL1-D30-AOAAAOB")


@pytest.mark.parametrize(
    ("text", "fault", "words"),
    [
        ("", "empty", "got nothing"),
        (" - ", "empty", "got nothing"),
        ("XX1-D1N-AAAAAAB", "game", "DS (two-deck Double Solitaire) or KL (Klondike)"),
        ("D", "game", "'D'"),
        ("DS2-D1N-AAAAAAB", "version", "reads version 1"),
        ("DS2-whatever else", "version", "reads version 1"),
        ("DS-D1N-AAAAAAB", "version", "'DSD'"),
        ("DS", "length", "13 letters and digits (3, 3 and 7), got 2"),
        ("DS1-D1N-AAAAAA", "length", "got 12"),
        ("DS1-D1N-AAAAAABB", "length", "got 14"),
        ("DS1-D2N-AAAAAAB", "draw", "D1 or D3"),
        ("DS1-1DN-AAAAAAB", "draw", "D1 or D3"),
        ("DS1-D1S-AAAAAAB", "scoring", "N (normal), V (vegas)"),
        ("KL1-D1N-AAAAAAB", "scoring", "S (standard), V (vegas), O (none)"),
        ("DS1-D1N-AAAAAA1", "one", "I or an L"),
        ("DS1-D1N-AAAAAA2", "letter", "A to Z only, got '2'"),
        ("DS1-D1N-AAAAAAß", "letter", "A to Z only"),
        ("DS1-D1N-AAAAAAı", "letter", "A to Z only"),  # noqa: RUF001 - a dotless i is no I
        ("DS1-D1N-AAAAA.B", "letter", "got '.'"),
        ("DS1-D1N-NXMRLXW", "range", "NXMRLXV"),
        ("DS1-D1N-ZZZZZZZ", "range", "NXMRLXV"),
    ],
)
def test_each_fault_has_its_own_message(text: str, fault: str, words: str) -> None:
    with pytest.raises(CodeError, match=re.escape(words)) as caught:
        parse_code(text)
    assert caught.value.fault == fault


def test_the_highest_deal() -> None:
    assert parse_code("DS1-D3V-NXMRLXV").number == MAX_NUMBER == 2**32 - 1
    assert format_code(DealCode(game="DS", draw=3, scoring="vegas", number=MAX_NUMBER)) == "DS1-D3V-NXMRLXV"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"number": -1}, "range"),
        ({"number": 2**32}, "range"),
        ({"scoring": "standard"}, "scoring"),
        ({"draw": 2}, "draw"),
        ({"version": 2}, "version"),
    ],
)
def test_no_code_can_be_made_that_would_not_read_back(fields: dict[str, object], fault: str) -> None:
    with pytest.raises(CodeError) as caught:
        DealCode(**{"game": "DS", "draw": 1, "scoring": "normal", "number": 0, **fields})  # type: ignore[arg-type]
    assert caught.value.fault == fault


def test_the_order_depends_on_game_and_number_only() -> None:
    decks = {deck_for_code(parse_code(f"KL1-{options}-ABCDEFG")) for options in ("D1S", "D3S", "D1V", "D3O")}
    assert len(decks) == 1
    assert deck_for_code(parse_code("KL1-D1S-ABCDEFH")) not in decks


@given(codes)
def test_a_deal_has_every_card_once(code: DealCode) -> None:
    assert sorted(deck_for_code(code)) == list(range(104 if code.game == "DS" else 52))


def test_a_number_that_would_favour_some_order_is_thrown_away() -> None:
    # i + 1 = 3: 2^32 - 1 is the only number above 3 * 1431655765, so it is skipped and 4 (j = 1) taken.
    assert shuffled(3, iter([2**32 - 1, 4, 0])) == shuffled(3, iter([4, 0])) == (2, 0, 1)


def test_orders_of_few_cards_are_equally_likely() -> None:
    """Chi-square over the 24 orders of four cards in 24 000 shuffles; 49.7 is the 0.1 % point of 23 degrees."""
    counts = Counter(shuffled(4, hmac_words(b"uniform", n.to_bytes(4, "big"))) for n in range(24_000))
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7


def test_every_card_comes_first_equally_often() -> None:
    """Chi-square over the first card of 5 200 deals; 87.0 is the 0.1 % point of 51 degrees."""
    counts = Counter(
        deck_for_code(DealCode(game="KL", draw=1, scoring="none", number=number))[0] for number in range(5200)
    )
    assert sum((counts[card] - 100) ** 2 / 100 for card in range(52)) < 87.0
