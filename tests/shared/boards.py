"""Boards of a duel written by hand, and plays on them."""

from shared.engine import Step, apply
from shared.notation import parse_command, parse_position
from shared.position import Position
from shared.ruleset import Ruleset
from shared.terms import DuelTerms

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
