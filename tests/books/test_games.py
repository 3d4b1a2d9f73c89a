"""Games that wait: noted at the first move, forgotten at the end, the same on every device."""

from typing import Any

from server.books.desk import KEEP_GAMES_MS, Desk
from server.books.keeper import Keeper
from server.lifetimes import Lifetimes
from shared.moves import Draw
from shared.protocol import AskDaily, AskGames
from shared.table import Abandon, Restart
from shared.terms import KlondikeTerms, TwoDeckTerms
from tests.server.fakes import FakeViewer, chance
from tests.server.house import House
from tests.server.winning import win


async def ask(house: House, question: Any, who: str = "ann") -> Any:
    records = house.store.records
    desk = Desk(
        records, Keeper(records), clock=house.clock, randbytes=chance("desk"), archived=house.store.log.archived
    )
    return await desk.answer(FakeViewer("b.0", who), question)


async def told(house: House, who: str = "ann") -> list[tuple[str, int, bool]]:
    return [(note.match, note.moves, note.abandoned) for note in (await ask(house, AskGames(1), who)).games]


async def test_a_game_waits_from_its_first_move_until_its_end() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms())
    assert await told(house) == []
    await house.play(room, ann, Draw())
    assert await told(house) == [(room.match, 1, False)]
    for _ in range(3):
        await house.play(room, ann, Draw())
    room.detach(ann)
    await house.jump(3_000)
    assert await told(house) == [(room.match, 4, False)], "who leaves finds it as he left it"
    assert await told(house, "bob") == []
    again = await house.enter(room, "ann")
    again.n = ann.n
    await house.play(room, again, Abandon())
    assert await told(house) == [(room.match, 4, True)]


async def test_a_game_in_which_no_card_was_played_is_nowhere() -> None:
    house = await House().start()
    room, ann = await house.create(TwoDeckTerms())
    room.detach(ann)
    await house.jump(3_000)
    await house.rooms.give_up(room.match, "ann")
    await house.settle()
    assert await told(house) == []


async def test_a_won_game_waits_no_more_though_it_is_played_again() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    await win(house, room, ann)
    await house.play(room, ann, Restart())
    await house.play(room, ann, Draw())
    await house.settle()
    assert await told(house) == []


async def test_the_newest_is_first_and_one_that_is_gone_is_not_told() -> None:
    house = await House().start()
    rooms = []
    for _ in range(2):
        room, ann = await house.create(KlondikeTerms())
        await house.play(room, ann, Draw())
        rooms.append(room.match)
        house.clock.ms += 1_000
    assert [match for match, _, _ in await told(house)] == rooms[::-1]
    house.clock.ms += KEEP_GAMES_MS - 1_500
    assert [match for match, _, _ in await told(house)] == rooms[1:]


async def test_a_daily_that_was_begun_stands_in_its_month() -> None:
    house = await House().start()
    room = await house.rooms.create("ann", "Ann", KlondikeTerms(daily="2023-11-14", draw=3))
    ann = await house.enter(room, "ann")
    await house.play(room, ann, Draw())
    (day,) = (await ask(house, AskDaily(1, "2023-11"))).days
    assert (day.date, day.match, day.draw, day.won) == ("2023-11-14", room.match, 3, False)
    assert (await ask(house, AskDaily(1, "2023-12"))).days == ()


def test_games_are_kept_as_the_settings_have_it() -> None:
    assert Lifetimes().solo_ms == KEEP_GAMES_MS
