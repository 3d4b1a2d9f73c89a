"""Computer players: fair (only what they see), legal, tireless in nothing, and no stronger than their level."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bench.arena import Duel, play, versus
from shared.bots import LEVELS, NAMES, Bot, Memory, chance, choose, notice
from shared.cards import HIDDEN
from shared.engine import Step, apply, start
from shared.moves import Declare, Draw, Move, Recycle
from shared.position import Position, Seat
from shared.ruleset import Ruleset, ruleset
from shared.terms import DuelTerms
from shared.view import view

RULES = ruleset(DuelTerms())
TEMPOS = ["simultaneous", "alternating"]
ENDS = {"out", "complete", "both_stuck", "both_declared", "both_passed", "no_progress", "time"}


def dealt(rules: Ruleset, seed: int) -> Position:
    random = Random(seed)
    decks = (tuple(random.sample(range(52), 52)), tuple(random.sample(range(52, 104), 52)))
    return start(rules, decks, first=seed % 2)


def made(columns: list[list[int]], down: list[int], stock: list[int], waste: list[int], ups: int = 0) -> Position:
    """A position where seat 0 has these cards and the rival none that matter."""
    full = [*columns, *[[] for _ in range(7 - len(columns))]]
    mine = Seat(tuple(map(tuple, full)), (*down, *[0] * (7 - len(down))), tuple(stock), tuple(waste))
    other = Seat(((103,), (90,), (), (), (), (), ()), (0,) * 7, ())
    return Position((mine, other), (tuple(range(ups)), *((),) * 7))


def completed(position: Position, random: Random) -> Position:
    """The same view with other cards where they are hidden: all hidden ones of a seat dealt anew."""
    seats = []
    for seat in position.seats:
        hidden = [card for column, down in zip(seat.columns, seat.down, strict=True) for card in column[:down]]
        cards = [*hidden, *seat.stock]
        random.shuffle(cards)
        it = iter(cards)
        columns = tuple(
            (*(next(it) for _ in range(down)), *column[down:])
            for column, down in zip(seat.columns, seat.down, strict=True)
        )
        seats.append(replace(seat, columns=columns, stock=tuple(it)))
    return replace(position, seats=tuple(seats))


@pytest.mark.parametrize("tempo", TEMPOS)
@given(st.integers(0, 10_000), st.sampled_from(NAMES), st.sampled_from([1, 3]))
@settings(max_examples=12, deadline=None)
def test_a_choice_cannot_depend_on_hidden_cards(tempo: str, seed: int, level: str, draw: int) -> None:
    """The position, its view, and the view filled up with any other cards give the same choice, all game long."""
    rules = ruleset(DuelTerms(tempo=tempo, draw=(draw, draw)))  # type: ignore[arg-type]
    position = dealt(rules, seed)
    random = Random(seed)
    memories = [Memory(), Memory()]
    for number in range(150):
        seat = position.turn.seat if position.turn else number % 2
        seen = view(rules, position, seat)
        memories[seat] = notice(memories[seat], seen, seat)
        choice = choose(level, rules, seen, seat, memories[seat], number, number)  # type: ignore[arg-type]
        for other in (position, completed(position, random)):
            assert notice(memories[seat], other, seat) == memories[seat]
            assert choose(level, rules, other, seat, memories[seat], number, number) == choice  # type: ignore[arg-type]
        if choice is None:
            continue
        done = apply(rules, position, seat, choice.command, number)
        assert isinstance(done, Step), (choice, done)
        position = done.position
        if position.outcome is not None:
            return


def test_the_completions_of_that_test_do_differ() -> None:
    position = dealt(RULES, 1)
    other = completed(position, Random(1))
    assert other != position
    assert view(RULES, other, 0) == view(RULES, position, 0)


@pytest.mark.parametrize("tempo", TEMPOS)
@pytest.mark.parametrize("level", NAMES)
def test_bots_play_to_an_end_that_is_known(tempo: str, level: str) -> None:
    """Cards of stock and tableau are never pushed to and fro for ever: no clock is needed to end a duel."""
    terms = DuelTerms(tempo=tempo, game_seconds=None, turn_seconds=None)  # type: ignore[arg-type]
    for seed in range(3):
        duel = play(ruleset(terms), (level, level), seed)  # type: ignore[arg-type]
        assert duel.outcome.reason in ENDS - {"time"}
        assert duel.plays < 1600


@pytest.mark.parametrize(
    "terms",
    [
        DuelTerms(draw=(3, 3)),
        DuelTerms(passes="one"),
        DuelTerms(play_on=True),
        DuelTerms(clear_bonus=True),
        DuelTerms(tempo="alternating", draw=(3, 1), play_on=True),
        DuelTerms(tempo="alternating", passes="one"),
        DuelTerms(mirror=True, penalty=True),
    ],
    ids=str,
)
def test_bots_play_under_every_option(terms: DuelTerms) -> None:
    for seed in range(3):
        duel = play(ruleset(terms), ("expert", "casual"), seed)
        assert duel.outcome.reason in ENDS | {"cleared"}


def test_the_strongest_beats_the_weakest() -> None:
    """A short look; ``bench.arena`` measures."""
    won, duels = versus(RULES, "expert", "beginner", 12, 5)
    assert won >= 9
    assert all(isinstance(duel, Duel) for duel in duels)


def test_levels_are_in_order_of_pace_and_care() -> None:
    levels = [LEVELS[name] for name in NAMES]
    assert len(levels) >= 4
    assert levels == sorted(levels, key=lambda level: (-level.move_ms, level.attention))
    assert LEVELS["expert"].move_ms == 1000, "about one move a second"


def test_a_delay_is_human_and_repeats_for_its_seed() -> None:
    position = dealt(RULES, 3)
    delays = []
    for seed in range(200):
        choice = choose("expert", RULES, view(RULES, position, 0), 0, Memory(), seed, 0)
        again = choose("expert", RULES, view(RULES, position, 0), 0, Memory(), seed, 0)
        assert choice is not None
        assert choice == again
        delays.append(choice.delay_ms)
    assert len(set(delays)) > 100
    assert min(delays) > 400
    assert 900 < sum(delays) / len(delays) < 1300


def test_chance_is_even() -> None:
    draws = [chance(seed, number) for seed in range(100) for number in range(100)]
    assert 0.49 < sum(draws) / len(draws) < 0.51
    assert min(draws) < 0.01
    assert max(draws) > 0.99
    assert all(0 <= draw < 1 for draw in draws)


def command(level: str, position: Position, memory: Memory | None = None) -> object:
    """What seat 0 does. Positions are made; nothing is hidden but what is said so."""
    memory = notice(memory or Memory(), position, 0)
    choice = choose(level, RULES, position, 0, memory, 1, 0)  # type: ignore[arg-type]
    return None if choice is None else choice.command


def test_an_expert_turns_a_card_before_it_draws() -> None:
    """Red 5 on black 6 bares a face-down card."""
    position = made([[HIDDEN, 17], [5]], [1, 0], [HIDDEN] * 3, [])
    assert command("expert", position) == Move(17, "t1")


def test_an_expert_makes_a_quiet_move_to_free_a_foundation_play() -> None:
    """The 4 of hearts lies on the 5 of spades, whose foundation waits for it; the 5 of clubs takes the 4."""
    position = made([[4, 16], [43]], [0, 0], [HIDDEN] * 3, [], ups=4)
    assert command("expert", position) == Move(16, "t1")
    assert command("beginner", position) == Draw(), "a beginner thinks no step ahead"


def test_a_dead_game_is_given_up_and_taken_up_again_when_the_foundations_change() -> None:
    dead = made([[12]], [0], [], [3])
    assert command("skilled", dead) == Recycle(), "once through, to see"
    memory = notice(Memory(), dead, 0)
    assert command("expert", dead) == Declare(), "it knows the one card"
    later = replace(dead, seats=(replace(dead.seats[0], pass_number=2), dead.seats[1]))
    assert command("skilled", later, memory) == Declare()
    declared = replace(later, seats=(replace(later.seats[0], declared=True), later.seats[1]))
    assert command("skilled", declared, memory) is None
    alive = replace(declared, foundations=((0, 1, 2), *declared.foundations[1:]))
    assert command("skilled", alive, memory) == Move(3, "f")


def test_an_upset_choice_is_thought_over() -> None:
    """The rival takes the place of the card in hand: the bot does not play it, and takes a moment for the next."""
    position = made([[0], [13]], [0, 0], [], [])
    bot = Bot("expert", 0, 4)
    due = bot.look(RULES, position, 0, 0)
    assert due is not None
    chosen = bot._choice
    assert chosen is not None
    assert isinstance(chosen.command, Move)
    suit = chosen.command.card // 13
    piles = list(position.foundations)
    piles[2 * suit] = piles[2 * suit + 1] = (52 + 13 * suit,)
    upset = replace(position, foundations=tuple(piles))
    assert bot.act(RULES, upset, due, 0) is None
    later = bot.look(RULES, upset, due, 0)
    assert later is not None
    assert later > due
    taken = bot.act(RULES, upset, later, 0)
    assert isinstance(taken, Move)
    assert taken.card != chosen.command.card
