"""What the solver is asked for: hints, winnable deals, whether a game can still be won."""

import asyncio
import io
import json
import time
from collections.abc import Callable

import pytest
from msgspec import Struct
from msgspec.structs import replace

from server.facts import ProvedLost, unpack
from server.losswatch import AT_ONCE, PAUSE_MS
from server.solver.advisor import SolverAdvisor
from server.solver.command import Options, run
from server.storage.base import Appended
from shared.moves import Draw, Pause, Refusal, Undo, Unpause
from shared.notation import parse_position
from shared.position import Position
from shared.protocol import Failed, Hint, Refused, Update
from shared.ruleset import Ruleset
from shared.table import LossProof, Restart
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.server.house import House, no_store, visible


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
        self.dealt = 0

    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        return self.said

    async def winnable(self, terms: KlondikeTerms, randbytes: object) -> tuple[int, bool]:
        self.dealt += 1
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
    await house.play(room, ann, Draw())
    room.ask_hint(ann)
    await house.settle()
    assert ann.last(Hint) == Hint(do="draw", left=1)


async def test_a_hint_is_given_again_for_nothing_while_the_cards_lie_so() -> None:
    house = await advised(Hint(do="draw"))
    room, ann = await house.create(KlondikeTerms())
    for left in (2, 1, 0):
        for _ in range(3):
            room.ask_hint(ann)
            await house.settle()
            assert ann.messages[-1] == Hint(do="draw", left=left)
        await house.play(room, ann, Draw())


async def test_what_was_hinted_is_known_after_a_crash_too() -> None:
    house = await advised(Hint(do="draw"))
    room, ann = await house.create(KlondikeTerms())
    room.ask_hint(ann)
    await house.settle()
    await house.crash("c")
    again = await house.rooms.find(room.match)
    assert again is not None
    room, ann = again, await house.enter(again, "ann")
    room.ask_hint(ann)
    await house.settle()
    assert ann.last(Hint) == Hint(do="draw", left=2)


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
        await house.play(room, ann, Draw())
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


async def test_codes_and_restarts_are_not_looked_into() -> None:
    oracle = Oracle(proven=False)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms(winnable=True))
    assert (oracle.dealt, room.state.table.notice) == (1, "not_proven_winnable")
    await house.play(room, ann, Restart())
    assert (oracle.dealt, room.state.table.notice) == (1, None)
    room, ann = await house.create(KlondikeTerms(winnable=True, code="KL1-D1S-AAAAACH"))
    assert (oracle.dealt, room.state.table.notice) == (1, None)
    room, ann = await house.create(KlondikeTerms())
    assert (oracle.dealt, room.state.table.notice) == (1, None)


async def test_a_pause_to_think_has_the_game_searched_and_its_player_told_once() -> None:
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    await house.jump(PAUSE_MS - 1_000)
    assert oracle.asked == []
    await house.jump(2_000)
    assert oracle.asked == [room.state.position]
    table = room.state.table
    assert (table.notice, table.proof) == ("cannot_be_won", LossProof(1234, 250, "{}"))
    told = ann.last(Update)
    assert isinstance(told, Update)
    assert told.table == table
    answer = await house.store.log.read(room.match, 0)
    assert isinstance(answer, Appended)
    assert ProvedLost(room.state.no - 1, 1234, 250, "{}") in [unpack(stored.data) for stored in answer.entries]
    await house.play(room, ann, Draw())
    assert (room.state.table.notice, room.state.table.proof) == (None, None)
    await house.jump(2 * PAUSE_MS)
    assert len(oracle.asked) == 1, "told before, and nothing taken back"
    await house.play(room, ann, Draw())
    await house.play(room, ann, Undo())
    await house.jump(2 * PAUSE_MS)
    assert len(oracle.asked) == 2
    assert room.state.table.notice == "cannot_be_won"


async def test_what_was_searched_is_known_when_its_cards_come_again() -> None:
    """After a pause, a hint or an undo to the same cards nothing is searched twice, and told as it was."""
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    await house.jump(2 * PAUSE_MS)
    await house.play(room, ann, Draw())
    await house.play(room, ann, Undo())
    assert room.state.table.notice is None
    await house.jump(2 * PAUSE_MS)
    assert len(oracle.asked) == 1
    assert room.state.table.notice == "cannot_be_won"


