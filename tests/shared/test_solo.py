"""A solo game's course: undo, clock, hints, Finish, passes, the win (docs/rules.md, Klondike and Two-deck)."""

from random import Random

import pytest

from shared.engine import Step, apply, end, legal, refuse, start
from shared.moves import Draw, Drawn, Ended, Finish, Move, Recycle, Redo, Restored, Tallied, Undo
from shared.notation import parse_command, parse_position
from shared.position import Outcome, Position
from shared.ruleset import Ruleset, ruleset
from shared.scoring import played_ms
from shared.solo import tally_of
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from shared.view import view
from tests.shared.made import deck_of, easy, richest

BOTH = pytest.mark.parametrize("terms", [KlondikeTerms(), TwoDeckTerms()], ids=["klondike", "two_deck"])


def dealt(terms: Terms, seed: int = 1) -> tuple[Ruleset, Position]:
    rules = ruleset(terms)
    return rules, start(rules, (easy(rules, 0, Random(seed))[0],))


def play(rules: Ruleset, position: Position, *texts: str, at: int = 0) -> Position:
    for text in texts:
        done = apply(rules, position, 0, parse_command(text), at)
        assert isinstance(done, Step), (text, done)
        position = done.position
    return position


def code(rules: Ruleset, position: Position, text: str) -> str | None:
    said = refuse(rules, position, 0, parse_command(text), 0)
    return said.code if said else None


@BOTH
def test_the_deal_is_row_by_row(terms: Terms) -> None:
    rules = ruleset(terms)
    deck = tuple(range(rules.decks * 52))
    mine = start(rules, (deck,)).seats[0]
    width = rules.columns
    assert [column[0] for column in mine.columns] == list(range(width))
    assert mine.columns[1] == (1, width)
    assert mine.columns[-1][-1] == sum(range(width + 1)) - 1
    assert mine.down == tuple(range(width))
    assert mine.stock == deck[sum(range(width + 1)) :]
    assert (len(mine.stock), sum(mine.down)) == ((24, 21) if width == 7 else (59, 36))
    columns = [list(column) for column in mine.columns]
    assert deck_of(columns, list(mine.stock)) == deck


@pytest.mark.parametrize("decks", [(), ((1, 2, 3),), (tuple(range(52)), tuple(range(52, 104))), (tuple(range(1, 53)),)])
def test_a_deal_needs_the_cards_of_the_game(decks: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match="decks"):
        start(ruleset(KlondikeTerms()), decks)


@pytest.mark.parametrize("draw", [1, 3])
def test_draw_and_recycle_keep_the_order(draw: int) -> None:
    rules, position = dealt(KlondikeTerms(draw=3 if draw == 3 else 1))
    stock = position.seats[0].stock
    tops = []
    for turn in range(2):
        seen = []
        while position.seats[0].stock:
            position = play(rules, position, "draw")
            seen.append(position.seats[0].waste[-1])
        assert position.seats[0].waste == stock
        tops.append(seen)
        if turn == 0:
            position = play(rules, position, "recycle")
            assert (position.seats[0].stock, position.seats[0].waste, position.seats[0].pass_number) == (stock, (), 2)
    assert tops[0] == tops[1] == list(stock[draw - 1 :: draw])


def test_a_last_draw_of_three_takes_what_is_left() -> None:
    rules = ruleset(KlondikeTerms(draw=3))
    position = play(rules, parse_position("t:KH/-/-/-/-/-/- f:-/-/-/- s:2S3S tally:"), "draw")
    assert position.seats[0].waste == (1, 2)
    assert not position.seats[0].stock


# --- undo and redo


def test_undo_restores_the_score_stored_before_a_recycle() -> None:
    for terms in (KlondikeTerms(), TwoDeckTerms()):
        extra = "/-/-" if isinstance(terms, TwoDeckTerms) else ""
        piles = "-/-/-/-/-/-/-/-" if extra else "-/-/-/-"
        rules = ruleset(terms)
        position = parse_position(f"t:KH/-/-/-/-/-/-{extra} f:{piles} w:2S3S tally:score=30,moves=4")
        down = play(rules, position, "recycle")
        assert (tally_of(down).score, tally_of(down).recycles, down.seats[0].pass_number) == (0, 1, 2)
        back = play(rules, down, "undo")
        assert (tally_of(back).score, tally_of(back).recycles, back.seats[0].pass_number) == (30, 0, 1)
        assert tally_of(back).moves == 5
        assert play(rules, back, "redo").seats == down.seats


def test_undo_gives_free_recycles_and_passes_back() -> None:
    rules = ruleset(KlondikeTerms(draw=3, passes=2))
    position = parse_position("t:KH/-/-/-/-/-/- f:-/-/-/- w:2S3S tally:score=30,moves=4,recycles=2")
    paid = play(rules, position, "recycle")
    assert tally_of(paid).score == 10
    assert code(rules, play(rules, paid, "draw"), "recycle") == "no_more_passes"
    assert code(rules, play(rules, paid, "undo"), "recycle") is None
    assert tally_of(play(rules, paid, "undo")).recycles == 2


