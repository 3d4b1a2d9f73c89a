"""Overtaken, re-routed or illegal: plays that meet another position than their player saw (docs/rules.md, Duel,
simultaneous).
"""

from random import Random

import pytest

from shared.engine import Step, apply, refuse
from shared.moves import Draw, Move, Recycle, Refusal
from shared.notation import parse_command, parse_position
from shared.overtaken import Played, overtaken
from shared.position import Position, Seat
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from tests.shared.games import commands

RULES = ruleset(DuelTerms())
REST = "-/-/-/-/-"


def race(up: str, one: str = f"t:2S/3H/{REST} s:KS", two: str = f"t:2s/3h/{REST} s:ks") -> Position:
    return parse_position(f"seat:0 {one} seat:1 {two} f:{up}")


def late(
    then: Position, plays: list[tuple[int, str]], seat: int, text: str, age: int = 300
) -> tuple[str | None, Refusal | None]:
    """Return the code that ``text`` is refused with after ``plays``, and whether it was overtaken; a play each 100
    ms.
    """
    now, since = then, []
    for number, (player, command) in enumerate(plays, 1):
        since.append(Played(100 + number, player, parse_command(command), number * 100))
        done = apply(RULES, now, player, since[-1].command, number * 100)
        now = done.position if isinstance(done, Step) else now
    said = refuse(RULES, now, seat, parse_command(text), age)
    return (said.code if said else None), overtaken(RULES, then, now, since, seat, parse_command(text), age)


def test_the_second_two_on_one_ace_is_overtaken_and_told_by_what() -> None:
    code, told = late(race("AS/-/-/-/-/-/-/-"), [(1, "2s>f")], 0, "2S>f")
    assert (code, told) == ("wrong_rank", Refusal("overtaken", 101, 200, 53))


def test_with_two_aces_the_second_two_is_rerouted() -> None:
    assert late(race("AS/as/-/-/-/-/-/-"), [(1, "2s>f")], 0, "2S>f") == (None, None)


ROWS = [
    # up, plays since, seat, command, overtaken?
    ("AS/-/-/-/-/-/-/-", [], "3H>f", False),  # never legal
    ("AS/-/-/-/-/-/-/-", [(1, "2s>f")], "3H>f", False),
    ("AS/-/-/-/-/-/-/-", [(1, "draw")], "3H>f", False),
    ("AS/-/AH2H/-/-/-/-/-", [(1, "3h>f")], "3H>f", True),
    ("AS/-/AH2H/-/-/-/-/-", [(0, "3H>f"), (1, "2s>f")], "3H>f", False),  # its own play moved it
    ("AS/-/-/-/-/-/-/-", [(1, "2s>f"), (0, "draw")], "2S>f", True),  # with an own play in between
    ("AS/-/-/-/-/-/-/-", [(1, "2s>f"), (0, "2S>t1")], "2S>f", True),
    ("AS/-/AH2H/-/-/-/-/-", [(1, "2s>f"), (0, "2S>f")], "KS>t0", False),  # KS is not in sight yet
    ("AS/-/-/-/-/-/-/-", [(0, "draw"), (1, "2s>f"), (0, "2S>f")], "KS>t0", True),  # built on a play that was overtaken
    ("AS/-/-/-/-/-/-/-", [(0, "draw"), (0, "2S>f")], "KS>f", False),
]


@pytest.mark.parametrize(("up", "plays", "text", "is_overtaken"), ROWS)
def test_overtaken_or_not(up: str, plays: list[tuple[int, str]], text: str, *, is_overtaken: bool) -> None:
    code, told = late(race(up, f"t:2S/3H/{REST.replace('-', '8C')} s:KS"), plays, 0, text, 400)
    assert code is not None
    assert (told is not None) is is_overtaken


def test_what_a_player_saw_may_have_passed_five_seconds_ago_and_no_more() -> None:
    then = race("AS/-/-/-/-/-/-/-")
    assert late(then, [(1, "2s>f")], 0, "2S>f", 5_100)[1] is not None  # the rival played at 100 ms
    assert late(then, [(1, "2s>f")], 0, "2S>f", 5_101)[1] is None