async def test_an_untouched_deal_is_searched_too() -> None:
    oracle = Oracle(lost=True)
    house = await House(advisor=oracle).start()
    room, _ = await house.create(KlondikeTerms())
    await house.jump(2 * PAUSE_MS)
    assert oracle.asked == [room.state.position]
    assert room.state.table.notice == "cannot_be_won"


class Thinker(Oracle):
    """Never comes to an end by itself; ``ended``: how many of its searches were ended."""

    ended = 0

    async def cannot_be_won(self, rules: Ruleset, position: Position) -> Proof | None:
        self.asked.append(position)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.ended += 1
            raise
        return Proof()


async def test_an_action_ends_the_search_and_a_look_does_not() -> None:
    thinker = Thinker()
    house = await House(advisor=thinker).start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    await house.jump(2 * PAUSE_MS)
    assert (len(thinker.asked), thinker.ended) == (1, 0)
    other = await house.enter(room, "ann")  # from another window
    other.n = ann.n
    await house.jump(2 * PAUSE_MS)
    assert (len(thinker.asked), thinker.ended) == (1, 0)
    await house.play(room, other, Draw())
    await house.settle()
    assert (len(thinker.asked), thinker.ended) == (1, 1)
    await house.jump(2 * PAUSE_MS)
    assert (len(thinker.asked), thinker.ended) == (2, 1), "the next pause has its own"
    await house.play(room, other, Pause())
    await house.settle()
    assert thinker.ended == 2, "the Pause function ends it too"


async def test_no_more_than_two_games_are_searched_at_once() -> None:
    thinker = Thinker()
    house = await House(advisor=thinker).start()
    rooms = [await house.create(KlondikeTerms()) for _ in range(3)]
    await house.jump(3 * PAUSE_MS)
    assert len(thinker.asked) == AT_ONCE == 2
    room, ann = rooms[0]
    await house.play(room, ann, Draw())
    await house.jump(2_000)
    assert len(thinker.asked) == 3
    await house.rooms.close()
    assert thinker.ended == 3


async def test_a_real_search_tells_a_lost_game_and_its_record_proves_it_again() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    house = await House(advisor=advisor).start()
    room, ann = await house.create(KlondikeTerms(draw=3, code="KL1-D3S-AAAAACX"))
    await house.play(room, ann, Draw())
    await house.jump(2 * PAUSE_MS)
    await until(house, lambda: room.state.table.notice is not None)
    await advisor.close()
    proof = room.state.table.proof
    assert room.state.table.notice == "cannot_be_won"
    assert proof is not None
    assert proof.states > 0
    out = io.StringIO()
    assert run([proof.question], out, Options(memory=1 << 24), time.monotonic) == 0
    assert json.loads(out.getvalue())["result"] == "loss"
    position = room.state.position
    assert position is not None
    bare = replace(position, tally=None, past=(), undo_depth=0)
    assert parse_position(json.loads(proof.question)["position"]) == bare


async def test_a_real_search_says_nothing_of_a_game_that_can_be_won() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    house = await House(advisor=advisor).start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    await house.play(room, ann, Draw())
    await house.jump(2 * PAUSE_MS)
    await asyncio.sleep(0.2)
    await house.settle()
    await advisor.close()
    assert room.state.table.notice is None


async def test_a_real_hint_comes_through_the_room() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    house = await House(advisor=advisor).start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    room.ask_hint(ann)
    await until(house, lambda: ann.last(Hint) is not None)
    await advisor.close()
    hint = ann.last(Hint)
    assert isinstance(hint, Hint)
    assert hint.left == 2
    assert hint.card is None or hint.card in visible(room.state.position)


async def until(house: House, done: Callable[[], bool]) -> None:
    """Wait for what a thread does; a search of the deals used here takes some ms."""
    async with asyncio.timeout(20):
        while not done():
            await asyncio.sleep(0.005)
            await house.settle()


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
