"""Faults that players of other solitaire games reported, each as a test of its whole kind over random games."""

from collections.abc import Iterator
from random import Random

import pytest

from shared.cards import RANK, SUIT
from shared.engine import Step, apply, legal, refuse, start
from shared.law import foundation_for
from shared.moves import Command, Draw, Ended, Finish, Move, Moved, Recycle, Redo, Turned, Undo
from shared.notation import parse_command, parse_position
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.solo import tally_of
from shared.stuck import search
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from shared.view import view
from tests.shared.games import ALL, DUEL, GAMES, KLONDIKE, TARGETS, TWO_DECK, name, random_game
from tests.shared.made import easy

SOLO = KLONDIKE + TWO_DECK
VEGAS: list[Terms] = [
    type(terms)(draw=draw, scoring="vegas") for terms in (KlondikeTerms(), TwoDeckTerms()) for draw in (1, 3)
]
every = pytest.mark.parametrize("terms", ALL, ids=name)
solo = pytest.mark.parametrize("terms", SOLO, ids=name)


def met(terms: Terms, law: int) -> Iterator[tuple[Ruleset, Position, int, Command, int]]:
    for seed in range(50_000 + 1000 * law, 50_000 + 1000 * law + max(2, GAMES // 4)):
        yield from random_game(terms, seed)


def stepped(rules: Ruleset, position: Position, seat: int, command: Command, at: int = 0) -> Step:
    done = apply(rules, position, seat, command, at)
    assert isinstance(done, Step), (command, done)
    return done


def everything(position: Position) -> list[int]:
    piles = [pile for seat in position.seats for pile in (*seat.columns, seat.stock, seat.waste)]
    return sorted(card for pile in (*piles, *position.foundations) for card in pile)


# --- score, undo, stock


@pytest.mark.parametrize("terms", VEGAS, ids=name)
def test_moving_a_foundation_card_about_on_the_foundations_pays_nothing(terms: Terms) -> None:
    for rules, position, seat, _, at in met(terms, 1):
        for pile in position.foundations:
            for card in pile[-1:]:
                for _ in range(10):
                    said = apply(rules, position, seat, Move(card, "f"), at)
                    assert not isinstance(said, Step)
                    assert said.code in {"from_foundation", "paused"}


@pytest.mark.parametrize("terms", VEGAS, ids=name)
def test_undo_of_a_foundation_play_gives_the_stored_score(terms: Terms) -> None:
    undone = 0
    for rules, position, seat, _, at in met(terms, 2):
        for card, targets in legal(rules, position, seat, at).moves.items():
            if "f" in targets:
                up = stepped(rules, position, seat, Move(card, "f"), at).position
                if up.outcome is None:
                    undone += 1
                    assert tally_of(up).score == tally_of(position).score + 5
                    back = stepped(rules, up, seat, Undo(), at).position
                    assert tally_of(back).score == tally_of(position).score
    assert undone > 10


@solo
def test_an_undone_draw_hides_the_card_again(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 3):
        if isinstance(command, Draw) and not rules.open_deal:
            top = position.seats[0].stock[0]
            back = stepped(rules, stepped(rules, position, seat, command, at).position, seat, Undo(), at).position
            said = refuse(rules, back, seat, Move(top, "t0"), at)
            assert said is not None
            assert said.code == "no_such_card"
            assert top not in everything(view(rules, back, seat))


@solo
def test_a_move_that_turns_a_card_is_one_undo(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 4):
        done = stepped(rules, position, seat, command, at)
        if any(isinstance(event, Turned) for event in done.events) and done.position.outcome is None:
            back = stepped(rules, done.position, seat, Undo(), at).position
            assert back.seats == position.seats
            assert tally_of(back).score == tally_of(position).score


@every
def test_a_recycle_keeps_the_order_and_redo_of_it_too(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 5):
        if isinstance(command, Recycle):
            done = stepped(rules, position, seat, command, at).position
            assert done.seats[seat].stock == position.seats[seat].waste
            if rules.tempo == "solo":
                again = stepped(rules, stepped(rules, done, seat, Undo(), at).position, seat, Redo(), at).position
                assert again.seats == done.seats


@solo
def test_without_a_pass_left_the_stock_says_so_and_costs_nothing(terms: Terms) -> None:
    for rules, position, seat, _, at in met(terms, 6):
        mine = position.seats[0]
        if rules.passes is not None and not mine.stock and mine.waste and mine.pass_number >= rules.passes:
            said = apply(rules, position, seat, Recycle(), at)
            assert not isinstance(said, Step)
            assert said.code in {"no_more_passes", "paused"}
            assert "recycle" not in legal(rules, position, seat, at).commands


@pytest.mark.parametrize(
    ("terms", "passes"),
    [
        (TwoDeckTerms(scoring="vegas"), 1),
        (TwoDeckTerms(scoring="vegas", draw=3), 1),
        (KlondikeTerms(scoring="vegas"), 1),
        (KlondikeTerms(scoring="vegas", draw=3), 3),
        (KlondikeTerms(passes="strict"), 1),
        (KlondikeTerms(passes="strict", draw=3), 3),
        (KlondikeTerms(passes=9), 9),
        (KlondikeTerms(), None),
        (KlondikeTerms(draw=3), None),
        (TwoDeckTerms(), None),
        (TwoDeckTerms(draw=3), None),
    ],
)
def test_the_limit_of_passes_is_known_before_the_start(terms: Terms, passes: int | None) -> None:
    assert ruleset(terms).passes == passes


# --- moves


@every
def test_a_move_sent_again_moves_nothing_more(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 7):
        if isinstance(command, Move):
            after = stepped(rules, position, seat, command, at).position
            for _ in range(2):
                again = apply(rules, after, seat, command, at)
                assert not isinstance(again, Step) or again.refusal is not None


@every
def test_a_played_card_leaves_the_stock_alone_and_a_draw_the_columns(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 8):
        after = stepped(rules, position, seat, command, at).position.seats[seat]
        before = position.seats[seat]
        if isinstance(command, Move):
            assert after.stock == before.stock
            assert after.waste in {before.waste, before.waste[:-1]}
        if isinstance(command, Draw | Recycle):
            assert after.columns == before.columns


@every
def test_no_card_moves_by_itself(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 9):
        done = stepped(rules, position, seat, command, at)
        moved = [event for event in done.events if isinstance(event, Moved)]
        if isinstance(command, Move):
            assert [event.cards[0] for event in moved] == [command.card]
        elif not isinstance(command, Finish):
            assert moved == []


@every
def test_a_drag_takes_the_card_and_all_on_it(terms: Terms) -> None:
    for rules, position, seat, command, at in met(terms, 10):
        if isinstance(command, Move) and command.to != "f":
            columns = position.seats[seat].columns
            on = next((column[column.index(command.card) :] for column in columns if command.card in column), None)
            moved = next(
                event for event in stepped(rules, position, seat, command, at).events if isinstance(event, Moved)
            )
            assert moved.cards == (on or (command.card,))


@every
def test_only_aces_open_a_foundation_and_every_card_finds_its_own_row(terms: Terms) -> None:
    for rules, position, seat, _, at in met(terms, 11):
        each = rules.foundations // 4
        for card, targets in legal(rules, position, seat, at).moves.items():
            if "f" in targets:
                pile = foundation_for(position, card)
                assert pile is not None
                assert pile // each == SUIT[card]
                assert len(position.foundations[pile]) == RANK[card] - 1
                row = range(pile // each * each, pile)
                assert all(len(position.foundations[i]) != RANK[card] - 1 for i in row)  # the first that takes it


@pytest.mark.parametrize("terms", DUEL, ids=name)
def test_in_a_duel_a_foundation_card_stays(terms: Terms) -> None:
    for rules, position, seat, _, at in met(terms, 12):
        for pile in position.foundations:
            for card in pile:
                for to in TARGETS:
                    done = apply(rules, position, seat, Move(card, to), at)
                    assert not isinstance(done, Step) or done.refusal is not None


@every
def test_the_waste_top_and_the_stock_touched_at_once_lose_no_card(terms: Terms) -> None:
    for rules, position, seat, _, at in met(terms, 13):
        can = legal(rules, position, seat, at)
        waste = position.seats[seat].waste
        if not waste or waste[-1] not in can.moves or "draw" not in can.commands:
            continue
        play = Move(waste[-1], can.moves[waste[-1]][0])
        orders: list[list[Command]] = [[play, Draw()], [Draw(), play]]
        for commands in orders:
            here = position
            for command in commands:
                done = apply(rules, here, seat, command, at)
                here = done.position if isinstance(done, Step) else here
            assert everything(here) == everything(position)


# --- winning and being stuck


@solo
def test_a_win_comes_with_the_last_card_and_once(terms: Terms) -> None:
    rules = ruleset(terms)
    for seed in range(3):
        random = Random(seed)
        deck, plays = easy(rules, 0, random)
        position = start(rules, (deck,))
        for number, command in enumerate(plays, 1):
            done = stepped(rules, position, 0, command)
            assert (done.position.outcome is not None) is (number == len(plays))
            assert sum(isinstance(event, Ended) for event in done.events) == int(number == len(plays))
            position = done.position
            if random.random() < 0.2 and position.outcome is None:
                for there_and_back in (Undo(), Redo()):
                    position = stepped(rules, position, 0, there_and_back).position
                    assert position.outcome is None


FULL = ["".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"]
LAST = f"f:{FULL[0]}/{FULL[1]}/{FULL[2]}/{FULL[3][:-2]} tally:"


@pytest.mark.parametrize(
    ("where", "commands"),
    [
        ("t:KC/-/-/-/-/-/-", ["KC>f"]),
        ("t:-/-/-/-/-/-/- w:KC", ["KC>f"]),
        ("t:-/-/-/-/-/-/- w:KC pass:3", ["KC>f"]),
        ("t:-/-/-/-/-/-/- s:KC pass:3", ["draw", "KC>f"]),
        ("t:-/-/-/-/-/-/- s:KC", ["draw", "undo", "redo", "KC>f"]),
        ("t:-/-/-/-/-/-/- w:KC", ["KC>t3", "finish"]),
        ("t:KC/-/-/-/-/-/-", ["finish"]),
        ("t:KC/-/-/-/-/-/-", ["KH>t4", "KH>f", "KC>f"]),
    ],
)
@pytest.mark.parametrize("passes", ["unlimited", "strict"])
def test_the_last_card_wins_by_whatever_path(where: str, commands: list[str], passes: str) -> None:
    rules = ruleset(KlondikeTerms(draw=3, passes="strict" if passes == "strict" else "unlimited"))
    position, ends = parse_position(f"{where} {LAST}"), 0
    for text in commands:
        done = stepped(rules, position, 0, parse_command(text))
        ends += sum(isinstance(event, Ended) for event in done.events)
        position = done.position
    assert position.outcome is not None
    assert (position.outcome.reason, ends) == ("won", 1)


@pytest.mark.parametrize("terms", DUEL[:4], ids=name)
def test_no_seat_is_called_stuck_that_plays_a_foundation_card_by_its_own_moves_alone(terms: Terms) -> None:
    """Whoever later plays up, with no foundation play between, was not stuck before."""
    for seed in range(70_000, 70_000 + GAMES):
        since: list[list[Position]] = [[], []]
        for rules, position, seat, command, _ in random_game(terms, seed):
            if isinstance(command, Move) and command.to == "f":
                assert all(search(rules, earlier, seat, 2_000) is not True for earlier in since[seat])
                since = [[], []]
            else:
                since[0].append(position)
                since[1].append(position)
                since = [kept[-6:] for kept in since]


def test_more_passes_never_make_a_seat_stuck() -> None:
    for draw in (1, 3):
        for seed in range(GAMES):
            for number, (_, position, _, _, _) in enumerate(random_game(KlondikeTerms(), seed, 40)):
                if number % 13 == 12:
                    counts = (1, 2, 3, 9)
                    verdicts = [
                        search(ruleset(KlondikeTerms(draw=draw, passes=passes)), position, 0) for passes in counts
                    ]
                    assert None not in verdicts
                    assert verdicts == sorted(verdicts, key=lambda stuck: not stuck)


def test_the_first_cards_drawn_are_the_first_left_over_by_the_deal() -> None:
    rules = ruleset(DuelTerms(draw=(3, 3)))
    decks = tuple(range(52)), tuple(range(52, 104))
    position = stepped(rules, start(rules, decks), 1, Draw()).position
    assert position.seats[1].waste == (52 + 28, 52 + 29, 52 + 30)
