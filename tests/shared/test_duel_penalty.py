"""The illegal-move penalty (docs/rules.md, Duel)."""

import pytest

from shared.engine import Step, apply, legal
from shared.moves import Command, Event, Move, Refusal
from shared.notation import parse_command
from shared.position import Position
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from shared.view import redact
from tests.shared.boards import FAST, REST, table

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
