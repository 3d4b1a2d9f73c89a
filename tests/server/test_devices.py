"""One identity on several devices: links that bring it to another, raced, repeated, too late; taking one away."""

import json

import pytest

from server.devices import MOVE_SECONDS, qr_code
from server.storage.keeping import MAX_TOKENS, TokenNote
from shared.protocol import (
    AskDevices,
    AskMove,
    Devices,
    DropDevice,
    Failed,
    Hello,
    Join,
    MoveOf,
    MoveOffered,
    Notice,
    OfferMove,
    Ping,
    Pong,
    ToClient,
    Welcome,
)
from tests.qr import read_qr
from tests.server.gateway_fakes import Bench, Client

NEW = "n" * 43
OTHER = "o" * 43


async def offered(client: Client, **more: str) -> MoveOffered:
    answer = await client.ask(OfferMove(ask=1, **more))
    assert isinstance(answer, MoveOffered), answer
    return answer


async def moved(bench: Bench, code: str, token: str = NEW, device: str | None = "Phone") -> tuple[Client, ToClient]:
    client = bench.connect()
    return client, await client.ask(Hello(token=token, move=code, device=device))


async def devices(client: Client) -> Devices:
    answer = await client.ask(AskDevices(ask=2))
    assert isinstance(answer, Devices), answer
    return answer


def code_of(answer: object) -> str:
    assert isinstance(answer, Failed), answer
    return answer.code


async def test_a_link_brings_an_identity_to_one_more_device() -> None:
    bench = Bench()
    ann = bench.connect()
    welcome = await ann.ask(Hello(name="Ann", device="Desk\u202e  one"))
    assert isinstance(welcome, Welcome)
    offer = await offered(ann)
    assert offer.ms == MOVE_SECONDS * 1000
    bench.clock.jump(5_000)
    phone, answer = await moved(bench, offer.code)
    assert answer == Welcome(identity=welcome.identity, name="Ann", version="1.2.3")
    now = bench.clock.wall_ms() // 1000
    mine = (await devices(ann)).devices
    assert [(d.label, d.since, d.own) for d in mine] == [("Desk one", now - 5, True), ("Phone", now, False)]
    assert [d.own for d in (await devices(phone)).devices] == [False, True]
    again = bench.connect()
    assert isinstance(await again.ask(Hello(token=NEW)), Welcome), "its token is as good as any"


async def test_a_lost_answer_costs_nothing_the_same_hello_may_be_said_again() -> None:
    bench = Bench()
    ann = await bench.guest()
    offer = await offered(ann)
    for _ in range(3):
        _, answer = await moved(bench, offer.code)
        assert isinstance(answer, Welcome)
    assert len((await devices(ann)).devices) == 2
    bench.clock.jump(MOVE_SECONDS * 2000)
    _, answer = await moved(bench, offer.code)
    assert isinstance(answer, Welcome), "its answer was lost for long"


async def test_said_twice_at_once_it_counts_once_and_both_are_let_in() -> None:
    bench = Bench()
    ann = await bench.guest()
    offer = await offered(ann)
    clients = [bench.connect() for _ in range(3)]
    for client in clients:
        client.send(Hello(token=NEW, move=offer.code))
    assert [type((await client.told())[0]) for client in clients] == [Welcome] * 3
    assert len((await devices(ann)).devices) == 2


async def test_two_devices_with_one_link_one_gets_in_and_the_other_is_told() -> None:
    bench = Bench()
    ann = await bench.guest()
    offer = await offered(ann)
    clients = [bench.connect(), bench.connect()]
    for client, token in zip(clients, (NEW, OTHER), strict=True):
        client.send(Hello(token=token, move=offer.code))
    answers = [(await client.told())[0] for client in clients]
    assert sorted(type(answer).__name__ for answer in answers) == ["Failed", "Welcome"]
    (failed,) = (answer for answer in answers if isinstance(answer, Failed))
    assert (failed.code, failed.field) == ("move_used", "move")
    assert len((await devices(ann)).devices) == 2


