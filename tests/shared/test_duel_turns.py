"""A duel's start and its turns: draw, pass, the turn clock, barren turns (docs/rules.md, Duel)."""

import pytest

from shared.engine import Deadline, Step, deadline, expire, low_card_first, start
from shared.moves import TurnIs
from shared.position import Outcome
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from tests.shared.boards import DECKS, FAST, OPEN, OPEN_TURN, REST, TURNS, play, step, table


def test_both_tempos_start_with_their_clock() -> None:
    fast = start(ruleset(FAST), DECKS, at=3000)
    assert (fast.turn, deadline(ruleset(FAST), fast)) == (None, Deadline(903_000, "game"))
    turns = start(ruleset(TURNS), DECKS, at=3000, first=1)
    assert turns.turn is not None
    assert (turns.turn.seat, turns.turn.number) == (1, 1)
    assert deadline(ruleset(TURNS), turns) == Deadline(63_000, "turn")


@pytest.mark.parametrize("terms", [DuelTerms(game_seconds=None), DuelTerms(tempo="alternating", turn_seconds=None)])
def test_without_a_clock_there_is_no_deadline(terms: DuelTerms) -> None:
    rules = ruleset(terms)
    assert deadline(rules, start(rules, DECKS, first=0)) is None


def test_an_alternating_game_needs_a_first_seat() -> None:
    with pytest.raises(ValueError, match="first"):
        start(ruleset(TURNS), DECKS)


def swapped(deck: tuple[int, ...], a: int, b: int) -> tuple[int, ...]:
    row = list(deck)
    row[a], row[b] = row[b], row[a]
    return tuple(row)


def test_low_card_compares_the_face_up_cards_from_column_one_on() -> None:
    rules = ruleset(TURNS)
    one, two = DECKS
    assert low_card_first(rules, (one, two)) is None
    assert low_card_first(rules, (swapped(one, 0, 1), two)) == 1  # 2 against ace on column 1
    assert low_card_first(rules, (one, swapped(two, 0, 1))) == 0
    # column 2's face-up card is the eighth of the deck
    assert low_card_first(rules, (swapped(one, 7, 8), two)) == 1
    assert low_card_first(rules, (one, swapped(two, 7, 8))) == 0
    assert low_card_first(rules, (swapped(one, 1, 2), two)) is None  # face-down cards do not count


# --- both seats' cards on the eight foundations


def test_the_second_ace_takes_the_second_pile_and_a_two_of_either_deck_the_first_that_takes_it() -> None:
    rules = ruleset(FAST)
    position = play(rules, OPEN, "1 as>f", "0 AS>f")
    assert position.foundations[:2] == ((52,), (0,))
    third = table(f"t:2S/{REST} s:KS", f"t:2s/{REST} s:ks", "as/AS/-/-/-/-/-/-")
    position = play(rules, third, "0 2S>f")
    assert position.foundations[:2] == ((52, 1), (0,))
    assert play(rules, position, "1 2s>f").foundations[:2] == ((52, 1), (0, 53))


def test_a_run_and_a_turned_card_on_the_own_table() -> None:
    rules = ruleset(FAST)
    position = table(f"t:(3S)QSJH/KH/{REST[:-2]}", f"t:kd/{REST}")
    done = step(rules, position, 0, "QS>t1")
    assert done.position.seats[0].columns[:2] == ((2,), (25, 11, 23))
    assert done.position.seats[0].down[0] == 0


# --- turns


def test_a_turn_goes_on_through_moves_and_a_recycle_and_ends_with_a_draw() -> None:
    rules = ruleset(TURNS)
    position = table(f"t:AS/QS/KD/{REST[:-4]} w:5S6S", f"t:as/{REST}", more="turn:seat=0,ends_at=60000")
    position = play(rules, position, "0 AS>f", "0 QS>t2", "0 recycle")
    assert position.turn is not None
    turn = position.turn
    assert (turn.seat, turn.number, turn.acted, turn.played_up, turn.ends_at) == (0, 1, True, True, 60_000)
    done = step(rules, position, 0, "draw", at=7_000)
    turn = done.position.turn or turn
    assert done.position.seats[0].waste
    assert (turn.seat, turn.number, turn.acted, turn.played_up, turn.ends_at) == (1, 2, False, False, 67_000)


