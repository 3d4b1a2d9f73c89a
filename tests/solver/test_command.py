"""Lines in, lines out: in order, bad ones named and passed over."""

import io
import json
import random
import time
from collections.abc import Iterator
from itertools import count

import pytest

from server.solver.command import Options, run
from server.solver.question import parse_question, position_question, problem_of
from shared.cards import card_name
from shared.engine import Step, apply, start
from shared.notation import parse_command
from shared.ruleset import ruleset
from shared.terms import KlondikeTerms, TwoDeckTerms

SMALL = Options(memory=1 << 24)


def ask(
    lines: list[str], options: Options = SMALL, progress: io.StringIO | None = None
) -> tuple[int, list[dict[str, object]]]:
    out = io.StringIO()
    ticks = count()
    status = run(lines, out, options, lambda: next(ticks) / 1000, progress)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def deck(seed: int, packs: int = 1) -> list[int]:
    cards = list(range(52 * packs))
    random.Random(seed).shuffle(cards)
    return cards


def test_a_deck_is_solved_and_the_engine_replays_the_line() -> None:
    cards = deck(0)
    status, (answer,) = ask([json.dumps({"id": 7, "draw": 3, "deck": [card_name(card) for card in cards]})])
    assert status == 0
    assert (answer["id"], answer["result"]) == (7, "win")
    rules = ruleset(KlondikeTerms(draw=3))
    position = start(rules, (tuple(cards),))
    moves = answer["moves"]
    assert isinstance(moves, list)
    for text in moves:
        step = apply(rules, position, 0, parse_command(text), 0)
        assert isinstance(step, Step)
        position = step.position
    assert position.outcome is not None


def test_two_decks_name_each_card_twice() -> None:
    names = [card_name(card).upper() for card in deck(3, 2)]
    status, (answer,) = ask([json.dumps({"variant": "two_deck", "deck": names})])
    assert (status, answer["result"]) == (0, "win")


def test_answers_come_in_order_whatever_the_workers() -> None:
    lines = [json.dumps({"id": number, "code": f"KL1-D1S-AAAAA{chr(65 + number)}A"}) for number in range(12)]
    _, alone = ask(lines)
    _, together = ask(lines, Options(memory=1 << 24, workers=3))
    assert [answer["id"] for answer in together] == list(range(12))
    assert [(a["result"], a["states"], a["moves"]) for a in alone] == [
        (a["result"], a["states"], a["moves"]) for a in together
    ]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("nonsense", "JSON"),
        ("[]", "object"),
        ('{"id":1}', "deck, code, position"),
        ('{"id":1,"code":"KL1-D1S-AAAAAAA","deck":["AS"]}', "deck and code"),
        ('{"id":1,"kind":"klondike","code":"KL1-D1S-AAAAAAA"}', "kind"),
        ('{"id":1,"code":"KL9-D1S-AAAAAAA"}', "version"),
        ('{"id":1,"code":"KL1-D1S-AAAAAAA","draw":3}', "draw"),
        ('{"id":1,"code":"KL1-D1S-AAAAAAA","draw":2}', "draw"),
        ('{"id":1,"code":"KL1-D1S-AAAAAAA","passes":0}', "passes"),
        ('{"id":1,"code":"DS1-D1N-AAAAAAA","empty_column":"any"}', "empty_column"),
        ('{"id":1,"code":"DS1-D1N-AAAAAAA","variant":"klondike"}', "variant"),
        ('{"id":1,"deck":["AS","TD"]}', "deck"),
        (json.dumps({"id": 1, "deck": ["AS"] * 52}), "cards"),
        (json.dumps({"id": 1, "deck": ["XX"] * 52}), "card"),
        ('{"id":1,"position":"t:KS/-/-/-/-/-/- f:-/-/-/-"}', "cards"),
        ('{"id":1,"position":"t:KS f:-/-/-/-"}', "columns"),
        ('{"id":1,"position":"t:(KS)/-/-/-/-/-/- f:-/-/-/-"}', "position"),
        ('{"id":1,"position":"garbage"}', "position"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(line: str, word: str) -> None:
    status, answers = ask([line, "", '{"id":"good","code":"KL1-D1S-AAAAAAB"}'])
    assert status == 1
    assert word in str(answers[0]["error"])
    assert answers[0]["line"] == 1
    assert answers[0]["id"] == (1 if line.startswith("{") else None)
    assert answers[1]["id"] == "good"
    assert "error" not in answers[1]


def test_an_answer_comes_before_the_next_line_is_asked() -> None:
    """A program at the other end of a pipe may wait for it."""
    out = io.StringIO()

    def lines() -> Iterator[str]:
        for number in range(3):
            yield json.dumps({"id": number, "code": "KL1-D1S-AAAAAAB"})
            deadline = time.monotonic() + 30
            while out.getvalue().count("\n") <= number and time.monotonic() < deadline:
                time.sleep(0.001)
            assert out.getvalue().count("\n") == number + 1

    assert run(lines(), out, SMALL, lambda: 0.0) == 0


def test_a_closed_pipe_ends_the_command() -> None:
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run(['{"code":"KL1-D1S-AAAAAAB"}'] * 20, Closed(), SMALL, lambda: 0.0)


def test_limits_end_in_unknown_and_say_which() -> None:
    hard = json.dumps({"id": 0, "draw": 3, "deck": [card_name(card) for card in deck(159)]})
    _, (by_states,) = ask([hard], Options(memory=1 << 24, states=1))
    assert (by_states["result"], by_states["limit"], by_states["moves"]) == ("unknown", "states", None)
    _, (by_seconds,) = ask([hard], Options(memory=1 << 24, seconds=0.001))
    assert (by_seconds["result"], by_seconds["limit"]) == ("unknown", "seconds")


def test_a_bar_is_drawn_on_a_terminal_only() -> None:
    terminal = io.StringIO()
    ask(['{"code":"KL1-D1S-AAAAAAB"}', "bad"], progress=terminal)
    assert "2/2" in terminal.getvalue()
    assert "1 error" in terminal.getvalue()
    assert terminal.getvalue().endswith("\n")


@pytest.mark.parametrize(
    "terms",
    [
        KlondikeTerms(draw=3, passes="strict", worry_back=False),
        KlondikeTerms(empty_column="any"),
        TwoDeckTerms(scoring="vegas"),
    ],
)
def test_a_position_is_asked_again_by_the_line_that_is_written_for_it(terms: KlondikeTerms | TwoDeckTerms) -> None:
    rules = ruleset(terms)
    position = start(rules, (tuple(deck(5, rules.decks)),))
    problem = problem_of(parse_question(position_question(rules, position)))
    assert problem.draw == rules.draw[0]
    assert (problem.passes, problem.worry_back, problem.any_card) == (
        rules.passes,
        rules.worry_back,
        rules.any_to_empty,
    )
    assert (problem.columns, problem.down, problem.stock) == (
        position.seats[0].columns,
        position.seats[0].down,
        position.seats[0].stock,
    )


def test_vegas_codes_are_strict() -> None:
    assert problem_of(parse_question('{"code":"KL1-D3V-AAAAAAB"}')).passes == 3
    assert problem_of(parse_question('{"code":"KL1-D1V-AAAAAAB"}')).passes == 1
    assert problem_of(parse_question('{"code":"DS1-D3V-AAAAAAB"}')).passes == 1
    assert problem_of(parse_question('{"code":"KL1-D1V-AAAAAAB","passes":null}')).passes is None
