"""Opponents find each other over real sockets, in both codecs."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import TypeVar

import pytest

from client.session import Session
from shared.protocol import (
    JSON,
    MSGPACK,
    AcceptSeek,
    Assigned,
    DuelTerms,
    Failed,
    FindOpponent,
    Lobby,
    Seeking,
    ToClient,
    ToLobby,
    WatchLobby,
)
from shared.table import Ready
from tests.live.node import node_here
from tests.live.table import Guest

pytestmark = pytest.mark.live

T = TypeVar("T", bound=ToClient)
TERMS = DuelTerms()


class Ear:
    """A guest and what the lobby tells him."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._heard: asyncio.Queue[ToClient] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._listen())

    async def _listen(self) -> None:
        async for message in self.guest.connection.messages():
            self._heard.put_nowait(message)

    def ask(self, message: ToLobby) -> None:
        self.guest.connection.ask(message)

    async def hear(self, *kinds: type[T]) -> T:
        """The next message of these kinds."""
        async with asyncio.timeout(10):
            while True:
                message = await self._heard.get()
                if isinstance(message, kinds):
                    return message

    async def play(self, call: Assigned, nonce: str) -> None:
        await self.guest.connection.join(match=call.match)
        await self.guest.connection.until(is_committed)
        await self.guest.connection.play(Ready(nonce))

    def stop(self) -> None:
        self._task.cancel()


def is_committed(session: Session) -> bool:
    return session.table is not None and session.table.commitment is not None


@contextlib.asynccontextmanager
async def ears(url: str, *codecs: str) -> AsyncIterator[list[Ear]]:
    chance = random.Random(5)
    async with contextlib.AsyncExitStack() as lines:
        made = []
        for codec in codecs:
            guest = Guest(url, codec, chance)
            await lines.enter_async_context(guest.connection)
            await guest.connection.until(lambda session: session.identity is not None)
            made.append(Ear(guest))
        await asyncio.sleep(0)  # all listen
        try:
            yield made
        finally:
            for ear in made:
                ear.stop()


async def test_quick_match_from_seek_to_cards() -> None:
    async with node_here(speed=10) as node, ears(node.url, MSGPACK, JSON) as (ann, bob):
        ann.ask(FindOpponent(TERMS))
        assert (await ann.hear(Seeking)).seek
        bob.ask(FindOpponent(TERMS))
        calls = await asyncio.gather(ann.hear(Assigned), bob.hear(Assigned))
        assert calls[0].match == calls[1].match
        assert [call.seat for call in calls] == [0, 1]
        await asyncio.gather(ann.play(calls[0], "0" * 32), bob.play(calls[1], "1" * 32))
        for ear, call in ((ann, calls[0]), (bob, calls[1])):
            await ear.guest.connection.until(lambda session: session.position is not None)
            assert ear.guest.session.seat == call.seat


async def test_a_listed_seek_is_accepted_once_and_goes_from_the_list() -> None:
    async with node_here() as node, ears(node.url, MSGPACK, JSON, MSGPACK) as (ann, bob, cid):
        ann.ask(FindOpponent(DuelTerms(draw=(1, 3))))
        seek = (await ann.hear(Seeking)).seek
        assert seek is not None
        for ear in (bob, cid):
            ear.ask(WatchLobby())
            assert [listed.seek for listed in (await ear.hear(Lobby)).seeks] == [seek]
        for ear in (bob, cid):
            ear.ask(AcceptSeek(seek))
        call = await ann.hear(Assigned)
        got = await asyncio.gather(*(ear.hear(Assigned, Failed) for ear in (bob, cid)))
        assert sorted(type(one).__name__ for one in got) == ["Assigned", "Failed"]
        assert {one.match for one in got if isinstance(one, Assigned)} == {call.match}
        assert {one.code for one in got if isinstance(one, Failed)} == {"no_such_seek"}
        assert (await bob.hear(Lobby)).waiting == 0


async def test_a_lost_line_ends_the_seek() -> None:
    async with node_here() as node, ears(node.url, MSGPACK, JSON) as (ann, bob):
        ann.ask(FindOpponent(TERMS))
        await ann.hear(Seeking)
        bob.ask(WatchLobby())
        assert (await bob.hear(Lobby)).waiting == 1
        ann.guest.network = False
        await ann.guest.connection.drop()
        assert (await bob.hear(Lobby)).waiting == 0
        bob.ask(FindOpponent(TERMS))
        assert (await bob.hear(Seeking)).seek
