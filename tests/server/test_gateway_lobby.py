"""What a connection asks of the lobby: passed on, bounded, and ended with it."""

from shared.protocol import Failed, FindOpponent, Lobby, StopSeeking, WatchLobby
from shared.terms import DuelTerms
from tests.server.gateway_fakes import Bench


async def test_wishes_of_the_lobby_are_passed_on_and_bounded() -> None:
    bench = Bench(seeks_burst=2)
    client = await bench.guest()
    assert await client.ask(WatchLobby()) == Lobby()
    assert await client.ask(FindOpponent(DuelTerms())) == Lobby()
    answer = await client.ask(StopSeeking())
    assert isinstance(answer, Failed)
    assert answer.code == "too_fast"
    assert [message for _, message in bench.lobby.asked] == [WatchLobby(), FindOpponent(DuelTerms())]
    bench.clock.jump(1000)
    assert await client.ask(StopSeeking()) == Lobby()
    client.connection.closed()
    assert bench.lobby.left == [client.connection.conn]


async def test_the_lobby_waits_for_hello() -> None:
    bench = Bench()
    answer = await bench.connect().ask(WatchLobby())
    assert isinstance(answer, Failed)
    assert answer.code == "hello_first"
    assert bench.lobby.asked == []


async def test_a_server_that_stops_takes_no_seek() -> None:
    bench = Bench()
    client = await bench.guest()
    bench.gateway.drain()
    await client.told()
    answer = await client.ask(FindOpponent(DuelTerms()))
    assert isinstance(answer, Failed)
    assert answer.code == "unavailable"
    assert bench.lobby.asked == []
