"""One row a reason: which command is refused with which code, and which is not (docs/rules.md)."""

import pytest

from shared.cards import card_name
from shared.engine import Step, apply, legal, refuse
from shared.notation import parse_command, parse_position
from shared.ruleset import ruleset
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from shared.view import view

SOLO = "f:AS2S/AH/-/- tally: t:KH/QS/(9D)JD/(2H)8STC/5S4H/-/3C s:TH w:7S6S"
TWO = "f:AS2S/as/AH/-/-/-/-/- tally: t:KH/QS/3h/3H/(5S)4H/-/3S/3s/2h s:TH w:7S6S"
DUEL = """seat:0 t:KH/QS/(9D)JD/(2H)8STC/5S4H/-/3C s:TH w:7S6S
          seat:1 t:kh/qs/(9d)jd/(2h)ac/5s4h/-/3c s:th w:7s6s f:AS2s/as/AH/-/-/-/-/-"""

SOLO_ROWS = [
    ("QS>t0", None),
    ("JD>t1", None),
    ("KH>t5", None),
    ("QS>t5", "needs_king"),
    ("TC>t2", None),
    ("8S>t2", "broken_run"),
    ("4H>t1", "wrong_rank"),
    ("4H>t2", "wrong_colour"),
    ("3C>t4", None),
    ("JD>t2", "same_pile"),
    ("JD>t7", "no_such_pile"),
    ("JD>t8", "no_such_pile"),
    ("9D>t5", "no_such_card"),  # face down in a column
    ("TH>t5", "no_such_card"),  # in the stock
    ("9C>t5", "no_such_card"),  # nowhere
    ("ks>t5", "no_such_card"),  # of a deck that is not played
    ("7S>t5", "covered"),  # under the waste's top
    ("6S>f", "wrong_rank"),
    ("QS>f", "wrong_rank"),
    ("5S>f", "covered"),
    ("2S>f", "from_foundation"),
    ("AS>f", "from_foundation"),
    ("AS>t5", "covered"),
    ("2S>t5", "needs_king"),
    ("AH>t6", "wrong_rank"),
    ("draw", None),
    ("recycle", "stock_not_empty"),
    ("undo", "nothing_to_undo"),
    ("redo", "nothing_to_redo"),
    ("finish", "not_finishable"),
    ("hint", None),
    ("pause", None),
    ("unpause", "not_paused"),
    ("pass", "not_in_this_game"),
    ("declare", "not_in_this_game"),
    ("resign", "not_in_this_game"),
]