def test_a_long_lull_before_the_race_is_no_lateness() -> None:
    plays = [(0, "draw"), (0, "recycle")] * 40 + [(1, "2s>f")]
    assert late(race("AS/-/-/-/-/-/-/-"), plays, 0, "2S>f", 8_150)[1] == Refusal("overtaken", 181, 50, 53)


def test_a_refused_play_of_the_rival_spoils_nothing() -> None:
    assert late(race("AS/-/-/-/-/-/-/-"), [(1, "3h>f")], 0, "3H>f")[1] is None


def test_in_turns_nothing_is_overtaken() -> None:
    rules = ruleset(DuelTerms(tempo="alternating"))
    then = race("AS/-/-/-/-/-/-/- turn:seat=0")
    since = [Played(1, 1, parse_command("2s>f"), 10)]
    assert overtaken(rules, then, then, since, 0, parse_command("2S>f"), 20) is None


def test_seen_never_makes_a_play_legal_and_a_game_that_is_over_is_over() -> None:
    then = race("AS/-/-/-/-/-/-/-")
    code, told = late(then, [(1, "2s>f"), (1, "resign")], 0, "2S>f")
    assert (code, told) == ("game_over", None)


def test_the_dropped_strike_of_an_overtaken_play() -> None:
    """Under the penalty the step of an overtaken play is dropped by the caller: the position still counts no strike."""
    rules = ruleset(DuelTerms(penalty=True))
    then = race("AS/-/-/-/-/-/-/-")
    done = apply(rules, then, 1, Move(53, "f"), 10)
    assert isinstance(done, Step)
    tried = apply(rules, done.position, 0, Move(1, "f"), 20)
    assert isinstance(tried, Step)
    assert tried.refusal == Refusal("wrong_rank")
    assert overtaken(rules, then, done.position, [Played(1, 1, Move(53, "f"), 10)], 0, Move(1, "f"), 20) is not None
    assert done.position.seats[0].strikes == ()


def close_race(random: Random) -> Position:
    """Return a position in which both seats hold the next cards of the same suits, with some more on and under them."""
    heights = [height for _ in range(4) for height in sorted(random.choices(range(4), k=2), reverse=True)]
    seats = []
    for deck in (0, 52):
        near = [deck + suit * 13 + heights[2 * suit] + step for suit in range(4) for step in range(4)]
        random.shuffle(near)
        columns = tuple(tuple(near[2 * i : 2 * i + 2]) for i in range(7))
        seats.append(Seat(columns, (1,) * 7, tuple(near[14:])))
    up = tuple(tuple(i // 2 * 13 + rank + 52 * (i % 2) for rank in range(height)) for i, height in enumerate(heights))
    return Position(tuple(seats), up)


def test_in_random_races_what_a_seat_could_play_alone_is_accepted_or_overtaken() -> None:
    seen = {"accepted": 0, "overtaken": 0}
    for seed in range(600):
        random = Random(seed)
        then = close_race(random)
        alone = [then, then]
        now = then
        since: list[Played] = []
        for number in range(12):
            seat = random.randrange(2)
            options = [it for it in commands(RULES, alone[seat], seat, 0) if isinstance(it, Move | Draw | Recycle)]
            if not options:
                break
            command = random.choice([it for it in options if isinstance(it, Move) and it.to == "f"] or options)
            mine, done = (apply(RULES, position, seat, command, number) for position in (alone[seat], now))
            assert isinstance(mine, Step)
            if isinstance(done, Refusal):
                told = overtaken(RULES, then, now, since, seat, command, number)
                assert told is not None
                assert told.by in {played.number for played in since if played.seat != seat}
            seen["overtaken" if isinstance(done, Refusal) else "accepted"] += 1
            now = done.position if isinstance(done, Step) else now
            alone[seat] = mine.position
            since.append(Played(number, seat, command, number))
            if now.outcome or mine.position.outcome:
                break
    assert min(seen.values()) >= 40, seen
