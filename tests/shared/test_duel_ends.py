"""How a duel ends and who wins it: out, cleared, complete, declared, stuck, agreed, resigned (docs/rules.md, Duel)."""

import pytest

from shared.engine import Step, apply, deadline, end, expire, legal, prove_stuck, start
from shared.moves import Declared, Ended, Refusal, Stuck
from shared.notation import parse_command
from shared.position import Outcome, Position
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from shared.view import redact, view
from tests.shared.boards import DECKS, FAST, FULL, OPEN, REST, TURNS, play, step, table

# --- out, cleared, complete, play on


def almost_out(up_two: str = "-", more: str = "", two: str = f"t:as2s/{REST}") -> Position:
    """Seat 0 has one card left, KC."""
    piles = f"{FULL['S']}/-/{FULL['H']}/-/{FULL['D']}/-/{FULL['C'][:-2]}/{up_two}"
    return table(f"t:KC/{REST}", two, piles, more)


def test_out_ends_the_game_and_the_count_decides() -> None:
    done = step(ruleset(FAST), almost_out(), 0, "KC>f")
    assert done.position.outcome == Outcome("out", 0, (52, 0))
    assert isinstance(done.events[-1], Ended)


def test_emptying_the_columns_alone_is_not_out() -> None:
    board = table(f"t:AS/{REST} s:2S", f"t:as/{REST}")
    assert play(ruleset(FAST), board, "0 AS>f").outcome is None


def test_clear_bonus_wins_whatever_the_count() -> None:
    board = table(f"t:AS/{REST} s:2S", f"t:kd/{REST}", "-/-/ah2h3h/-/-/-/-/-")
    done = play(ruleset(DuelTerms(clear_bonus=True)), board, "0 AS>f")
    assert done.outcome == Outcome("cleared", 0, (1, 3))


def test_cleared_goes_before_out() -> None:
    done = play(ruleset(DuelTerms(clear_bonus=True)), almost_out(), "0 KC>f")
    assert done.outcome == Outcome("cleared", 0, (52, 0))


def test_play_on_goes_on_until_the_other_is_out_too() -> None:
    rules = ruleset(DuelTerms(play_on=True))
    low = {suit: FULL[suit].lower() for suit in "SHDC"}
    piles = "/".join([FULL["S"], low["S"], FULL["H"], low["H"], FULL["D"], low["D"], FULL["C"][:-2], low["C"][:-2]])
    board = table(f"t:KC/{REST}", f"t:kc/{REST}", piles)
    alone = play(rules, board, "0 KC>f")
    assert alone.outcome is None
    assert play(rules, alone, "1 kc>f").outcome == Outcome("complete", 1, (52, 52))


def test_play_on_the_seat_that_is_out_counts_as_declared_stuck_and_passing() -> None:
    fast = ruleset(DuelTerms(play_on=True))
    alone = play(fast, almost_out(), "0 KC>f")
    assert legal(fast, alone, 0).commands == ("resign",)
    assert play(fast, alone, "1 declare").outcome == Outcome("both_declared", 0, (52, 0))
    assert prove_stuck(fast, alone, 1).position.outcome == Outcome("both_stuck", 0, (52, 0))
    turns = ruleset(DuelTerms(tempo="alternating", play_on=True))
    alone = play(turns, almost_out(more="turn:seat=0"), "0 KC>f")
    assert alone.outcome is None
    assert play(turns, alone, "1 pass").outcome == Outcome("both_passed", 0, (52, 0))


def test_play_on_skips_the_turns_of_the_seat_that_is_out() -> None:
    turns = ruleset(DuelTerms(tempo="alternating", play_on=True))
    board = almost_out(more="turn:seat=0", two=f"t:as2s/{REST} s:5s6s")
    alone = play(turns, board, "0 KC>f")  # its turn ends with its last card
    assert alone.turn is not None
    assert (alone.turn.seat, alone.turn.number, alone.turn.barren) == (1, 2, 0)
    drew = play(turns, alone, "1 draw")
    assert drew.turn is not None
    assert (drew.turn.seat, drew.turn.number) == (1, 3)


def test_without_play_on_nobody_counts_as_declared() -> None:
    rules = ruleset(FAST)
    assert play(rules, OPEN, "0 AS>f", "1 declare").outcome is None


# --- declare and stuck


def test_both_declared_end_the_game() -> None:
    rules = ruleset(FAST)
    position = play(rules, OPEN, "1 as>f", "0 declare")
    assert position.seats[0].declared
    assert play(rules, position, "1 declare").outcome == Outcome("both_declared", 1, (0, 1))


