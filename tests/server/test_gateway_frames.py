"""Frames that are no message: each has a defined answer, in both codecs, and nobody else notices."""

import json

import msgspec
import pytest

from server.link import POLICY
from shared.protocol import JSON, MSGPACK, Create, Failed, Ping, Pong, Update
from shared.terms import KlondikeTerms
from tests.server.gateway_fakes import Bench, Client
from tests.server.test_gateway import in_match, play

BOTH = pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])


def frame_of(value: object, subprotocol: str) -> bytes | str:
    return json.dumps(value) if subprotocol == JSON else msgspec.msgpack.encode(value)


async def malformed(client: Client, frame: bytes | str) -> Failed:
    (answer,) = await client.ask_raw(frame)
    assert isinstance(answer, Failed), answer
    assert answer.code == "malformed"
    assert await client.ask(Ping(sent=1)) == Pong(sent=1, now=4321)  # it goes on
    return answer


DRAW = {"do": "draw"}
# What was sent, the field that is named, words of what was expected.
BAD: list[tuple[object, str | None, str]] = [
    (None, None, "Expected `object`"),
    (3, None, "Expected `object`"),
    ("ping", None, "Expected `object`"),
    ([], None, "Expected `object`"),
    ({}, "t", "required"),
    ({"sent": 1}, "t", "required"),
    ({"t": None}, "t", "Expected `str`"),
    ({"t": 3}, "t", "Expected `str`"),
    ({"t": "welcome"}, "t", "`hello`, `create`"),
    ({"t": "PING", "sent": 1}, "t", "`ping`"),
    ({"t": "ping"}, "sent", "required"),
    ({"t": "ping", "sent": "1"}, "sent", "Expected `float`"),
    ({"t": "ping", "sent": None}, "sent", "Expected `float`"),
    ({"t": "ping", "sent": 1, "and": 2}, "and", "unknown"),
    ({"t": "leave", "match": "m1"}, "match", "unknown"),
    ({"t": "hello", "name": ""}, "name", "length >= 1"),
    ({"t": "hello", "name": "x" * 25}, "name", "length <= 24"),
    ({"t": "hello", "name": 5}, "name", "Expected `str"),
    ({"t": "hello", "token": "short"}, "token", "length >= 20"),
    ({"t": "join", "match": "m" * 65}, "match", "length <= 64"),
    ({"t": "join", "match": "m1", "watch": 1}, "watch", "Expected `bool`"),
    ({"t": "join", "match": "m1", "since": -1}, "since", ">= 0"),
    ({"t": "join", "match": "m1", "since": 1.5}, "since", "Expected `int"),
    ({"t": "create"}, "terms", "required"),
    ({"t": "create", "terms": {}}, "terms.type", "required"),
    ({"t": "create", "terms": {"type": "poker"}}, "terms.type", "`klondike`, `two_deck`, `duel`"),
    ({"t": "create", "terms": {"type": "duel", "games": 2}}, "terms.games", "`1`, `3`, `5`, got 2"),
    ({"t": "create", "terms": {"type": "duel", "draw": [1, 2]}}, "terms.draw[1]", "`1`, `3`"),
    ({"t": "create", "terms": {"type": "duel", "draw": [1]}}, "terms.draw", "Expected `array` of length 2"),
    ({"t": "create", "terms": {"type": "duel", "turn_seconds": 1}}, "terms.turn_seconds", ">= 5"),
    ({"t": "create", "terms": {"type": "klondike", "passes": 10}}, "terms.passes", "<= 9"),
    (
        {"t": "create", "terms": {"type": "klondike", "scoring": "normal"}},
        "terms.scoring",
        "`none`, `standard`, `vegas`",
    ),
    ({"t": "create", "terms": {"type": "two_deck", "worry_back": True}}, "terms.worry_back", "unknown"),
    ({"t": "play", "n": 1, "do": DRAW}, "seen", "required"),
    ({"t": "play", "n": 1, "seen": 0}, "do", "required"),
    ({"t": "play", "n": "1", "seen": 0, "do": DRAW}, "n", "Expected `int"),
    ({"t": "play", "n": -1, "seen": 0, "do": DRAW}, "n", ">= 0"),
    ({"t": "play", "n": 2**53 + 1, "seen": 0, "do": DRAW}, "n", "<= 9007199254740992"),
    ({"t": "play", "n": 1, "seen": 0, "do": "draw"}, "do", "Expected `object`"),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "cheat"}}, "do.do", "`move`, `draw`"),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "draw", "count": 3}}, "do.count", "unknown"),
    (
        {"t": "play", "n": 1, "seen": 0, "do": {"do": "move", "card": "A♣\ufe0f", "to": "f"}},
        "do.card",
        "Expected `int`",
    ),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "move", "card": 1, "to": "f3"}}, "do.to", "`f`, `t0`"),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "move", "card": 1}}, "do.to", "required"),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "ready", "nonce": "ABC"}}, "do.nonce", "[0-9a-f]{32}"),
    ({"t": "play", "n": 1, "seen": 0, "do": {"do": "wait", "on": "yes"}}, "do.on", "Expected `bool`"),
]