def test_a_move_that_turns_a_card_is_one_undo() -> None:
    rules = ruleset(KlondikeTerms())
    position = parse_position("t:(2S)QS/KH/-/-/-/-/- f:-/-/-/- tally:")
    turned = play(rules, position, "QS>t1")
    assert (turned.seats[0].down[0], tally_of(turned).score, turned.undo_depth) == (0, 5, 1)
    back = play(rules, turned, "undo")
    assert (back.seats, tally_of(back).score, back.undo_depth) == (position.seats, 0, 0)
    assert view(rules, back, 0).seats[0].columns[0][0] == -1


def test_undo_and_redo_change_no_move_count_and_a_new_action_forgets_redo() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "draw", "draw", "undo", "undo", "redo")
    tally = tally_of(position)
    assert (tally.moves, tally.undos, tally.actions) == (2, 2, 1)
    assert (position.undo_depth, position.redo_depth) == (1, 1)
    assert (len(position.past), len(position.future)) == (1, 1)
    position = play(rules, position, "draw")
    assert (position.undo_depth, position.redo_depth, position.future) == (2, 0, ())
    assert code(rules, position, "redo") == "nothing_to_redo"


def test_klondike_undo_has_no_limit() -> None:
    rules, position = dealt(KlondikeTerms())
    first = position.seats
    for _ in range(500):
        position = play(rules, position, "draw" if position.seats[0].stock else "recycle")
    assert position.undo_depth == 500
    for _ in range(500):
        position = play(rules, position, "undo")
    assert position.seats == first
    assert code(rules, position, "undo") == "nothing_to_undo"
    assert tally_of(position).moves == 500


def test_two_deck_undo_reaches_200_actions_back() -> None:
    rules, position = dealt(TwoDeckTerms())
    seats = []
    for _ in range(205):
        seats.append(position.seats)
        position = play(rules, position, "draw" if position.seats[0].stock else "recycle")
    for _ in range(200):
        position = play(rules, position, "undo")
    assert position.seats == seats[5]
    assert code(rules, position, "undo") == "undo_limit"
    for _ in range(200):
        position = play(rules, position, "redo")
    assert code(rules, position, "redo") == "nothing_to_redo"
    assert len(position.past) == 200
    for _ in range(3):
        position = play(rules, position, "undo")
    position = play(rules, position, "draw" if position.seats[0].stock else "recycle")
    assert position.undo_depth == 198


def test_undo_keeps_clock_and_hints_and_forgets_an_undone_worry_back() -> None:
    rules = ruleset(KlondikeTerms())
    position = parse_position("t:3H/-/-/-/-/-/- f:AS2S/-/-/- tally:moves=1,running_since=0")
    down = play(rules, position, "2S>t0", at=1000)
    hinted = play(rules, down, "hint", at=2000)
    back = play(rules, hinted, "undo", at=3000)
    tally = tally_of(back)
    assert (tally_of(hinted).worry_backs, tally.worry_backs, tally.hints, tally.running_since) == (1, 0, 1, 0)
    assert back.undo_depth == 0
    assert tally_of(play(rules, back, "redo")).worry_backs == 1


def test_no_undo_after_the_win() -> None:
    rules = ruleset(KlondikeTerms())
    deck, plays = easy(rules, 0, Random(5))
    position = start(rules, (deck,))
    for command in plays:
        done = apply(rules, position, 0, command, 0)
        assert isinstance(done, Step)
        position = done.position
    assert position.outcome == Outcome("won", 0, (52,))
    for text in ("undo", "redo", "draw", "finish", "hint", "pause", "AS>t0"):
        assert code(rules, position, text) == "game_over"
    assert legal(rules, position, 0).commands == ()


def test_an_undo_is_told_to_a_viewer_without_earlier_positions() -> None:
    rules, position = dealt(KlondikeTerms())
    done = apply(rules, play(rules, position, "draw"), 0, Undo(), 0)
    assert isinstance(done, Step)
    (event,) = done.events
    assert isinstance(event, Restored)
    assert not event.position.past


# --- the clock


@pytest.mark.parametrize("first", ["draw", "AS>f"])
def test_time_starts_with_the_first_move(first: str) -> None:
    rules = ruleset(KlondikeTerms())
    position = parse_position("t:AS/-/-/-/-/-/- f:-/-/-/- s:2S3S tally:")
    assert played_ms(tally_of(position), 60_000) == 0
    position = play(rules, position, first, at=60_000)
    assert played_ms(tally_of(position), 61_500) == 1_500


def test_time_stands_while_paused() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "draw", at=1_000)
    position = play(rules, position, "pause", at=3_000)
    assert played_ms(tally_of(position), 90_000) == 2_000
    assert legal(rules, position, 0).commands == ("unpause",)
    position = play(rules, position, "unpause", at=100_000)
    position = play(rules, position, "hide", at=101_000)
    position = play(rules, position, "unpause", at=200_000)
    assert played_ms(tally_of(position), 200_500) == 3_500


def test_a_pause_before_the_first_move_starts_no_clock() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "pause", "unpause", at=5_000)
    assert played_ms(tally_of(position), 90_000) == 0
    position = play(rules, position, "draw", at=90_000)
    assert played_ms(tally_of(position), 91_000) == 1_000