@pytest.mark.parametrize(
    ("wait_s", "offers", "asked", "code"),
    [
        (MOVE_SECONDS - 1, 1, 0, None),
        (MOVE_SECONDS, 1, 0, "move_expired"),
        (MOVE_SECONDS * 9, 1, 0, "move_expired"),
        (0, 2, 0, "no_such_move"),  # a newer one took its place
        (0, 2, 1, None),
    ],
)
async def test_a_link_has_its_time(wait_s: int, offers: int, asked: int, code: str | None) -> None:
    bench = Bench()
    ann = await bench.guest()
    codes = [(await offered(ann)).code for _ in range(offers)]
    bench.clock.jump(wait_s * 1000)
    bob = await bench.guest()
    told = await bob.ask(AskMove(ask=3, code=codes[asked]))
    _, answer = await moved(bench, codes[asked])
    if code is None:
        assert isinstance(told, MoveOf)
        assert isinstance(answer, Welcome)
    else:
        assert code_of(told) == code_of(answer) == code


async def test_a_code_that_never_was() -> None:
    bench = Bench()
    bob = await bench.guest()
    assert code_of(await bob.ask(AskMove(ask=3, code="x" * 22))) == "no_such_move"
    client, answer = await moved(bench, "x" * 22)
    assert code_of(answer) == "no_such_move"
    assert isinstance(await client.ask(Hello()), Welcome), "hello may be said again"


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"t": "hello", "token": NEW, "move": "short"}, "move"),
        ({"t": "hello", "token": NEW, "move": "x" * 21 + "!"}, "move"),
        ({"t": "hello", "move": "x" * 22}, "token"),
        ({"t": "hello", "move": "x" * 22, "token": "t" * 42}, "token"),
        ({"t": "hello", "device": "x" * 41}, "device"),
        ({"t": "ask_move", "ask": 1, "code": "x" * 23}, "code"),
        ({"t": "drop_device", "ask": 1, "device": "ABCDEF0123456789"}, "device"),
        ({"t": "offer_move", "ask": 1, "origin": "javascript:alert(1)"}, "origin"),
        ({"t": "offer_move", "ask": 1, "origin": 'https://x/" onload="'}, "origin"),
    ],
)
async def test_what_is_malformed_names_its_field(message: dict[str, object], field: str) -> None:
    bench = Bench()
    client = bench.connect("ds.json.v1")
    (answer,) = await client.ask_raw(json.dumps(message))
    assert isinstance(answer, Failed)
    assert (answer.code, answer.field) == ("malformed", field)


async def test_whose_a_link_is_can_be_asked_without_using_it_up() -> None:
    bench = Bench()
    ann = bench.connect()
    await ann.ask(Hello(name="Ann"))
    bob = await bench.guest()
    offer = await offered(ann)
    for _ in range(3):
        assert await bob.ask(AskMove(ask=3, code=offer.code)) == MoveOf(3, "Ann")
    assert await ann.ask(AskMove(ask=4, code=offer.code)) == MoveOf(4, "Ann", own=True)
    _, answer = await moved(bench, offer.code)
    assert isinstance(answer, Welcome)
    assert code_of(await bob.ask(AskMove(ask=5, code=offer.code))) == "move_used"


async def test_who_plays_on_a_connection_stays_who_he_is() -> None:
    bench = Bench()
    ann, bob = await bench.guest(), await bench.guest()
    offer = await offered(ann)
    answer = await bob.ask(Hello(token=NEW, move=offer.code))
    assert isinstance(answer, Failed)
    assert (answer.code, answer.field) == ("malformed", "move")
    _, answer = await moved(bench, offer.code)
    assert isinstance(answer, Welcome), "and the code is not used up"


