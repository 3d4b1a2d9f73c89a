"""The score line by line adds up to the score, whatever was undone."""

import pytest
from msgspec.structs import replace

from shared.engine import Step, apply, give_up, start
from shared.moves import Command, Draw, Event, Recycle, Redo, Restored, Undo
from shared.notation import parse_command, parse_position
from shared.position import Position, Tally
from shared.ruleset import Ruleset, ruleset
from shared.scoring import shown_score
from shared.sheet import SheetLine, sheet
from shared.solo import tally_of
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.shared.games import KLONDIKE, TWO_DECK, name, random_game

SOLO = [terms for terms in (*KLONDIKE, *TWO_DECK) if ruleset(terms).scoring is not None]
TABLE = "t:KH/QS/(9D)JD/(2H)8STC/5S4H/(2D)AC/3C s:- w:7S6S2C"
F4 = "f:AS2S/AH2H3H/-/-"


@pytest.mark.parametrize("terms", SOLO, ids=name)
@pytest.mark.parametrize("seed", range(9))
def test_the_lines_add_up_to_the_score_at_every_moment(terms: Terms, seed: int) -> None:
    events: list[Event] = []
    for rules, position, seat, command, at in random_game(terms, seed, steps=150):
        if not events:
            events.append(Restored(position))
        done = apply(rules, position, seat, command, at)
        assert isinstance(done, Step)
        events += done.events
        stopped = give_up(rules, done.position, at)
        tally = tally_of(stopped.position)
        lines = sheet(rules, [*events, *stopped.events])
        assert rules.scoring is not None
        assert sum(line.points for line in lines) == shown_score(rules.scoring, tally, at)
        assert all(line.times > 0 for line in lines)


def after(terms: Terms, plays: list[Command | str]) -> dict[str, tuple[int, int]]:
    rules = ruleset(terms)
    position = replace(parse_position(f"{TABLE} {F4}"), tally=Tally())
    events: list[Event] = [Restored(position)]
    for play in plays:
        command = parse_command(play) if isinstance(play, str) else play
        done = apply(rules, position, 0, command, 0)
        assert isinstance(done, Step), (command, done)
        position = done.position
        events += done.events
    return {line.what: (line.times, line.points) for line in sheet(rules, events)}


@pytest.mark.parametrize(
    ("plays", "lines"),
    [
        (["AC>f"], {"to_foundation": (1, 10), "turned": (1, 5)}),
        (["AC>f", "2C>f"], {"to_foundation": (2, 20), "turned": (1, 5)}),
        (["AC>f", Undo()], {}),
        (["AC>f", Undo(), Redo()], {"to_foundation": (1, 10), "turned": (1, 5)}),
        (["AC>f", "3H>f"], None),
        (["4H>f", Recycle()], {"to_foundation": (1, 10), "recycle": (1, -100), "floor": (1, 90)}),
        (["4H>f", Recycle(), Undo()], {"to_foundation": (1, 10)}),
    ],
)
def test_what_is_told(plays: list[Command | str], lines: dict[str, tuple[int, int]] | None) -> None:
    if lines is None:
        with pytest.raises(AssertionError):
            after(KlondikeTerms(), plays)
    else:
        assert after(KlondikeTerms(), plays) == lines


def test_vegas_begins_with_what_the_deal_costs() -> None:
    for terms, cost in ((KlondikeTerms(scoring="vegas"), -52), (TwoDeckTerms(scoring="vegas"), -104)):
        rules = ruleset(terms)
        deck = tuple(range(52 * rules.decks))
        position = start(rules, (deck,))
        lines = sheet(rules, [Restored(position)])
        assert lines == (SheetLine("start", 1, cost),)


def test_a_restart_begins_anew() -> None:
    rules: Ruleset = ruleset(KlondikeTerms())
    position: Position = start(rules, (tuple(range(52)),))
    drawn = apply(rules, position, 0, Draw(), 0)
    assert isinstance(drawn, Step)
    assert sheet(rules, [Restored(position), *drawn.events, Restored(position)]) == ()


def test_without_a_score_there_are_no_lines() -> None:
    assert sheet(ruleset(KlondikeTerms(scoring="none")), []) == ()
    with pytest.raises(ValueError, match="the deal first"):
        sheet(ruleset(KlondikeTerms()), [])