ROWS = [
    *[(KlondikeTerms(), SOLO, 0, command, code) for command, code in SOLO_ROWS],
    (KlondikeTerms(empty_column="any"), SOLO, 0, "QS>t5", None),
    (KlondikeTerms(empty_column="any"), SOLO, 0, "5S>t5", None),
    (KlondikeTerms(empty_column="any"), SOLO, 0, "6S>t5", None),
    (KlondikeTerms(empty_column="any"), SOLO, 0, "2S>t5", None),
    (KlondikeTerms(empty_column="any"), SOLO, 0, "8S>t5", "broken_run"),
    (KlondikeTerms(worry_back=False), SOLO, 0, "2S>t5", "no_worry_back"),
    (KlondikeTerms(worry_back=False), SOLO, 0, "2S>f", "from_foundation"),
    (KlondikeTerms(finish=False), SOLO, 0, "finish", "not_in_this_game"),
    (KlondikeTerms(), SOLO.replace("s:TH", "s:-"), 0, "draw", "stock_empty"),
    (KlondikeTerms(), SOLO.replace("s:TH", "s:-"), 0, "recycle", None),
    (KlondikeTerms(), SOLO.replace("s:TH w:7S6S", "s:- w:-"), 0, "recycle", "waste_empty"),
    (KlondikeTerms(passes=2), SOLO.replace("s:TH", "s:- pass:1"), 0, "recycle", None),
    (KlondikeTerms(passes=2), SOLO.replace("s:TH", "s:- pass:2"), 0, "recycle", "no_more_passes"),
    (KlondikeTerms(passes="strict"), SOLO.replace("s:TH", "s:- pass:1"), 0, "recycle", "no_more_passes"),
    (KlondikeTerms(passes="strict", draw=3), SOLO.replace("s:TH", "s:- pass:2"), 0, "recycle", None),
    (KlondikeTerms(passes="strict", draw=3), SOLO.replace("s:TH", "s:- pass:3"), 0, "recycle", "no_more_passes"),
    (KlondikeTerms(scoring="vegas"), SOLO.replace("s:TH", "s:- pass:1"), 0, "recycle", "no_more_passes"),
    (KlondikeTerms(scoring="vegas", draw=3), SOLO.replace("s:TH", "s:- pass:3"), 0, "recycle", "no_more_passes"),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:hints=3"), 0, "hint", "no_hints_left"),
    (KlondikeTerms(unlimited_hints=True), SOLO.replace("tally:", "tally:hints=99"), 0, "hint", None),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:paused=true"), 0, "JD>t1", "paused"),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:paused=true"), 0, "draw", "paused"),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:paused=true"), 0, "undo", "paused"),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:paused=true"), 0, "pause", "paused"),
    (KlondikeTerms(), SOLO.replace("tally:", "tally:paused=true"), 0, "unpause", None),
    (KlondikeTerms(), SOLO + " outcome:reason=won,winner=0", 0, "JD>t1", "game_over"),
    (KlondikeTerms(), SOLO + " outcome:reason=won,winner=0", 0, "undo", "game_over"),
    (TwoDeckTerms(), TWO, 0, "3S>f", None),
    (TwoDeckTerms(), TWO, 0, "3s>f", None),
    (TwoDeckTerms(), TWO, 0, "2h>f", None),
    (TwoDeckTerms(), TWO, 0, "3h>f", "wrong_rank"),
    (TwoDeckTerms(), TWO, 0, "2S>t2", None),  # taken back from its foundation
    (TwoDeckTerms(), TWO, 0, "as>t8", None),
    (TwoDeckTerms(), TWO, 0, "AS>t8", "covered"),
    (TwoDeckTerms(), TWO, 0, "as>f", "from_foundation"),  # never to the row's other place
    (TwoDeckTerms(), TWO, 0, "hint", "no_hints"),
    (TwoDeckTerms(), TWO, 0, "finish", "not_in_this_game"),
    (TwoDeckTerms(), TWO.replace("tally:", "tally:actions=201"), 0, "undo", "undo_limit"),
    (TwoDeckTerms(scoring="vegas"), TWO.replace("s:TH", "s:-"), 0, "recycle", "no_more_passes"),
    (TwoDeckTerms(scoring="vegas", draw=3), TWO.replace("s:TH", "s:-"), 0, "recycle", "no_more_passes"),
    (DuelTerms(), DUEL, 0, "JD>t1", None),
    (DuelTerms(), DUEL, 0, "jd>t1", "not_yours"),
    (DuelTerms(), DUEL, 1, "jd>t1", None),
    (DuelTerms(), DUEL, 0, "6s>t5", "not_yours"),  # the rival's waste
    (DuelTerms(), DUEL, 0, "7s>t5", "not_yours"),  # and what lies open in it
    (DuelTerms(), DUEL, 0, "2s>t5", "not_yours"),  # on a foundation
    (DuelTerms(), DUEL, 0, "2s>f", "not_yours"),
    (DuelTerms(), DUEL, 0, "9d>t5", "no_such_card"),  # the rival's face-down card
    (DuelTerms(), DUEL, 0, "th>t5", "no_such_card"),  # the rival's stock
    (DuelTerms(), DUEL, 0, "9D>t5", "no_such_card"),
    (DuelTerms(), DUEL, 0, "AH>t5", "no_worry_back"),
    (DuelTerms(), DUEL, 1, "2s>t6", "no_worry_back"),
    (DuelTerms(), DUEL, 0, "AH>f", "from_foundation"),
    (DuelTerms(), DUEL, 1, "ac>f", None),
    (DuelTerms(), DUEL, 0, "QS>t5", "needs_king"),
    (DuelTerms(), DUEL, 0, "undo", "no_undo"),
    (DuelTerms(), DUEL, 0, "redo", "no_undo"),
    (DuelTerms(), DUEL, 0, "hint", "no_hints"),
    (DuelTerms(), DUEL, 0, "finish", "not_in_this_game"),
    (DuelTerms(), DUEL, 0, "pause", "not_in_this_game"),
    (DuelTerms(), DUEL, 0, "unpause", "not_in_this_game"),
    (DuelTerms(), DUEL, 0, "pass", "not_in_this_game"),
    (DuelTerms(), DUEL, 0, "declare", None),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 declared:1"), 0, "declare", "already_declared"),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 wait:5000"), 0, "JD>t1", "waiting"),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 wait:5000"), 0, "draw", "waiting"),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 wait:5000"), 0, "declare", "waiting"),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 wait:5000"), 0, "resign", None),
    (DuelTerms(), DUEL.replace("seat:0", "seat:0 wait:1000"), 0, "JD>t1", None),
    (DuelTerms(), DUEL, 0, "resign", None),
    (DuelTerms(), DUEL + " outcome:reason=out,winner=1", 0, "JD>t1", "game_over"),
    (DuelTerms(), DUEL + " outcome:reason=out,winner=1", 0, "resign", "game_over"),
    (DuelTerms(passes="one"), DUEL.replace("s:TH", "s:-"), 0, "recycle", "no_more_passes"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 0, "JD>t1", "not_your_turn"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 0, "9D>t1", "not_your_turn"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 0, "draw", "not_your_turn"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 0, "pass", "not_your_turn"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 1, "pass", None),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 1, "declare", "not_in_this_game"),
    (DuelTerms(tempo="alternating"), DUEL + " turn:seat=1", 0, "resign", None),
]