async def test_a_device_that_is_taken_away_is_told_and_leads_nowhere() -> None:
    bench = Bench()
    ann = await bench.guest()
    phone, _ = await moved(bench, (await offered(ann)).code)
    second = bench.connect()
    await second.ask(Hello(token=NEW))
    (gone,) = (d.device for d in (await devices(ann)).devices if not d.own)
    answer = await ann.ask(DropDevice(ask=4, device=gone))
    assert isinstance(answer, Devices)
    assert [d.own for d in answer.devices] == [True]
    for client in (phone, second):
        assert await client.told() == [Notice(what="dropped")]
        assert client.link.close_code == 1008
    assert code_of(await bench.connect().ask(Hello(token=NEW))) == "bad_token"
    assert code_of(await ann.ask(DropDevice(ask=5, device=gone))) == "no_such_device"


async def test_a_device_of_another_cannot_be_taken_away() -> None:
    bench = Bench()
    ann, bob = await bench.guest(), await bench.guest()
    await moved(bench, (await offered(ann)).code)
    for device in (await devices(ann)).devices:
        assert code_of(await bob.ask(DropDevice(ask=4, device=device.device))) == "no_such_device"
    assert len((await devices(ann)).devices) == 2


async def test_the_last_device_stays() -> None:
    bench = Bench()
    ann = await bench.guest()
    (own,) = (await devices(ann)).devices
    assert code_of(await ann.ask(DropDevice(ask=4, device=own.device))) == "last_device"
    assert ann.link.close_code is None


async def test_ones_own_device_can_be_taken_away_if_there_is_another() -> None:
    bench = Bench()
    ann = await bench.guest()
    await moved(bench, (await offered(ann)).code)
    (own,) = (d.device for d in (await devices(ann)).devices if d.own)
    ann.send(DropDevice(ask=4, device=own))
    assert Notice(what="dropped") in await ann.told()
    assert ann.link.close_code == 1008


async def test_one_taken_away_on_another_node_is_told_when_it_looks_for_a_game() -> None:
    """The other node closes nothing here; the token is looked up again a minute later, at the earliest."""
    bench = Bench()
    ann = await bench.guest()
    phone, _ = await moved(bench, (await offered(ann)).code)
    (gone,) = (note.hash for note in await bench.records.tokens(phone.connection.identity) if note.label == "Phone")
    await bench.records.drop_token(phone.connection.identity, gone)
    assert isinstance(await phone.ask(Ping(1)), Pong)
    bench.clock.jump(61_000)
    phone.send(Join(match="m"))
    assert await phone.told() == [Notice(what="dropped")]
    assert phone.link.close_code == 1008


async def taken_away_elsewhere(bench: Bench) -> tuple[Client, Client, Client]:
    """Two devices of one player and a third one that was taken away on another node, which closes nothing here."""
    ann = await bench.guest()
    phone, _ = await moved(bench, (await offered(ann)).code)
    tablet, _ = await moved(bench, (await offered(ann)).code, OTHER, "Tablet")
    (gone,) = (note.hash for note in await bench.records.tokens(ann.connection.identity) if note.label == "Tablet")
    await bench.records.drop_token(ann.connection.identity, gone)
    return ann, phone, tablet


@pytest.mark.parametrize("what", ["list", "offer", "drop"])
async def test_one_taken_away_on_another_node_learns_and_changes_nothing(what: str) -> None:
    bench = Bench()
    ann, _, thief = await taken_away_elsewhere(bench)
    other = next(d.device for d in (await devices(ann)).devices if not d.own)
    question = {"list": AskDevices(ask=7), "offer": OfferMove(ask=7), "drop": DropDevice(ask=7, device=other)}[what]
    thief.send(question)  # type: ignore[arg-type]
    assert await thief.told() == [Notice(what="dropped")]
    assert thief.link.close_code == 1008
    assert len((await devices(ann)).devices) == 2


async def test_one_taken_away_on_another_node_cannot_even_change_the_name() -> None:
    bench = Bench()
    ann, _, thief = await taken_away_elsewhere(bench)
    assert code_of(await thief.ask(Hello(name="Thief"))) == "bad_token"
    found = await bench.records.identity(ann.connection.identity)
    assert found is not None
    assert found.name != "Thief"


