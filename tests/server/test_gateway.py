"""The gateway without a socket: who is served, in which order, and what stands between two connections."""

import asyncio
import hashlib

import pytest

from server.link import POLICY, RESTARTING, TOO_SLOW
from shared.moves import Draw
from shared.protocol import (
    JSON,
    MSGPACK,
    AskHint,
    AskLegal,
    AskSnapshot,
    Create,
    Failed,
    Hello,
    Hint,
    Join,
    Leave,
    LegalNow,
    Notice,
    Ping,
    Play,
    Pong,
    Refused,
    Snapshot,
    ToServer,
    Update,
    Welcome,
)
from shared.terms import DuelTerms, KlondikeTerms
from tests.server.gateway_fakes import Bench, Client

BOTH = pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])


def play(n: int = 1) -> Play:
    return Play(n=n, seen=0, do=Draw())


async def in_match(bench: Bench, subprotocol: str = MSGPACK) -> Client:
    client = await bench.guest(subprotocol)
    assert isinstance(await client.ask(Create(terms=KlondikeTerms())), Snapshot)
    return client


def code_of(message: object) -> str:
    assert isinstance(message, Failed), message
    return message.code


# Identity.


@BOTH
async def test_hello_makes_a_guest_and_its_token_brings_him_back(subprotocol: str) -> None:
    bench = Bench()
    first = await bench.connect(subprotocol).ask(Hello(name="Ann"))
    assert isinstance(first, Welcome)
    assert first.token is not None
    again = await bench.connect(subprotocol).ask(Hello(token=first.token))
    assert again == Welcome(identity=first.identity, name="Ann", version="1.2.3")


async def test_a_token_is_long_random_and_stored_as_its_hash_only() -> None:
    bench = Bench()
    answer = await bench.connect().ask(Hello())
    assert isinstance(answer, Welcome)
    assert answer.token is not None
    assert len(answer.token) == 43  # 32 bytes
    notes = await bench.records.tokens(answer.identity)
    assert [note.hash for note in notes] == [hashlib.sha256(answer.token.encode()).digest()]
    assert answer.token not in repr(vars(bench.records))
    assert answer.token not in repr(vars(bench.gateway)) + repr(vars(bench.guests))


async def test_an_unknown_token_is_told_and_one_may_come_without() -> None:
    client = Bench().connect()
    assert code_of(await client.ask(Hello(token="x" * 43))) == "bad_token"
    assert isinstance(await client.ask(Hello()), Welcome)


async def test_hello_again_renames_and_never_turns_into_somebody_else() -> None:
    bench = Bench()
    ann, bob = await bench.guest(), await bench.guest()
    assert ann.welcome
    assert bob.welcome
    renamed = await ann.ask(Hello(name="Ann"))
    assert renamed == Welcome(identity=ann.welcome.identity, name="Ann", version="1.2.3")
    assert code_of(await ann.ask(Hello(token=bob.welcome.token))) == "bad_token"
    assert ann.connection.identity == ann.welcome.identity


@pytest.mark.parametrize(
    "message",
    [Create(terms=KlondikeTerms()), Join(match="m1"), Leave(), play(), AskLegal(), AskSnapshot(), AskHint()],
)
async def test_before_hello_only_ping_is_served(message: ToServer) -> None:
    client = Bench().connect()
    assert code_of(await client.ask(message)) == "hello_first"
    assert await client.ask(Ping(sent=1.5)) == Pong(sent=1.5)


async def test_who_says_no_hello_in_time_is_closed() -> None:
    bench = Bench(hello_ms=1000)
    silent, polite = bench.connect(), await bench.guest()
    bench.clock.jump(1000)
    assert silent.link.close_code == POLICY
    assert polite.link.close_code is None


# Matches.


@BOTH
async def test_create_play_and_ask(subprotocol: str) -> None:
    bench = Bench()
    client = await in_match(bench, subprotocol)
    assert await client.ask(play()) == Update(no=2, at=2, seat=0, n=1)
    assert isinstance(await client.ask(AskLegal()), LegalNow)
    assert isinstance(await client.ask(AskSnapshot()), Snapshot)
    assert isinstance(await client.ask(AskHint()), Hint)
    assert await client.ask(Ping(sent=7)) == Pong(sent=7, now=4321)


async def test_create_asks_for_legal_targets_at_once() -> None:
    bench = Bench()
    client = await bench.guest()
    await client.ask(Create(terms=KlondikeTerms(), legal=True))
    assert bench.rooms.rooms["m1"].joins == [Join(match="m1", legal=True)]


async def test_join_by_id_and_by_code() -> None:
    bench = Bench()
    host, guest, watcher = await in_match(bench), await bench.guest(), await bench.guest()
    assert isinstance(await guest.ask(Join(code="ROOM1")), Snapshot)
    assert isinstance(await watcher.ask(Join(match="m1", watch=True)), Snapshot)
    await host.ask(play())
    assert [type(told) for told in await guest.told()] == [Update]
    assert [type(told) for told in await watcher.told()] == [Update]


