"""Writes the golden files of the rules anew: ``python -m tests.golden.make``. To be run only when the rules change on
purpose.

The files are read by ``tests/shared/test_golden.py``, which checks the counts by another way of listing moves too.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

from shared.engine import Step, apply, legal, start
from shared.evolve import bare
from shared.moves import Command, Draw, Legal, Move, Recycle
from shared.notation import Game, Play, game_text, parse_command, play_game, position_text
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from tests.shared.games import random_decks
from tests.shared.made import easy, richest

HERE = Path(__file__).parent
DEPTH = 5
PERFT: dict[str, Terms] = {
    "klondike": KlondikeTerms(),
    "two_deck": TwoDeckTerms(draw=3),
    "duel": DuelTerms(),
}


def card_commands(can: Legal) -> list[Command]:
    moves: list[Command] = [Move(card, to) for card, targets in can.moves.items() for to in targets]
    return moves + [Draw()] * ("draw" in can.commands) + [Recycle()] * ("recycle" in can.commands)


Lister = Callable[[Ruleset, Position, int], list[Command]]


def listed(rules: Ruleset, position: Position, seat: int) -> list[Command]:
    return card_commands(legal(rules, position, seat))


def perft(rules: Ruleset, position: Position, depth: int, lister: Lister, seat: int = 0) -> int:
    """Return how many lines of ``depth`` moves, draws and recycles there are, seats in turn."""
    if depth == 0:
        return 1
    count = 0
    for command in lister(rules, position, seat):
        done = apply(rules, position, seat, command, 0)
        if not isinstance(done, Step):
            raise TypeError(f"{command} is listed, yet refused")
        count += perft(rules, bare(done.position), depth - 1, lister, (seat + 1) % rules.seats)
    return count


def middle(rules: Ruleset, seed: int) -> Position:
    """Return the position of a fixed deal after some random plays (none for the first three deals)."""
    random = Random(seed)
    position = start(rules, random_decks(rules, random))
    for number in range(0 if seed < 3 else 7 * seed):
        options = listed(rules, position, number % rules.seats)
        done = apply(rules, position, number % rules.seats, random.choice(options), 0) if options else None
        position = bare(done.position) if isinstance(done, Step) and done.position.outcome is None else position
    return position


def write_perft() -> None:
    rows = [
        {
            "variant": variant,
            "position": position_text(position),
            "counts": [perft(ruleset(terms), position, depth, listed) for depth in range(1, DEPTH + 1)],
        }
        for variant, terms in PERFT.items()
        for position in (middle(ruleset(terms), seed) for seed in range(10))
    ]
    (HERE / "perft.json").write_text(json.dumps(rows, indent=1) + "\n")


def timed(plays: list[Command], last_ms: int) -> tuple[Play, ...]:
    """Return ``plays`` spread evenly from 1 s on, the last ``last_ms`` after the first."""
    return tuple(Play(1000 + last_ms * i // (len(plays) - 1), 0, command) for i, command in enumerate(plays))


def written(name: str, about: str, game: Game) -> None:
    position = play_game(game)
    tally, outcome = position.tally, position.outcome
    expect = {
        "score": tally.score if tally else None,
        "bonus": tally.bonus if tally else None,
        "moves": tally.moves if tally else None,
        "reason": outcome.reason if outcome else None,
        "winner": outcome.winner if outcome else None,
        "counts": list(outcome.counts) if outcome else None,
    }
    text = f"# {about}\n#= {json.dumps(expect)}\n{game_text(game)}"
    (HERE / "games" / f"{name}.txt").write_text(text)


def solo(terms: Terms, plays: list[Command], deck: tuple[int, ...], last_ms: int = 60_000) -> Game:
    return Game(terms, (deck,), timed(plays, last_ms))


def write_games() -> None:
    deck, plays = richest()
    for seconds in (30, 240, 599, 600):
        about = f"The richest Klondike win, 745 points, after {seconds} s"
        written(f"klondike_745_after_{seconds}", about, solo(KlondikeTerms(), plays, deck, seconds * 1000))
    for draw in (1, 3):
        for terms in (KlondikeTerms(draw=draw, scoring="vegas"), TwoDeckTerms(draw=draw, scoring="vegas")):
            rules = ruleset(terms)
            deck, plays = easy(rules, 0, Random(20 + draw))
            about = f"Vegas, {rules.name}, draw {draw}: one pass wins it"
            written(f"{rules.name}_vegas_draw_{draw}", about, solo(terms, plays, deck))
            ups = [i for i, command in enumerate(plays) if isinstance(command, Move)]
            for up in (10, 11) if rules.decks == 1 else (20, 21):
                part = plays[: ups[up - 1] + 1]
                written(f"{rules.name}_vegas_draw_{draw}_{up}_up", f"{about}; {up} cards up", solo(terms, part, deck))
        normal = TwoDeckTerms(draw=draw)
        deck, plays = easy(ruleset(normal), 0, Random(30 + draw))
        about = f"Two-deck Normal, draw {draw}: 104 cards up and 36 turned are 1 220 points"
        written(f"two_deck_1220_draw_{draw}", about, solo(normal, plays, deck))
    write_floor()
    write_duels()


def write_floor() -> None:
    """Write the floor at 0: 30 points, a recycle, undo, redo, and what it costs again from higher up."""
    for terms in (KlondikeTerms(), TwoDeckTerms()):
        rules = ruleset(terms)
        deck, plays = easy(rules, 0, Random(44))
        some = plays[: next(i for i in range(len(plays)) if sum(isinstance(p, Move) for p in plays[:i]) == 3)]
        position = start(rules, (deck,))
        for command in some:
            done = apply(rules, position, 0, command, 0)
            position = done.position if isinstance(done, Step) else position
        draws: list[Command] = [Draw()] * len(position.seats[0].stock)
        line = [*some, *draws, Recycle(), *map(parse_command, ("undo", "redo", "undo"))]
        about = f"{rules.name}: a recycle takes what is there, undo gives exactly that back"
        written(f"{rules.name}_floor_and_undo", about, solo(terms, line, deck))


def write_duels() -> None:
    for terms in (DuelTerms(), DuelTerms(tempo="alternating"), DuelTerms(play_on=True)):
        rules = ruleset(terms)
        made = [easy(rules, seat, Random(50 + seat)) for seat in (0, 1)]
        lines = [list(plays) for _, plays in made]
        position = start(rules, (made[0][0], made[1][0]), first=0)
        plays: list[Play] = []
        for number in range(400):
            seat = position.turn.seat if position.turn else number % 2
            if position.outcome is not None or not lines[seat]:
                break
            plays.append(Play(number * 500, seat, lines[seat].pop(0)))
            done = apply(rules, position, seat, plays[-1].command, plays[-1].at)
            position = done.position if isinstance(done, Step) else position
        name = f"duel_{terms.tempo}" + "_play_on" * terms.play_on
        first = 0 if terms.tempo == "alternating" else None
        about = f"A duel, {terms.tempo}: both seats play straight up"
        written(name, about, Game(terms, (made[0][0], made[1][0]), tuple(plays), first))


if __name__ == "__main__":
    write_perft()
    write_games()
