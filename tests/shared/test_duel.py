"""A duel's course: turns, passing, declaring, penalty, every end and its winner (docs/rules.md, Duel)."""

import pytest

from shared.engine import Deadline, Step, apply, deadline, end, expire, legal, low_card_first, prove_stuck, start
from shared.moves import Command, Declared, Ended, Event, Move, Refusal, Stuck, TurnIs
from shared.notation import parse_command, parse_position
from shared.position import Outcome, Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import DuelTerms
from shared.view import redact, view

FAST, TURNS = DuelTerms(), DuelTerms(tempo="alternating")
REST = "-/-/-/-/-/-"
DECKS = tuple(range(52)), tuple(range(52, 104))
FULL = {suit: "".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"}


def table(one: str, two: str, up: str = "-/-/-/-/-/-/-/-", more: str = "") -> Position:
    return parse_position(f"seat:0 {one} seat:1 {two} f:{up} {more}")


def step(rules: Ruleset, position: Position, seat: int, text: str, at: int = 1000) -> Step:
    done = apply(rules, position, seat, parse_command(text), at)
    assert isinstance(done, Step), (text, done)
    return done


def play(rules: Ruleset, position: Position, *plays: str) -> Position:
    """Play ``<seat> <command>`` each."""
    for text in plays:
        seat, _, command = text.partition(" ")
        position = step(rules, position, int(seat), command).position
    return position


OPEN = table(f"t:AS/2H/KD/{REST[:-4]} s:5S6S", f"t:as/2h/kd/{REST[:-4]} s:5s6s")
OPEN_TURN = table(f"t:AS/2H/KD/{REST[:-4]} s:5S6S", f"t:as/2h/kd/{REST[:-4]} s:5s6s", more="turn:seat=0")


# --- the start


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
        table(f"t:2S/{REST}", f"t:as/{REST}", "AS/-/-/-/-/-/-/-", "turn:seat=0,acted=true,played_up=true"),
        0,
        "2S>f",
    )
    assert not any(isinstance(event, TurnIs) for event in second.events) or second.position.outcome


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
    assert expire(rules, passed, again).position.outcome == Outcome("void", None, (0, 0))


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


# --- out, cleared, complete, play on

ALMOST = "/".join([FULL["S"], FULL["H"], FULL["D"], FULL["C"][:-2]])


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
    ("-/-/-/-/-/-/-/-", "", "time", Outcome("void", None, (0, 0))),
    ("-/-/-/-/-/-/-/-", "", "agreed", Outcome("void", None, (0, 0))),
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


# --- the illegal-move penalty

WRONG = Move(12, "t0")  # KS on AS


def strikes(position: Position, times: list[int], command: Command = WRONG) -> tuple[Position, list[str]]:
    rules = ruleset(DuelTerms(penalty=True))
    codes: list[str] = []
    for at in times:
        done = apply(rules, position, 0, command, at)
        assert not isinstance(done, Step) or done.refusal is not None
        refusal = done.refusal if isinstance(done, Step) else done
        codes.append(refusal.code if refusal else "")
        position = done.position if isinstance(done, Step) else position
    return position, codes


PENALTY = table(f"t:AS/KS/{REST[:-2]} s:5S6S", f"t:as/{REST}")


def test_three_illegal_moves_in_ten_seconds_cost_three_seconds() -> None:
    position, codes = strikes(PENALTY, [1_000, 5_000, 11_000, 11_001, 13_999, 14_000])
    assert codes == ["wrong_colour", "wrong_colour", "wrong_colour", "waiting", "waiting", "wrong_colour"]
    assert (position.seats[0].strikes, position.seats[0].wait_until) == ((14_000,), 0)


def test_illegal_moves_further_apart_cost_nothing() -> None:
    position, codes = strikes(PENALTY, [1_000, 5_000, 11_001, 16_000])
    assert "waiting" not in codes
    assert position.seats[0].wait_until == 0


def test_the_wait_holds_every_play_of_the_seat_and_of_it_alone() -> None:
    rules = ruleset(DuelTerms(penalty=True))
    position, _ = strikes(PENALTY, [1_000, 1_001, 1_002])
    for text in ("AS>f", "draw", "declare"):
        assert apply(rules, position, 0, parse_command(text), 2_000) == Refusal("waiting")
    assert legal(rules, position, 0, 2_000).moves == {}
    assert legal(rules, position, 0, 2_000).commands == ("resign",)
    assert isinstance(apply(rules, position, 1, parse_command("as>f"), 2_000), Step)
    assert isinstance(apply(rules, position, 0, parse_command("AS>f"), 4_002), Step)


@pytest.mark.parametrize("command", [Move(12, "t1"), parse_command("recycle")])
def test_a_card_put_back_and_a_refused_tap_on_the_stock_are_no_strike(command: Command) -> None:
    position, codes = strikes(PENALTY, [1, 2, 3, 4], command)
    assert "waiting" not in codes
    assert position == PENALTY


def test_the_penalty_is_off_unless_agreed_and_in_turns() -> None:
    for terms in (FAST, DuelTerms(tempo="alternating", penalty=True)):
        board = table(
            f"t:AS/KS/{REST[:-2]}", f"t:as/{REST}", more="turn:seat=0" if terms.tempo == "alternating" else ""
        )
        assert apply(ruleset(terms), board, 0, WRONG, 5) == Refusal("wrong_colour")


def test_strikes_are_told_to_their_owner_alone() -> None:
    rules = ruleset(DuelTerms(penalty=True))
    done = apply(rules, PENALTY, 0, WRONG, 5)
    assert isinstance(done, Step)
    event: Event = done.events[0]
    assert [redact(rules, event, viewer) is None for viewer in (0, 1, None)] == [False, True, True]
