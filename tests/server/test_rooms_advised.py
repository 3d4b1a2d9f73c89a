"""What the solver is asked for: hints, winnable deals, whether a game can still be won."""

import pytest
from msgspec import Struct

from server.facts import ProvedLost, unpack
from server.losswatch import PAUSE_MS
from server.storage.base import Appended
from shared.moves import Draw, Pause, Refusal, Undo, Unpause
from shared.position import Position
from shared.protocol import Failed, Hint, Refused
from shared.ruleset import Ruleset
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.server.house import House, no_store


class Proof(Struct):
    states: int = 1234
    seconds: float = 0.25
    command: str = "{}"


class Oracle:
    """An advisor that says what it was told to say."""

    def __init__(self, hint: Hint | None = None, *, proven: bool = True, lost: bool = False) -> None:
        self.said = hint or Hint()
        self.proven = proven
        self.lost = lost
        self.asked: list[Position] = []

    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        return self.said

    async def winnable(self, terms: KlondikeTerms, randbytes: object) -> tuple[int, bool]:
        return 7, self.proven

    async def cannot_be_won(self, rules: Ruleset, position: Position) -> Proof | None:
        self.asked.append(position)
        return Proof() if self.lost else None


async def advised(hint: Hint, *, proven: bool = True) -> House:
    return await House(advisor=Oracle(hint, proven=proven)).start()


async def test_two_taps_on_hint_are_one_search_and_one_hint() -> None:
    house = await advised(Hint(do="draw"))
    room, ann = await house.create(KlondikeTerms())
    for _ in range(20):
        room.ask_hint(ann)
    await house.settle()
    assert [message for message in ann.messages if isinstance(message, Hint)] == [Hint(do="draw", left=2)]
    refused = [message.refusal.code for message in ann.messages if isinstance(message, Refused)]
    assert refused == ["not_now"] * 19
    room.ask_hint(ann)
    await house.settle()
    assert ann.last(Hint) == Hint(do="draw", left=1)


async def test_a_hint_that_could_not_be_counted_is_not_shown() -> None:
    house = await advised(Hint(do="draw"))
    room, ann = await house.create(KlondikeTerms())
    no_store(house)
    for _ in range(2):
        room.ask_hint(ann)
        await house.settle()
        await house.jump(2_000)
        assert ann.messages[-1] == Refused(0, Refusal("unavailable"))
    assert not any(isinstance(message, Hint) for message in ann.messages)


class Faulty(Oracle):
    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        raise ArithmeticError


async def test_a_fault_of_the_advisor_is_answered_and_the_next_asker_too() -> None:
    house = await House(advisor=Faulty()).start()
    room, ann = await house.create(KlondikeTerms())
    for _ in range(2):
        room.ask_hint(ann)
        await house.settle()
        answer = ann.messages[-1]
        assert isinstance(answer, Failed)
        assert answer.code == "internal"
        ann.frames.clear()


async def test_a_hint_costs_one_until_none_is_left_and_no_useful_move_is_free() -> None:
    house = await advised(Hint(do="draw"))
    room, ann = await house.create(KlondikeTerms())
    for left in (2, 1, 0):
        room.ask_hint(ann)
        await house.settle()
        assert ann.last(Hint) == Hint(do="draw", left=left)
    room.ask_hint(ann)
    await house.settle()
    refused = ann.messages[-1]
    assert isinstance(refused, Refused)
    assert (refused.n, refused.refusal.code) == (0, "no_hints_left")
    house = await advised(Hint())
    room, ann = await house.create(KlondikeTerms())
    room.ask_hint(ann)
    await house.settle()
    assert ann.last(Hint) == Hint(left=3)


@pytest.mark.parametrize(("proven", "notice"), [(True, None), (False, "not_proven_winnable")])
async def test_winnable_only_asks_the_solver_and_says_if_it_could_not_tell(*, proven: bool, notice: str | None) -> None:
    house = await advised(Hint(), proven=proven)
    room = await house.rooms.create("ann", "Ann", KlondikeTerms(winnable=True))
    assert room.state.table.deal_code == "KL1-D1S-AAAAAAH"
    assert room.state.table.notice == notice


async def test_a_pause_to_think_has_the_game_searched_and_its_player_told_once() -> None:
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms())
    await house.jump(2 * PAUSE_MS)
    assert oracle.asked == [], "his time has not begun"
    await house.play(room, ann, Draw())
    await house.jump(PAUSE_MS - 1_000)
    assert oracle.asked == []
    await house.jump(2_000)
    assert oracle.asked == [room.state.position]
    assert room.state.table.notice == "cannot_be_won"
    answer = await house.store.log.read(room.match, 0)
    assert isinstance(answer, Appended)
    assert ProvedLost(room.state.no - 1, 1234, 250, "{}") in [unpack(stored.data) for stored in answer.entries]
    await house.play(room, ann, Draw())
    await house.jump(2 * PAUSE_MS)
    assert len(oracle.asked) == 1
    await house.play(room, ann, Undo())
    await house.jump(2 * PAUSE_MS)
    assert len(oracle.asked) == 2
    assert room.state.table.notice == "cannot_be_won"


async def test_no_proof_says_nothing_and_is_not_asked_for_twice() -> None:
    oracle = Oracle()
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    await house.jump(10 * PAUSE_MS)
    assert len(oracle.asked) == 1
    assert room.state.table.notice is None


@pytest.mark.parametrize("terms", [TwoDeckTerms(), KlondikeTerms()])
async def test_two_deck_games_and_paused_ones_are_not_searched(terms: Terms) -> None:
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(terms)
    await house.play(room, ann, Draw())
    paused = isinstance(terms, KlondikeTerms)
    if paused:
        await house.play(room, ann, Pause())
    await house.jump(10 * PAUSE_MS)
    assert oracle.asked == []
    if paused:
        await house.play(room, ann, Unpause())
        await house.jump(2 * PAUSE_MS)
        assert len(oracle.asked) == 1


async def test_a_game_that_nobody_looks_at_is_not_searched() -> None:
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    room.detach(ann)
    await house.jump(10 * PAUSE_MS)
    assert oracle.asked == []