@pytest.mark.parametrize(
    ("join", "code", "field"),
    [
        (Join(match="m9"), "no_such_match", "match"),
        (Join(code="ROOM9"), "no_such_room", "code"),
        (Join(), "malformed", "match"),
        (Join(match="m1", code="ROOM1"), "malformed", "match"),
    ],
)
async def test_a_join_that_leads_nowhere_leaves_the_match_alone(join: Join, code: str, field: str) -> None:
    bench = Bench()
    client = await in_match(bench)
    answer = await client.ask(join)
    assert code_of(answer) == code
    assert isinstance(answer, Failed)
    assert answer.field == field
    assert isinstance(await client.ask(play()), Update)


async def test_joining_another_match_leaves_the_one_before() -> None:
    bench = Bench()
    client, other = await in_match(bench), await in_match(bench)
    await client.ask(Join(match="m2"))
    assert bench.rooms.rooms["m1"].viewers == []
    assert bench.rooms.rooms["m1"].left == [client.connection]
    await client.ask(play())
    assert [type(told) for told in await other.told()] == [Update]


async def test_joining_the_same_match_again_does_not_leave_it() -> None:
    bench = Bench()
    client = await in_match(bench)
    await client.ask(Join(match="m1", since=1))
    assert bench.rooms.rooms["m1"].viewers == [client.connection]
    assert bench.rooms.rooms["m1"].joins[-1].since == 1


async def test_after_leaving_one_is_in_no_match() -> None:
    bench = Bench()
    client = await in_match(bench)
    client.send(Leave())
    assert await client.told() == []
    assert bench.rooms.rooms["m1"].viewers == []
    assert bench.rooms.rooms["m1"].left == [client.connection], "he said so"
    for message in (play(), AskLegal(), AskSnapshot(), AskHint(), Leave()):
        assert code_of(await client.ask(message)) == "not_in_match"


async def test_a_room_that_does_not_let_in_leaves_one_in_no_match() -> None:
    bench = Bench()
    client, other = await in_match(bench), await bench.guest()
    bench.rooms.rooms["m1"].admits = False
    assert code_of(await other.ask(Join(match="m1"))) == "room_full"
    assert code_of(await other.ask(play())) == "not_in_match"
    assert isinstance(await client.ask(play()), Update)


async def test_terms_that_make_no_game_are_told_with_their_field() -> None:
    client = await Bench().guest()
    answer = await client.ask(Create(terms=KlondikeTerms(code="KL9")))
    assert isinstance(answer, Failed)
    assert (answer.code, answer.field) == ("bad_code", "terms.code")


async def test_a_connection_that_ends_is_detached_and_forgotten() -> None:
    bench = Bench()
    client = await in_match(bench)
    client.hang_up()
    assert bench.rooms.rooms["m1"].viewers == []
    assert bench.rooms.rooms["m1"].left == [], "a lost line is no word"
    assert not bench.gateway.connections
    client.send(play())
    assert bench.rooms.rooms["m1"].plays == []


async def test_a_connection_that_ends_while_it_joins_is_not_attached() -> None:
    bench = Bench()
    client = await bench.guest()
    bench.rooms.gate = asyncio.Event()
    client.send(Create(terms=DuelTerms()))
    client.hang_up()
    bench.rooms.gate.set()
    await client.told()
    assert bench.rooms.rooms["m1"].viewers == []


# Order.


async def test_messages_are_served_in_order_while_the_store_is_slow() -> None:
    bench = Bench()
    client = bench.connect()
    bench.rooms.gate = asyncio.Event()
    client.send(Hello(), Create(terms=KlondikeTerms()), play(1), play(2), Ping(sent=9))
    assert [type(told) for told in await client.told()] == [Welcome]
    bench.rooms.gate.set()
    assert [type(told) for told in await client.told()] == [Snapshot, Update, Update, Pong]


async def test_what_waits_is_bounded_and_a_dropped_play_is_told_by_its_number() -> None:
    bench = Bench(waiting=2)
    client = await bench.guest()
    bench.rooms.gate = asyncio.Event()
    client.send(Create(terms=KlondikeTerms()), play(1), play(2), play(3), Ping(sent=1))
    refused, failed = await client.told()
    assert isinstance(refused, Refused)
    assert (refused.n, refused.refusal.code) == (3, "too_fast")
    assert code_of(failed) == "too_fast"
    bench.rooms.gate.set()
    await client.told()
    assert [played.n for _, played in bench.rooms.rooms["m1"].plays] == [1, 2]


# Limits.


async def test_a_fast_human_is_never_limited() -> None:
    """Ten a second for a minute, with bursts of thirty."""
    bench = Bench()
    client = await in_match(bench)
    n = 0
    for second in range(60):
        count = 30 if second % 3 == 0 else 10
        for _ in range(count):
            n += 1
            client.send(play(n))
            bench.clock.jump(0 if count == 30 else 100)
        bench.clock.jump(1000 if count == 30 else 0)
    assert {type(told) for told in await client.told()} == {Update}