def test_an_undone_first_move_does_not_stop_or_restart_the_clock() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "draw", at=1_000)
    position = play(rules, position, "undo", at=2_000)
    position = play(rules, position, "draw", at=5_000)
    assert played_ms(tally_of(position), 6_000) == 5_000


# --- counting, hints, Finish, the win


def test_each_accepted_action_counts_one_move_and_a_refusal_none() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "draw", "hint", "pause", "unpause")
    assert tally_of(position).moves == 1
    assert not isinstance(apply(rules, position, 0, Recycle(), 0), Step)
    assert not isinstance(apply(rules, position, 0, Move(0, "t0"), 0), Step)


def test_three_hints_a_game_and_undo_gives_none_back() -> None:
    rules, position = dealt(KlondikeTerms())
    position = play(rules, position, "draw", "hint", "hint", "undo", "hint")
    assert code(rules, position, "hint") == "no_hints_left"
    assert "hint" not in legal(rules, position, 0).commands
    rules, position = dealt(KlondikeTerms(unlimited_hints=True))
    assert tally_of(play(rules, position, *["hint"] * 7)).hints == 7


FULL = ["".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"]
LATE = f"f:{FULL[0]}/{FULL[1]}/{FULL[2][:-4]}/{FULL[3][:-4]} tally:"
FINISH = [
    ("t:KCQD/KDQC/-/-/-/-/-", True),
    ("t:QDKD/KCQC/-/-/-/-/-", False),  # QD lies under KD: foundation plays alone do not win
    ("t:(KC)QD/KDQC/-/-/-/-/-", False),
    ("t:KCQD/KD/-/-/-/-/- w:QC", False),
    ("t:KCQD/KD/-/-/-/-/- s:QC", False),
]


@pytest.mark.parametrize(("text", "offered"), FINISH)
def test_finish_is_offered_only_when_it_wins(text: str, *, offered: bool) -> None:
    rules, position = ruleset(KlondikeTerms()), parse_position(f"{text} {LATE}")
    assert ("finish" in legal(rules, position, 0).commands) is offered
    done = apply(rules, position, 0, Finish(), 5)
    assert isinstance(done, Step) is offered
    if isinstance(done, Step):
        assert done.position.outcome == Outcome("won", 0, (52,))
        assert sum(isinstance(event, Ended) for event in done.events) == 1


def test_finish_at_every_chance_of_a_real_game() -> None:
    rules = ruleset(KlondikeTerms())
    deck, plays = richest()
    position = start(rules, (deck,))
    offered = 0
    for command in plays:
        can = apply(rules, position, 0, Finish(), 9)
        if isinstance(can, Step):
            offered += 1
            assert can.position.outcome is not None
            assert tally_of(can.position).score == 745
            assert tally_of(can.position).moves == 103
        done = apply(rules, position, 0, command, 9)
        assert isinstance(done, Step)
        position = done.position
    assert offered >= 28


@pytest.mark.parametrize("passes", ["unlimited", "strict"])
def test_the_last_card_wins_whatever_passes_are_left(passes: str) -> None:
    rules = ruleset(KlondikeTerms(passes="strict" if passes == "strict" else "unlimited"))
    last = f"t:-/-/-/-/-/-/- w:KC f:{FULL[0]}/{FULL[1]}/{FULL[2]}/{FULL[3][:-2]} tally:"
    assert play(rules, parse_position(last), "KC>f").outcome == Outcome("won", 0, (52,))


def test_a_win_by_redo_is_never_possible_for_a_win_cannot_be_undone() -> None:
    rules = ruleset(KlondikeTerms())
    last = parse_position(f"t:KC/-/-/-/-/-/- f:{FULL[0]}/{FULL[1]}/{FULL[2]}/{FULL[3][:-2]} tally:")
    won = play(rules, last, "KC>f")
    assert code(rules, won, "undo") == "game_over"
    assert won.redo_depth == 0


def test_an_abandoned_game_ends_without_a_winner() -> None:
    rules, position = dealt(KlondikeTerms())
    assert end(rules, position, "void").position.outcome == Outcome("void", None, (0,))


def test_open_deal_shows_everything_and_plays_the_waste_top_only() -> None:
    rules = ruleset(KlondikeTerms(open_deal=True))
    deck = tuple(range(52))
    position = start(rules, (deck,))
    assert view(rules, position, None) == position
    assert position.seats[0].down == (0,) * 7
    assert code(rules, position, "KC>f") == "no_such_card"  # in the stock, open as it is
    done = apply(rules, position, 0, Draw(), 0)
    assert isinstance(done, Step)
    assert [type(event) for event in done.events] == [Tallied, Drawn]


def test_redo_of_an_undone_recycle_is_the_same_stock() -> None:
    rules, position = dealt(KlondikeTerms())
    while position.seats[0].stock:
        position = play(rules, position, "draw")
    turned = play(rules, position, "recycle")
    done = apply(rules, play(rules, turned, "undo"), 0, Redo(), 0)
    assert isinstance(done, Step)
    assert done.position.seats == turned.seats
