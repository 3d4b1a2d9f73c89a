"""The sheet of a finished game: one's own, and the score that was shown."""

from server.books.desk import Desk
from server.books.keeper import Keeper
from shared.moves import Draw
from shared.protocol import Answer, AskSheet, Failed, Sheet
from shared.table import Abandon, Restart
from shared.terms import KlondikeTerms
from tests.server.fakes import FakeViewer, chance
from tests.server.house import House
from tests.server.winning import win


async def ask(house: House, match: str, who: str = "ann") -> Answer | Failed:
    store = house.store
    keeper = Keeper(store.records)
    desk = Desk(store.records, keeper, clock=house.clock, randbytes=chance("desk"), archived=store.log.archived)
    return await desk.answer(FakeViewer("b.0", who), AskSheet(5, match))


async def test_a_won_game_has_its_lines_whose_sum_is_its_score() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    await win(house, room, ann)
    await house.settle()
    assert room.state.position is not None
    tally = room.state.position.tally
    assert tally is not None
    found = await ask(house, room.match)
    assert isinstance(found, Sheet)
    assert (found.ask, found.match, found.total) == (5, room.match, tally.score + tally.bonus)
    assert {line.what for line in found.lines} >= {"to_foundation", "turned", "bonus"}
    assert next(line.times for line in found.lines if line.what == "to_foundation") == 52
    assert found.seconds == tally.played_ms // 1000


async def test_it_is_of_the_last_attempt() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(scoring="vegas"))
    await house.play(room, ann, Draw())
    await house.play(room, ann, Restart())
    await house.play(room, ann, Draw())
    await house.play(room, ann, Abandon())
    await house.settle()
    found = await ask(house, room.match)
    assert isinstance(found, Sheet)
    assert [(line.what, line.points) for line in found.lines] == [("start", -52)]


async def test_nobody_elses_no_duels_none_that_runs() -> None:
    house = await House().start()
    solo, ann = await house.create(KlondikeTerms())
    duel, *_ = await house.duel()
    refused = Failed("no_such_match", "this is no solo game of yours that is over", "match", ask=5)
    for match in (solo.match, duel.match, "none"):
        assert await ask(house, match) == refused
    await house.play(solo, ann, Draw())
    await house.play(solo, ann, Abandon())
    await house.settle()
    assert await ask(house, solo.match, "bob") == refused
