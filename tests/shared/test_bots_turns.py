"""Computer players by turns, where a move costs nothing: no card goes to and fro, and the count is reckoned with."""

from random import Random

import pytest
from msgspec.structs import replace

from shared.bots import NAMES, Bot, Memory, choose, notice
from shared.cards import HIDDEN
from shared.engine import Step, apply, start
from shared.moves import Declare, Draw, Move, Pass, Recycle
from shared.position import Position, Seat, Turn
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from shared.view import view

RULES = ruleset(DuelTerms(tempo="alternating", turn_seconds=None))
BOTH = ruleset(DuelTerms())


def ahead(mine: int, theirs: int, *, passes: int = 1) -> Position:
    """Seat 0 has an ace to play and laid ``mine`` cards so far, seat 1 ``theirs``; seat 1 has just passed."""
    seats = (
        Seat(((13,), (), (), (), (), (), ()), (0,) * 7, (HIDDEN,) * 5, (47,)),
        Seat(((103,), (90,), (), (), (), (), ()), (0,) * 7, ()),
    )
    foundations = (tuple(range(mine)), tuple(range(52, 52 + theirs)), *((),) * 6)
    return Position(seats, foundations, turn=Turn(0, number=9, passes=passes), last_up=1)


def command(level: str, position: Position, rules: object = RULES) -> object:
    memory = notice(Memory(), position, 0)
    choice = choose(level, rules, position, 0, memory, 1, 0)  # type: ignore[arg-type]
    return None if choice is None else choice.command


def test_an_expert_who_is_ahead_ends_what_the_rival_gives_up() -> None:
    assert command("expert", ahead(3, 2)) == Pass()
    assert command("expert", ahead(2, 3)) == Move(13, "f"), "behind it plays on"
    assert command("expert", ahead(3, 3)) == Move(13, "f"), "so it does if equal and the rival laid the last one"
    assert command("expert", ahead(3, 2, passes=0)) == Move(13, "f"), "the rival gave nothing up"
    assert command("skilled", ahead(3, 2)) == Move(13, "f"), "others do not reckon"


def test_at_once_an_expert_who_is_ahead_joins_the_rivals_declaration() -> None:
    position = replace(ahead(3, 2), turn=None)
    declared = replace(position, seats=(position.seats[0], replace(position.seats[1], declared=True)))
    assert command("expert", position, BOTH) == Move(13, "f")
    assert command("expert", declared, BOTH) == Declare()


def test_an_expert_who_is_behind_goes_on_a_while_before_it_passes() -> None:
    seats = (Seat(((12,), (), (), (), (), (), ()), (0,) * 7, (), (3,)), ahead(0, 1).seats[1])
    behind = Position(seats, ((), (52,), *((),) * 6), turn=Turn(0), last_up=1)
    memory = notice(Memory(), behind, 0)

    def on_trip(number: int) -> object:
        later = replace(behind, seats=(replace(seats[0], pass_number=number), seats[1]))
        choice = choose("expert", RULES, later, 0, notice(memory, later, 0), 1, 0)
        assert choice is not None
        return choice.command

    assert [on_trip(number) for number in (1, 2, 4)] == [Recycle()] * 3
    assert on_trip(5) == Pass()


@pytest.mark.parametrize("level", NAMES)
def test_in_one_turn_no_columns_are_laid_as_before(level: str) -> None:
    """Without a draw, a turn or a foundation card in between, a bot comes back to no arrangement of its columns."""
    for seed in range(6):
        random = Random(seed)
        decks = (tuple(random.sample(range(52), 52)), tuple(random.sample(range(52, 104), 52)))
        position = start(RULES, decks, first=seed % 2)
        bots = [Bot(level, seat, seed) for seat in (0, 1)]  # type: ignore[arg-type]
        plays, at = [0, 0], 0
        been: set[object] = set()
        while position.outcome is None:
            assert position.turn is not None
            seat = position.turn.seat
            seen = view(RULES, position, seat)
            at = bots[seat].look(RULES, seen, at, plays[seat]) or at
            wish = bots[seat].act(RULES, seen, at, plays[seat])
            if wish is None:
                continue
            done = apply(RULES, position, seat, wish, at)
            assert isinstance(done, Step)
            plays[seat] += 1
            if isinstance(wish, Draw | Recycle | Pass) or done.position.foundations != position.foundations:
                been.clear()
            position = done.position
            lying = (seat, position.seats[seat].columns, position.seats[seat].down)
            assert not (isinstance(wish, Move) and lying in been)
            been.add(lying)
