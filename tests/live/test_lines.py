"""Lines that break, double, stall and move: the match is the same for whoever is on it."""

import asyncio
import random
import socket as socket_module
from typing import Self
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from client.links import websocket_links
from client.player import RandomPlayer, take_part
from client.session import Session
from server.limits import Limits
from shared.codec import CODECS, Codec
from shared.moves import Draw
from shared.protocol import (
    JSON,
    MSGPACK,
    AskSnapshot,
    DuelTerms,
    Hello,
    Join,
    Play,
    Resumed,
    Snapshot,
    ToClient,
    ToServer,
    Update,
    Welcome,
)
from tests.live.node import HereNode, node_here
from tests.live.table import Guest, Oracle, begin, table

pytestmark = pytest.mark.live

TERMS = DuelTerms(game_seconds=None)
NONCES = ("0" * 32, "1" * 32)
SPEED = 30.0


class RawLine:
    """A client without a session: it sends what it is told to, and keeps what comes."""

    def __init__(self, url: str, codec: Codec) -> None:
        self._opening = websocket_links(url, codec)
        self.codec = codec

    async def __aenter__(self) -> Self:
        self._link = await self._opening()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._link.close()

    async def send(self, *messages: ToServer) -> None:
        for message in messages:
            await self._link.send(self.codec.encode(message))

    async def until(self, *kinds: type[ToClient]) -> list[ToClient]:
        """What comes, up to the first message of one of `kinds`."""
        got: list[ToClient] = []
        async with asyncio.timeout(10):
            while not got or not isinstance(got[-1], kinds):
                got.append(self.codec.read_server(await self._link.receive()))
        return got


async def _read_all(socket: ClientConnection) -> None:
    while True:
        await asyncio.wait_for(socket.recv(), 5)


async def head_of(node: HereNode, match: str) -> int:
    return len(await node.log(match))


async def test_a_watcher_may_come_back_at_every_number() -> None:
    """From each number, the rest and what was held make the same view; from far back, a snapshot does."""
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 3) as guests:
        chance = random.Random(3)
        parts = [
            take_part(guest.connection, RandomPlayer(chance.random, longest=25), nonce=lambda nonce=nonce: nonce)  # type: ignore[misc]
            for guest, nonce in zip(guests, NONCES, strict=True)
        ]
        await asyncio.wait_for(asyncio.gather(*parts), 40)
        done = guests[0].session.table
        assert done is not None
        oracle = Oracle(done.match, await node.log(done.match))
        head = oracle.arbiter.head
        async with RawLine(node.url, CODECS[MSGPACK]) as line:
            await line.send(Hello())
            await line.until(Welcome)
            for since in range(1, head + 1):
                await line.send(Join(match=done.match, watch=True, since=since))
                session = Session()
                session.no, session.position, session.table = since, oracle.view(None, since), done
                for message in await line.until(Resumed, Snapshot):
                    session.receive(message)
                assert session.no == head, since
                assert session.position == oracle.view(None), since


async def test_a_seat_comes_back_after_every_play() -> None:
    """The line is cut after each verdict: same columns, same waste, next number one more."""
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 4) as guests:
        await begin(guests, NONCES)
        host = guests[0]
        for count in range(15):
            n = host.session.n
            settled = await host.connection.play(Draw())
            assert settled.refusal is None
            lines = host.connection.lines
            await host.connection.drop()
            await host.connection.until(lambda session, lines=lines: host.connection.lines > lines and session.live)  # type: ignore[misc]
            assert host.session.n == n + 1, count
            assert host.session.position is not None
            assert len(host.session.position.seats[0].waste) == count + 1
        match = host.session.table.match if host.session.table is not None else ""
        oracle = Oracle(match, await node.log(match))
        assert host.session.position == oracle.view(0)
        assert guests[1].session.position == oracle.view(1)
        oracle.check_frames(host.frames)


async def test_plays_in_flight_survive_a_cut_and_count_once() -> None:
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, MSGPACK), 5) as guests:
        await begin(guests, NONCES)
        host, chance = guests[0], random.Random(5)
        drawn = 0
        while drawn < 20:
            verdicts = [host.connection.submit(Draw()) for _ in range(4)]
            await asyncio.sleep(0.002 * chance.random())
            await host.connection.drop()
            async with asyncio.timeout(10):
                settled = [await verdict for verdict in verdicts]
            assert all(one.refusal is None for one in settled), settled
            drawn += len(verdicts)
        await host.connection.until(lambda session: session.live)
        assert host.session.position is not None
        assert len(host.session.position.seats[0].waste) == drawn == 20


async def test_a_play_sent_twice_counts_once() -> None:
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 6) as guests:
        await begin(guests, NONCES)
        host = guests[0]
        session = host.session
        for _ in range(5):
            play = Play(session.n + 1, session.no, Draw())
            session.n += 1
            for _ in range(3):
                host.connection.ask(play)
        await guests[1].connection.until(lambda rival: _waste(rival, 0) >= 5)
        host.connection.ask(Play(session.n + 1, session.no, Draw()))
        await guests[1].connection.until(lambda rival: _waste(rival, 0) >= 6)
        assert _waste(guests[1].session, 0) == 6