@pytest.mark.parametrize(("terms", "text", "seat", "command", "code"), ROWS)
def test_reason(terms: Terms, text: str, seat: int, command: str, code: str | None) -> None:
    rules, position = ruleset(terms), parse_position(text)
    said = refuse(rules, position, seat, parse_command(command), 2000)
    assert (said.code if said else None) == code
    assert refuse(rules, view(rules, position, seat), seat, parse_command(command), 2000) == said
    done = apply(rules, position, seat, parse_command(command), 2000)
    assert isinstance(done, Step) == (code is None)


TAPS: list[tuple[Terms, str, dict[str, str], dict[str, str]]] = [
    # Klondike: foundation first; else the longest column that is not empty; else an empty one
    (KlondikeTerms(), "f:AS/-/-/- t:2S/3H/4S/-/-/-/-", {"2S": "f", "3H": "t2"}, {}),
    (KlondikeTerms(), "f:-/-/-/- t:6S/7H/(2C3C)7D/(2D)8C/-/-/-", {"6S": "t2", "7H": "t3", "7D": "t3"}, {}),
    (KlondikeTerms(), "f:-/-/-/- t:6S/(2C)7H/(3C)7D/9C/-/-/-", {"6S": "t1"}, {}),  # a tie: leftmost
    (KlondikeTerms(), "f:-/-/-/- t:KS/(2C)KH/-/-/9C/8C/7C", {"KH": "t2"}, {}),  # KS has nothing under it
    (KlondikeTerms(), "f:-/-/-/- t:KSQH/(2C)KHQS/-/-/9C/8C/7C w:KD", {"KH": "t2", "KD": "t2"}, {}),
    (
        KlondikeTerms(empty_column="any"),
        "f:-/-/-/- t:9S/5C4D/-/-/-/-/(2C)8C w:JD",
        {"4D": "t2", "8C": "t2", "JD": "t2"},
        {},
    ),
    (KlondikeTerms(), "f:AS/-/-/- t:2H/KS/KH/KD/KC/9S/7S", {}, {}),  # a foundation card is never tapped
    # two decks and the duel: the first tap looks for a foundation only, a second for a column
    (TwoDeckTerms(), "f:AS/-/-/-/-/-/-/- t:2S/3H/4S/-/-/-/-/-/-", {"2S": "f"}, {"3H": "t2"}),
    (
        TwoDeckTerms(),
        "f:-/-/-/-/-/-/-/- t:6S/7H/(2C3C)7D/(2D)8C/-/KS/(9H)KD/-/-",
        {},
        {"6S": "t2", "7H": "t3", "7D": "t3", "KD": "t4"},
    ),
    (TwoDeckTerms(), "f:-/-/-/-/-/-/-/- t:8S7H6S/(2C)9D/4C/4C/4C/4C/4C/4C/4C w:7h", {}, {"8S": "t1"}),
    (DuelTerms(), "seat:0 t:2S/4S/3D/KS/KC/-/- seat:1 t:- f:AS/-/-/-/-/-/-/-", {"2S": "f"}, {"3D": "t1"}),
]  # fmt: skip


@pytest.mark.parametrize(("terms", "text", "tap", "double"), TAPS)
def test_taps(terms: Terms, text: str, tap: dict[str, str], double: dict[str, str]) -> None:
    position = parse_position(text if isinstance(terms, DuelTerms) else text + " tally:")
    can = legal(ruleset(terms), position, 0)
    assert {card_name(card): to for card, to in can.tap.items()} == tap
    assert {card_name(card): to for card, to in can.double.items()} == double