async def test_over_the_rate_each_message_is_refused_and_changes_nothing() -> None:
    bench = Bench(messages_per_second=10, messages_burst=5)
    client = await bench.guest()  # one
    await client.ask(Create(terms=KlondikeTerms()))  # two
    client.send(*(play(n) for n in range(1, 6)), AskLegal())
    told = await client.told()
    assert [type(each) for each in told] == [Update, Update, Update, Refused, Refused, Failed]
    assert [each.n for each in told if isinstance(each, Refused)] == [4, 5]
    assert len(bench.rooms.rooms["m1"].plays) == 3
    bench.clock.jump(100)
    assert isinstance(await client.ask(play(4)), Update)


async def test_a_flood_is_closed_and_nobody_else_notices() -> None:
    bench = Bench(messages_burst=5, flood=20)
    flooder, other = await in_match(bench), await in_match(bench)
    flooder.send(*(play(n) for n in range(1, 40)))
    assert flooder.link.close_code == POLICY
    assert isinstance(await other.ask(play()), Update)


async def test_new_matches_of_one_connection_are_limited() -> None:
    client = await Bench(creates_burst=2).guest()
    answers = [await client.ask(Create(terms=KlondikeTerms())) for _ in range(3)]
    assert [type(answer) for answer in answers] == [Snapshot, Snapshot, Failed]
    assert code_of(answers[-1]) == "too_fast"


async def test_new_guests_of_one_address_are_limited_but_known_ones_come_in() -> None:
    bench = Bench(identities_burst=2)
    known = await bench.guest()
    await bench.guest()
    assert code_of(await bench.connect().ask(Hello())) == "too_many"
    assert known.welcome
    assert isinstance(await bench.connect().ask(Hello(token=known.welcome.token)), Welcome)
    assert isinstance(await bench.connect(address="192.0.2.8").ask(Hello()), Welcome)


async def test_connections_are_limited_in_all_and_by_address() -> None:
    bench = Bench(connections=3, connections_per_address=2)
    clients = [bench.connect(), bench.connect()]
    assert bench.gateway.refuses("192.0.2.7") == (429, "too many connections from this address")
    assert bench.gateway.refuses("192.0.2.8") is None
    bench.connect(address="192.0.2.8")
    assert bench.gateway.refuses("192.0.2.9") == (503, "too many connections")
    clients[0].hang_up()
    assert bench.gateway.refuses("192.0.2.7") is None


# What goes out.


async def test_what_one_turn_brings_leaves_in_one_write() -> None:
    client = await in_match(Bench())
    writes = client.link.writes
    client.send(*(play(n) for n in range(1, 9)))
    assert len(await client.told()) == 8
    assert client.link.writes == writes + 1


async def test_a_slow_reader_is_closed_and_the_others_go_on() -> None:
    bench = Bench(outbox_bytes=1000)
    slow, other = await in_match(bench), await bench.guest()
    await other.ask(Join(match="m1"))
    slow.link.unread = 1001
    other.send(play())
    assert [type(told) for told in await other.told()] == [Update]
    assert await slow.told() == []
    assert slow.link.close_code == TOO_SLOW
    assert bench.gateway.counts.slow_readers == 1
    other.send(play(2))
    assert [type(told) for told in await other.told()] == [Update]


async def test_draining_is_told_and_then_everybody_closed() -> None:
    bench = Bench()
    clients = [await bench.guest(MSGPACK), await bench.guest(JSON)]
    bench.gateway.drain()
    for client in clients:
        assert await client.told() == [Notice(what="draining")]
    assert code_of(await clients[0].ask(Create(terms=KlondikeTerms()))) == "unavailable"
    assert bench.gateway.refuses("192.0.2.99") == (503, "this server is about to stop")
    bench.gateway.close()
    assert [client.link.close_code for client in clients] == [RESTARTING, RESTARTING]


# Faults.


async def test_a_store_that_is_away_is_told_and_the_connection_lives() -> None:
    bench = Bench()
    client = bench.connect()
    bench.records.away = True
    assert code_of(await client.ask(Hello())) == "unavailable"
    bench.records.away = False
    await client.ask(Hello())
    bench.rooms.away = True
    assert code_of(await client.ask(Create(terms=KlondikeTerms()))) == "unavailable"
    bench.rooms.away = False
    assert isinstance(await client.ask(Create(terms=KlondikeTerms())), Snapshot)


async def test_a_fault_is_answered_counted_and_stays_where_it_is() -> None:
    bench = Bench()
    client, other = await in_match(bench), await in_match(bench)
    bench.rooms.rooms["m1"].breaks = True
    assert code_of(await client.ask(play())) == "internal"
    assert bench.gateway.counts.faults == 1
    assert await client.ask(Ping(sent=1)) == Pong(sent=1, now=4321)
    assert isinstance(await other.ask(play()), Update)


async def test_after_a_close_nothing_more_is_served() -> None:
    bench = Bench()
    client = await in_match(bench)
    bench.gateway.close()
    client.send(play())
    assert bench.rooms.rooms["m1"].plays == []
    client.hang_up()
    assert bench.rooms.rooms["m1"].viewers == []
    assert bench.rooms.rooms["m1"].left == [], "a lost line is no word"
