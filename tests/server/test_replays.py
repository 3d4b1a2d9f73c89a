"""Replays over HTTP: what is there, what is not yet, how often, in which form."""

import gzip
import json
from typing import Any

import pytest

from server.limits import Limits
from server.link import Reply
from server.replay import check, read_archive
from server.replays import Replays, match_of
from server.storage.base import StoreAway
from shared.moves import Draw, Resign
from shared.terms import KlondikeTerms
from tests.server.house import House
from tests.server.winning import win

DAY_MS = 86_400_000


async def duel(house: House) -> str:
    room, ann, bob = await house.duel()
    await house.play(room, ann, Draw())
    await house.play(room, bob, Resign())
    await house.settle()
    return room.match


def replays(house: House, **limits: Any) -> Replays:
    return Replays(house.store.log, house.clock, Limits(**limits))


async def get(of: Replays, match: str, method: str = "GET", address: str = "192.0.2.1", **headers: str) -> Reply:
    return await of.answer(method, match, headers, address)


def headers_of(reply: Reply) -> dict[str, str]:
    return dict(reply.headers)


@pytest.mark.parametrize(
    ("path", "match"),
    [
        ("/replays/0123.json", "0123"),
        ("/replays/0123", None),
        ("/replays/../x.json", None),
        ("/replays/a%2fb.json", None),
        ("/replays/.json", None),
        (f"/replays/{'a' * 65}.json", None),
        ("/replay/0123", None),
    ],
)
def test_which_paths_are_replays(path: str, match: str | None) -> None:
    assert match_of(path) == match


async def test_a_finished_duel_is_there_for_everybody_and_sound() -> None:
    house = await House().start()
    match = await duel(house)
    of = replays(house)
    plain = await get(of, match)
    assert plain.status == 200
    assert headers_of(plain)["Content-Type"] == "application/json"
    assert "immutable" in headers_of(plain)["Cache-Control"]
    assert check(read_archive(plain.body)).problems == ()
    packed = await get(of, match, **{"Accept-Encoding": "gzip"})
    assert headers_of(packed)["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    head = await get(of, match, "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert headers_of(head)["Content-Length"] == str(len(plain.body))


async def test_what_is_not_there_is_told_in_json() -> None:
    house = await House().start()
    room, _, _ = await house.duel()
    of = replays(house)
    for match in ("none", room.match):
        reply = await get(of, match)
        assert (reply.status, json.loads(reply.body)["code"]) == (404, "no_such_replay")
        assert headers_of(reply)["Cache-Control"] == "no-store"
    assert (await get(of, room.match, "DELETE")).status == 405


async def test_the_replay_of_a_daily_waits_until_the_date_is_over_everywhere() -> None:
    house = await House().start()
    room = await house.rooms.create("ann", "Ann", KlondikeTerms(daily="2023-11-14"))
    ann = await house.enter(room, "ann")
    await win(house, room, ann)
    await house.settle()
    of = replays(house)
    reply = await get(of, room.match)
    assert (reply.status, json.loads(reply.body)["code"]) == (403, "not_yet")
    house.clock.ms += 2 * DAY_MS
    assert (await get(of, room.match)).status == 200


async def test_an_address_asks_so_often_and_no_other_notices() -> None:
    house = await House().start()
    match = await duel(house)
    of = replays(house, replays_per_second=1, replays_burst=3)
    assert [(await get(of, match)).status for _ in range(5)] == [200, 200, 200, 429, 429]
    assert (await get(of, match, address="192.0.2.9")).status == 200
    house.clock.ms += 1000
    assert (await get(of, match)).status == 200


async def test_a_store_that_is_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    house = await House().start()

    async def away(match: str) -> bytes | None:
        raise StoreAway("no answer")

    monkeypatch.setattr(house.store.log, "archived", away)
    reply = await get(replays(house), "m")
    assert (reply.status, json.loads(reply.body)["code"]) == (503, "unavailable")
