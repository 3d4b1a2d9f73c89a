"""The connection over lines in memory: coming back, resending, back-off, and what its owner is told."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from client.connection import AWAY_SECONDS, Connection, ServerError
from client.links import LinkClosed
from client.player import ScriptedPlayer, take_part
from client.session import Session, Settled
from shared.codec import CODECS
from shared.moves import Draw, Drawn, Refusal
from shared.protocol import (
    Create,
    Failed,
    Hello,
    Join,
    Notice,
    Ping,
    Play,
    Pong,
    Refused,
    Resumed,
    Snapshot,
    ToClient,
    Update,
    Welcome,
)
from shared.table import Player, Ready, Table
from shared.terms import DuelTerms
from tests.client.memory_link import Lines, MemoryLink, Naps, steady
from tests.client.test_session import view

PLAYING = Table("m1", DuelTerms(), (Player("Ada"), Player("Ben")), phase="playing")
SNAPSHOT = Snapshot(no=10, now=1000, table=PLAYING, seat=0, n=3, position=view())


class Desk:
    """A connection, the lines it opens and the naps it takes."""

    def __init__(self, codec: str, *, chance: float = 0.0) -> None:
        self.lines = Lines(CODECS[codec])
        self.naps = Naps()
        self.connection = Connection(
            self.lines.open,
            Session(),
            CODECS[codec],
            chance=steady(chance),
            sleep=self.naps.sleep,
            first_delay=0.1,
            longest_delay=1.0,
        )

    async def greet(self) -> MemoryLink:
        line = await self.lines.made.get()
        assert isinstance(await line.asked(), Hello)
        before = self.connection.lines
        line.answer(Welcome("id1", "Ada", "0.1.0", "t" * 20))
        await self.connection.until(lambda _: self.connection.lines > before)
        return line

    async def seat(self) -> MemoryLink:
        """Greet, then let the owner join the match."""
        line = await self.greet()
        joining = asyncio.create_task(self.connection.join(code="ABCD"))
        assert await line.asked() == Join(code="ABCD", legal=True)
        line.answer(SNAPSHOT)
        await joining
        return line


@pytest.fixture(params=sorted(CODECS))
def desk(request: pytest.FixtureRequest) -> Desk:
    return Desk(request.param)


async def test_a_play_is_sent_and_its_verdict_awaited(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.seat()
        verdict = desk.connection.submit(Draw())
        assert await line.asked() == Play(4, 10, Draw())
        line.answer(Update(11, 1100, (Drawn((1,)),), seat=0, n=4))
        assert await verdict == Settled(4, no=11)
        verdict = desk.connection.submit(Draw())
        await line.asked()
        line.answer(Refused(5, Refusal("stock_empty")))
        assert await verdict == Settled(5, Refusal("stock_empty"))


async def test_plays_across_a_cut_are_sent_once_more_and_in_order(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.seat()
        verdicts = [desk.connection.submit(Draw()) for _ in range(3)]
        assert [await line.asked() for _ in range(3)] == [Play(n, 10, Draw()) for n in (4, 5, 6)]
        line.cut()
        line = await desk.lines.made.get()
        assert await line.asked() == Hello("t" * 20, "Ada")
        assert await line.asked() == Join(match="m1", since=10, legal=True)
        verdicts.append(desk.connection.submit(Draw()))  # before the join is answered: kept
        line.answer(
            Welcome("id1", "Ada", "0.1.0"), Snapshot(no=11, now=1100, table=PLAYING, seat=0, n=4, position=view())
        )
        assert [await line.asked() for _ in range(3)] == [Play(5, 10, Draw()), Play(6, 10, Draw()), Play(7, 10, Draw())]
        line.answer(*(Update(n + 7, 1100, (Drawn((1,)),), seat=0, n=n) for n in (5, 6, 7)))
        assert await asyncio.gather(*verdicts) == [Settled(4), Settled(5, no=12), Settled(6, no=13), Settled(7, no=14)]


@pytest.mark.parametrize(
    ("chance", "waits"), [(0.0, [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]), (0.5, [0.075, 0.15, 0.3, 0.6, 0.75, 0.75])]
)
async def test_it_waits_twice_as_long_each_time_with_jitter(chance: float, waits: list[float]) -> None:
    desk = Desk("ds.msgpack.v1", chance=chance)
    desk.lines.refuse = 6
    async with desk.connection:
        line = await desk.greet()
        assert desk.naps.asked == pytest.approx(waits)
        line.cut()
        await desk.greet()
        assert desk.naps.asked[6:] == pytest.approx(waits[:1])


async def test_a_line_that_opens_and_falls_silent_is_backed_off_from(desk: Desk) -> None:
    async with desk.connection:
        for _ in range(4):
            line = await desk.lines.made.get()
            line.cut()
        await desk.greet()
        assert desk.naps.asked == pytest.approx([0.2, 0.4, 0.8, 1.0])


async def test_a_refused_join_is_told_and_the_connection_lives(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.greet()
        joining = asyncio.create_task(desk.connection.join(code="NOPE"))
        await line.asked()
        line.answer(Failed("no_such_room", "code: no room has it", "code"))
        with pytest.raises(ServerError, match="no room has it"):
            await joining
        creating = asyncio.create_task(desk.connection.create(DuelTerms()))
        assert await line.asked() == Create(DuelTerms(), legal=True)
        line.answer(SNAPSHOT)
        await creating


async def test_a_wrong_token_ends_the_connection(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.lines.made.get()
        waiting = asyncio.create_task(desk.connection.until(lambda session: session.identity is not None))
        await line.asked()
        line.answer(Failed("bad_token", "token: expected one that was given"))
        with pytest.raises(ServerError, match="bad_token"):
            await waiting
        with pytest.raises(ServerError):
            await desk.connection.until(lambda _: True)
    assert desk.lines.tries == 1


@pytest.mark.parametrize("code", ["unavailable", "not_in_match", "internal"])
async def test_a_match_that_cannot_be_reached_now_is_joined_again_on_another_line(desk: Desk, code: Any) -> None:
    async with desk.connection:
        line = await desk.seat()
        line.answer(Failed(code, "this match is closed here; join again"))
        for _ in range(3):
            line = await desk.greet()
            assert await line.asked() == Join(match="m1", since=10, legal=True)
            line.answer(Failed("unavailable", "the store is away"))
        line = await desk.greet()
        await line.asked()
        line.answer(Resumed(10, 3))
        await desk.connection.until(lambda session: session.live)
    assert desk.naps.asked == pytest.approx([0.1, 0.2, 0.4, 0.8])


async def test_a_greeting_that_fails_for_now_is_tried_again(desk: Desk) -> None:
    async with desk.connection:
        for _ in range(2):
            line = await desk.lines.made.get()
            await line.asked()
            line.answer(Failed("unavailable", "the store is away"), Failed("hello_first", "say hello first"))
        await desk.seat()


async def test_a_match_that_is_gone_is_told(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.seat()
        waiting = asyncio.create_task(desk.connection.until(lambda session: session.no == 99))
        line.cut()
        line = await desk.greet()
        await line.asked()
        line.answer(Failed("no_such_match", "there is no such match"))
        with pytest.raises(ServerError, match="no_such_match"):
            await waiting


async def test_messages_are_yielded_once_folded(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.seat()
        seen: list[tuple[ToClient, int]] = []

        async def read() -> None:
            seen.extend([(message, desk.connection.session.no) async for message in desk.connection.messages()])

        reading = asyncio.create_task(read())
        await asyncio.sleep(0)
        desk.connection.ask(Ping(7.0))
        assert await line.asked() == Ping(7.0)
        update = Update(11, 1100, (Drawn((1,)),), seat=1, n=1)
        line.answer(Pong(7.0, 5), update)
        await desk.connection.until(lambda session: session.no == 11)
    await reading
    assert seen == [(Pong(7.0, 5), 10), (update, 11)]


async def test_its_owner_closing_it_frees_whoever_waits(desk: Desk) -> None:
    async with desk.connection:
        await desk.seat()
        verdict = desk.connection.submit(Draw())
        waiting = asyncio.create_task(desk.connection.until(lambda session: session.no == 99))
        await asyncio.sleep(0)
    with pytest.raises(LinkClosed):
        await waiting
    assert verdict.cancelled()


async def test_a_scripted_player_readies_plays_and_stops_at_the_end(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.greet()
        joining = asyncio.create_task(desk.connection.join(code="ABCD"))
        await line.asked()
        gathering = Table("m1", DuelTerms(), (Player("Ada"), Player("Ben")))
        line.answer(Snapshot(no=2, now=0, table=gathering, seat=0))
        await joining
        part = asyncio.create_task(take_part(desk.connection, ScriptedPlayer([Draw(), Draw()]), nonce=lambda: "0" * 32))
        assert await line.asked() == Play(1, 2, Ready("0" * 32))
        line.answer(Update(3, 0, seat=0, n=1, table=PLAYING))
        await asyncio.sleep(0)
        line.answer(SNAPSHOT)
        for n in (4, 5):
            assert isinstance(play := await line.asked(), Play)
            assert play.n == n
            line.answer(Update(7 + n, 1100, (Drawn((1,)),), seat=0, n=n))
        over = Table("m1", DuelTerms(), (Player("Ada"), Player("Ben")), phase="over")
        line.answer(Update(13, 1200, table=over))
        assert await part == over


async def test_a_server_that_is_about_to_stop_is_left_at_once_for_another(desk: Desk) -> None:
    """The line serves until it is left; the next one is opened without a pause, and resumes."""
    async with desk.connection:
        line = await desk.seat()
        line.answer(Notice("draining"))
        following = await desk.greet()
        assert desk.naps.asked == [0.1], "so long the old line still served"
        assert await following.asked() == Join(match="m1", since=10, legal=True)
        following.answer(Resumed(10, 3))
        await desk.connection.until(lambda session: session.live)


async def test_a_server_whose_store_is_back_in_time_is_not_left(desk: Desk) -> None:
    passed = asyncio.Event()
    naps, desk.connection._sleep = desk.naps, lambda _: passed.wait()  # type: ignore[assignment,return-value]
    async with desk.connection:
        line = await desk.seat()
        line.answer(Notice("unavailable"), Notice("available"), replace(SNAPSHOT, no=11))
        await desk.connection.until(lambda session: session.no == 11)
        passed.set()
        await asyncio.sleep(0.01)
        assert desk.lines.tries == 1
        assert not naps.asked


async def test_a_server_whose_store_stays_away_is_left(desk: Desk) -> None:
    async with desk.connection:
        line = await desk.seat()
        line.answer(Notice("unavailable"))
        following = await desk.greet()
        assert desk.naps.asked[-1] == AWAY_SECONDS
        assert await following.asked() == Join(match="m1", since=10, legal=True)
        following.answer(Failed("unavailable", "the store is away"))
        await desk.greet()
        assert desk.naps.asked[-1] < 1, "then it tries as often as after any other loss"