@BOTH
@pytest.mark.parametrize(("value", "field", "words"), BAD)
async def test_the_field_and_what_was_expected_are_named(
    value: object, field: str | None, words: str, subprotocol: str
) -> None:
    client = await in_match(Bench(), subprotocol)
    answer = await malformed(client, frame_of(value, subprotocol))
    assert answer.field == field
    assert words in answer.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "nonsense",
        '{"t":"ping","sent":1}}',
        '{"t":"ping","sent":1e999}',
        "[" * 4000,
        '{"t":"ping","sent":NaN}',
        '{"t":"hello","name":"\\ud800"}',
        "\ufeff{}",
        "\x00",
        '{"t": "ping", "sent": 01}',
        '{"a":' * 700,
    ],
)
async def test_text_that_is_no_json(text: str) -> None:
    client = await in_match(Bench(), JSON)
    await malformed(client, text)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\xff" * 50,
        b"\x91" * 4000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\x81\xa1t\xa4pin",
        b"\x81\xa1t\xa2\xff\xfe",
        b"\x82\xa1t\xa5hello\xa4name\xa2\xff\xfe",
        b"\xd4\x05\x00",
        b"\xc7\xff\xff",
        b"\x81\xc0\xc0",
    ],
)
async def test_bytes_that_are_no_message_pack(data: bytes) -> None:
    client = await in_match(Bench(), MSGPACK)
    await malformed(client, data)


@BOTH
async def test_the_wrong_kind_of_frame_is_told(subprotocol: str) -> None:
    client = await in_match(Bench(), subprotocol)
    wrong: bytes | str = '{"t":"leave"}' if subprotocol == MSGPACK else b"\x81\xa1t\xa5leave"
    answer = await malformed(client, wrong)
    assert ("binary" if subprotocol == MSGPACK else "text") in answer.message
    assert subprotocol in answer.message


async def test_a_huge_field_name_is_not_sent_back_whole() -> None:
    client = await in_match(Bench(), JSON)
    answer = await malformed(client, frame_of({"t": "leave", "x" * 3000: 1}, JSON))
    assert len(answer.message) <= 500
    assert len(answer.field or "") <= 80


@BOTH
async def test_after_too_many_the_connection_is_closed_and_only_that(subprotocol: str) -> None:
    bench = Bench(malformed=3)
    bad, other = await in_match(bench, subprotocol), await in_match(bench, subprotocol)
    for count in range(1, 4):
        await bad.ask_raw(frame_of({"t": count}, subprotocol))
        assert bad.link.close_code is None
    (last,) = await bad.ask_raw(frame_of(4, subprotocol))
    assert isinstance(last, Failed)  # still told why
    assert bad.link.close_code == POLICY
    assert isinstance(await other.ask(play()), Update)


async def test_a_malformed_frame_is_answered_in_its_turn() -> None:
    bench = Bench()
    client = await bench.guest(JSON)
    client.send(Create(terms=KlondikeTerms()))
    client.raw("{")
    client.send(Ping(sent=1))
    assert [type(told).__name__ for told in await client.told()] == ["Snapshot", "Failed", "Pong"]