@pytest.mark.parametrize(
    ("seat", "text", "lapses"),
    [
        (0, "draw", True),
        (0, "AS>f", True),
        (0, "3H>t2", True),
        (1, "as>f", True),
        (1, "draw", False),
        (1, "3h>t2", False),
    ],
)
def test_a_declaration_lapses(seat: int, text: str, *, lapses: bool) -> None:
    board = table(f"t:AS/3H/4S/{REST[:-4]} s:5S6S declared:1", f"t:as/3h/4s/{REST[:-4]} s:5s6s")
    done = step(ruleset(FAST), board, seat, text)
    assert done.position.seats[0].declared is not lapses
    assert (Declared(False, 0) in done.events) is lapses


def test_a_refused_play_ends_no_declaration() -> None:
    board = table(f"t:AS/3H/4S/{REST[:-4]} declared:1", f"t:as/{REST}")
    assert isinstance(apply(ruleset(FAST), board, 0, parse_command("3H>f"), 0), Refusal)


def test_both_stuck_end_the_game_at_once_and_one_verdict_is_told_to_nobody() -> None:
    rules = ruleset(FAST)
    board = table(f"t:KS/{REST}", f"t:kd/{REST}", "ah/-/-/-/-/-/-/-", "last:1")
    one = prove_stuck(rules, board, 0)
    assert (one.events, one.position.outcome) == ((Stuck(True, 0),), None)
    for viewer in (0, 1, None):
        assert redact(rules, one.events[0], viewer) is None
        assert view(rules, one.position, viewer) == view(rules, board, viewer)
    assert prove_stuck(rules, one.position, 0) == Step(one.position)
    both = prove_stuck(rules, one.position, 1)
    assert both.position.outcome == Outcome("both_stuck", 1, (0, 1))


def test_a_proof_falls_with_any_foundation_play_and_with_nothing_else() -> None:
    rules = ruleset(FAST)
    board = table(f"t:KS/{REST} stuck:1", f"t:as/3h/4s/{REST[:-4]} s:5s6s")
    assert step(rules, board, 1, "draw").position.seats[0].stuck
    up = step(rules, board, 1, "as>f")
    assert not up.position.seats[0].stuck
    assert Stuck(False, 0) in up.events


def test_a_proof_after_the_end_changes_nothing() -> None:
    rules = ruleset(FAST)
    over = play(rules, OPEN, "0 resign")
    assert prove_stuck(rules, over, 0) == Step(over)


# --- the winner

WINNERS = [
    ("as2s/-/AH/-/-/-/-/-", "last:0", "agreed", Outcome("agreed", 1, (1, 2))),
    ("AS2S/-/ah/-/-/-/-/-", "last:1", "time", Outcome("time", 0, (2, 1))),
    ("AS/-/ah/-/-/-/-/-", "last:1", "both_stuck", Outcome("both_stuck", 1, (1, 1))),
    ("as/-/AH/-/-/-/-/-", "last:0", "no_progress", Outcome("no_progress", 0, (1, 1))),
    ("-/-/-/-/-/-/-/-", "", "time", Outcome("void", None, (0, 0), "no_card")),
    ("-/-/-/-/-/-/-/-", "", "agreed", Outcome("void", None, (0, 0), "no_card")),
    ("AS/-/-/-/-/-/-/-", "last:0", "void", Outcome("void", None, (1, 0))),
]


@pytest.mark.parametrize(("up", "more", "reason", "outcome"), WINNERS)
def test_the_winner_by_the_count(up: str, more: str, reason: str, outcome: Outcome) -> None:
    board = table(f"t:KS/{REST}", f"t:kd/{REST}", up, more)
    assert end(ruleset(FAST), board, reason).position.outcome == outcome  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", ["resigned", "left"])
@pytest.mark.parametrize("up", ["-/-/-/-/-/-/-/-", "AS2S/-/-/-/-/-/-/-"])
def test_who_resigns_or_leaves_loses_whatever_the_count(reason: str, up: str) -> None:
    board = table(f"t:KS/{REST}", f"t:kd/{REST}", up, "last:0")
    outcome = end(ruleset(FAST), board, reason, 1).position.outcome  # type: ignore[arg-type]
    assert outcome is not None
    assert (outcome.reason, outcome.winner) == (reason, 1)
    resigned = play(ruleset(TURNS), table(f"t:KS/{REST}", f"t:kd/{REST}", up, "turn:seat=1"), "0 resign").outcome
    assert resigned is not None
    assert (resigned.reason, resigned.winner) == ("resigned", 1)


def test_a_game_ends_once() -> None:
    rules = ruleset(FAST)
    over = play(rules, OPEN, "0 resign")
    assert end(rules, over, "time") == Step(over)
    assert deadline(rules, over) is None


def test_game_time_ends_it() -> None:
    rules = ruleset(FAST)
    position = play(rules, start(rules, DECKS), "1 as>f")
    due = deadline(rules, position)
    assert due is not None
    assert expire(rules, position, due).position.outcome == Outcome("time", 1, (0, 1))