def _waste(session: Session, seat_number: int) -> int:
    return 0 if session.position is None else len(session.position.seats[seat_number].waste)


async def test_of_two_tabs_the_newer_plays_and_the_older_can_take_back() -> None:
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 7) as guests:
        await begin(guests, NONCES)
        old = guests[0]
        match = old.session.table.match if old.session.table is not None else ""
        new = Guest(node.url, MSGPACK, random.Random(7), token=old.session.token)
        async with new.connection:
            await new.connection.join(match=match)
            assert new.session.seat == 0
            await old.connection.until(lambda session: session.moved_away)
            assert (await new.connection.play(Draw())).refusal is None
            old.connection.ask(Play(old.session.n + 1, old.session.no, Draw()))  # a tab that does not know yet
            await old.connection.until(lambda session: _waste(session, 0) == 1)
            assert (await new.connection.play(Draw())).refusal is None
            assert _waste(new.session, 0) == 2
            await old.connection.join(match=match)
            await new.connection.until(lambda session: session.moved_away)
            assert (await old.connection.play(Draw())).refusal is None
            assert _waste(old.session, 0) == 3
        assert old.session.position == Oracle(match, await node.log(match)).view(0)


async def test_a_phone_that_moves_to_another_network_is_never_away() -> None:
    """The new line is there before the old one ends: the rival sees no absence, however long the old one lingers."""
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 8) as guests:
        await begin(guests, NONCES)
        phone, rival = guests
        match = phone.session.table.match if phone.session.table is not None else ""
        moved = Guest(node.url, MSGPACK, random.Random(8), token=phone.session.token)
        async with moved.connection:
            await moved.connection.join(match=match)
            await phone.connection.until(lambda session: session.moved_away)
            await phone.connection.__aexit__(None, None, None)
            await asyncio.sleep(3 * 2.0 / SPEED)  # thrice the time after which an ended line counts as gone
            assert (await moved.connection.play(Draw())).refusal is None
            await rival.connection.until(lambda session: _waste(session, 0) == 1)
            tables = [message.table for message in _messages(rival) if isinstance(message, Update) and message.table]
            assert all(player is None or player.present for seen in tables for player in seen.players)


def _messages(guest: Guest) -> list[ToClient]:
    return [guest.codec.read_server(frame) for frame in guest.frames]


def small_socket(url: str) -> socket_module.socket:
    """A connection for which this side's system takes little that is not read."""
    parts = urlsplit(url)
    line = socket_module.socket()
    line.setsockopt(socket_module.SOL_SOCKET, socket_module.SO_RCVBUF, 4096)
    line.connect((parts.hostname, parts.port))
    line.setblocking(False)
    return line


async def test_a_reader_who_does_not_read_is_let_go_and_resumes() -> None:
    """The server's memory for him is bounded; the rival notices nothing."""
    limits = Limits(messages_per_second=0, outbox_bytes=64 * 1024)
    async with node_here(speed=SPEED, limits=limits) as node, table(node.url, TERMS, (MSGPACK, JSON), 9) as guests:
        await begin(guests, NONCES)
        match = guests[0].session.table.match if guests[0].session.table is not None else ""
        codec = CODECS[MSGPACK]
        small = small_socket(node.url)  # else the system takes megabytes for him before the server notices
        socket = await open_websocket(
            node.url, sock=small, subprotocols=[Subprotocol(MSGPACK)], compression=None, max_queue=1, proxy=None
        )
        async with socket:
            await socket.send(codec.encode(Hello()))
            await socket.send(codec.encode(Join(match=match, watch=True)))
            for _ in range(2):
                await socket.recv()
            socket.transport.pause_reading()
            for _ in range(200):
                if node.gateway.counts.slow_readers:
                    break
                for _ in range(100):
                    await socket.send(codec.encode(AskSnapshot()))
                await asyncio.sleep(0.01)
            assert node.gateway.counts.slow_readers == 1
            assert (await guests[1].connection.play(Draw())).refusal is None
            socket.transport.resume_reading()
            with pytest.raises(ConnectionClosed) as closed:
                await _read_all(socket)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
        async with RawLine(node.url, codec) as line:
            await line.send(Hello(), Join(match=match, watch=True, since=2))
            *_, last = await line.until(Resumed, Snapshot)
            assert isinstance(last, (Resumed, Snapshot))
            assert last.no == await head_of(node, match)


def _gone_until(session: Session, seat_number: int) -> int | None:
    player = session.table.players[seat_number] if session.table is not None else None
    return None if player is None else player.gone_until


async def test_whoever_is_back_within_the_grace_time_has_not_left() -> None:
    """The rival sees the countdown begin and end; the game goes on."""
    async with node_here(speed=SPEED) as node, table(node.url, TERMS, (MSGPACK, JSON), 10) as guests:
        await begin(guests, NONCES)
        away, rival = guests
        away.network = False
        await away.connection.drop()
        await rival.connection.until(lambda session: _gone_until(session, 0) is not None)
        away.network = True
        await rival.connection.until(lambda session: _gone_until(session, 0) is None)
        assert rival.session.table is not None
        assert rival.session.table.phase == "playing"
        assert (await away.connection.play(Draw())).refusal is None