def test_the_turn_is_told_only_when_it_changes() -> None:
    rules = ruleset(TURNS)
    first = step(rules, OPEN_TURN, 0, "AS>f")
    assert any(isinstance(event, TurnIs) for event in first.events)
    second = step(
        rules,
        table(f"t:2S/KS/{REST[:-2]}", f"t:as/{REST}", "AS/-/-/-/-/-/-/-", "turn:seat=0,acted=true,played_up=true"),
        0,
        "2S>f",
    )
    assert not any(isinstance(event, TurnIs) for event in second.events)


def test_two_bare_passes_in_a_row_end_the_game() -> None:
    rules = ruleset(TURNS)
    position = play(rules, OPEN_TURN, "0 AS>f", "0 pass", "1 pass")
    assert position.outcome is None
    assert play(rules, position, "0 pass").outcome == Outcome("both_passed", 0, (1, 0))


@pytest.mark.parametrize("between", [["0 2H>t2", "0 pass"], ["0 draw"]])
def test_a_turn_with_a_move_or_draw_is_no_pass(between: list[str]) -> None:
    rules = ruleset(TURNS)
    board = table(f"t:KS/QH/{REST[:-2]} s:5S6S".replace("QH", "QH"), f"t:as/{REST} s:5s", more="turn:seat=0")
    between = [text.replace("2H>t2", "QH>t0") for text in between]
    position = play(rules, board, *between, "1 pass")
    assert position.outcome is None
    assert position.turn is not None
    assert position.turn.passes == 1


def test_a_recycle_alone_makes_a_turn_no_pass() -> None:
    rules = ruleset(TURNS)
    board = table(f"t:KS/{REST} w:5S", f"t:as/{REST}", more="turn:seat=0,passes=1")
    position = play(rules, board, "0 recycle", "0 pass")
    assert position.turn is not None
    assert position.turn.passes == 0


def test_the_turn_clock_passes_for_the_seat() -> None:
    rules = ruleset(TURNS)
    position = start(rules, DECKS, at=0, first=0)
    due = deadline(rules, position)
    assert due == Deadline(60_000, "turn")
    passed = expire(rules, position, due).position
    assert passed.turn is not None
    assert (passed.turn.seat, passed.turn.passes, passed.turn.ends_at) == (1, 1, 120_000)
    seen_late = expire(rules, position, due, 61_500).position
    assert seen_late.turn is not None
    assert seen_late.turn.ends_at == 121_500
    again = deadline(rules, passed)
    assert again is not None
    assert expire(rules, passed, again).position.outcome == Outcome("void", None, (0, 0), "no_card")


def test_a_turn_with_a_move_that_the_clock_ends_is_no_pass() -> None:
    rules = ruleset(TURNS)
    position = play(rules, start(rules, DECKS, first=0), "0 AS>f")
    due = deadline(rules, position)
    assert due is not None
    after = expire(rules, position, due).position
    assert after.turn is not None
    assert (after.turn.passes, after.turn.barren) == (0, 0)


def test_an_old_deadline_changes_nothing() -> None:
    rules = ruleset(TURNS)
    position = start(rules, DECKS, first=0)
    assert expire(rules, position, Deadline(1, "turn")) == Step(position)


def test_a_hundred_turns_without_a_foundation_play_end_the_game() -> None:
    rules = ruleset(TURNS)
    position = play(rules, OPEN_TURN, "0 AS>f", "0 pass")
    for number in range(99):
        seat = 1 - number % 2
        command = "draw" if position.seats[seat].stock else "recycle"
        position = play(rules, position, f"{seat} {command}")
        if command == "recycle":
            position = play(rules, position, f"{seat} draw")
        assert position.outcome is None
    assert position.turn is not None
    assert position.turn.barren == 99
    seat = position.turn.seat
    last = (
        play(rules, position, f"{seat} recycle", f"{seat} draw")
        if not position.seats[seat].stock
        else play(rules, position, f"{seat} draw")
    )
    assert last.outcome == Outcome("no_progress", 0, (1, 0))


def test_a_foundation_play_begins_the_count_of_barren_turns_anew() -> None:
    rules = ruleset(TURNS)
    board = table(f"t:AS/KD/{REST[:-2]} s:5S", f"t:as/{REST}", more="turn:seat=0,barren=99")
    position = play(rules, board, "0 AS>f", "0 draw")
    assert position.outcome is None
    assert position.turn is not None
    assert position.turn.barren == 0