async def test_a_link_that_a_device_made_does_not_bring_it_back() -> None:
    bench = Bench()
    ann = await bench.guest()
    thief, _ = await moved(bench, (await offered(ann)).code)
    way_back = (await offered(thief)).code
    (gone,) = (d.device for d in (await devices(ann)).devices if not d.own)
    await ann.ask(DropDevice(ask=4, device=gone))
    _, answer = await moved(bench, way_back, OTHER)
    assert code_of(answer) == "no_such_move"


async def test_a_link_made_in_the_moment_of_being_taken_away_is_not_told() -> None:
    """The token goes between the look at it and the offer: the code leads nowhere, and nobody learns it."""
    bench = Bench()
    ann = await bench.guest()
    thief, _ = await moved(bench, (await offered(ann)).code)
    codes: list[bytes] = []
    offer = bench.records.offer_move

    async def offer_late(code_hash: bytes, identity: str, until: int) -> None:
        if until:
            await bench.records.drop_token(identity, thief.connection.proof)
            codes.append(code_hash)
        await offer(code_hash, identity, until)

    bench.records.offer_move = offer_late  # type: ignore[method-assign]
    thief.send(OfferMove(ask=7))
    assert await thief.told() == [Notice(what="dropped")]
    assert [await bench.records.find_move(code) for code in codes] == [None]


async def test_no_device_is_lost_for_one_too_many() -> None:
    bench = Bench()
    ann = await bench.guest()
    last = (await offered(ann)).code
    for n in range(MAX_TOKENS - 1):
        _, answer = await moved(bench, last, f"{n:043}")
        assert isinstance(answer, Welcome)
        if n < MAX_TOKENS - 2:
            last = (await offered(ann)).code
    assert code_of(await ann.ask(OfferMove(ask=5))) == "too_many"
    before = await devices(ann)
    assert (len(before.devices), before.most) == (MAX_TOKENS, MAX_TOKENS)


async def test_a_code_offered_before_the_last_place_went_is_refused_and_not_burnt() -> None:
    bench = Bench()
    ann = await bench.guest()
    who = ann.connection.identity
    offer = await offered(ann)
    for n in range(MAX_TOKENS - 1):
        await bench.records.add_token(who, TokenNote(bytes([n]) * 32, "", 0))
    _, answer = await moved(bench, offer.code)
    assert code_of(answer) == "too_many"
    await bench.records.drop_token(who, bytes([3]) * 32)
    _, answer = await moved(bench, offer.code)
    assert isinstance(answer, Welcome)


async def test_new_devices_of_an_address_are_limited_like_new_guests() -> None:
    bench = Bench(identities_per_second=0.001, identities_burst=1)
    ann = await bench.guest()
    offer = await offered(ann)
    _, answer = await moved(bench, offer.code)
    assert code_of(answer) == "too_many"


async def test_a_new_device_takes_no_name_along_but_may_give_one() -> None:
    bench = Bench()
    ann = bench.connect()
    await ann.ask(Hello(name="Ann"))
    client = bench.connect()
    answer = await client.ask(Hello(token=NEW, move=(await offered(ann)).code, name="Anna"))
    assert isinstance(answer, Welcome)
    assert answer.name == "Anna"


@pytest.mark.parametrize(
    "origin",
    ["https://example.org", "http://192.168.10.20:8765", "http://[2001:db8::1]:8080", "https://" + "x" * 250 + ".eu"],
)
async def test_the_qr_code_says_the_link(origin: str) -> None:
    bench = Bench()
    ann = await bench.guest()
    assert (await offered(ann)).qr is None
    offer = await offered(ann, origin=origin)
    assert offer.qr is not None
    assert read_qr(offer.qr.path, offer.qr.size) == f"{origin}/move#{offer.code}"


def test_a_qr_code_has_its_quiet_zone() -> None:
    code = qr_code("x")
    assert code.size == 21 + 8
    assert code.path.startswith("M4 4.5h7M")
