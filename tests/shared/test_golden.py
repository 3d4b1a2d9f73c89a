"""Golden files: legal-move counts per depth and whole games as text. ``python -m tests.golden.make`` writes them
anew.
"""

import json
from pathlib import Path

import pytest

from shared.engine import Step, apply, refuse, start
from shared.moves import Command, Draw, Move, Recycle
from shared.notation import game_text, parse_game, parse_position, play_game
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.solo import tally_of
from tests.golden.make import PERFT, listed, perft
from tests.shared.games import brute_moves

GOLDEN = Path(__file__).parent.parent / "golden"
ROWS = json.loads((GOLDEN / "perft.json").read_text())
GAMES = sorted((GOLDEN / "games").glob("*.txt"))


def tried(rules: Ruleset, position: Position, seat: int) -> list[Command]:
    """Return the legal commands found by asking about each card and each target."""
    brute = brute_moves(rules, position, seat, 0)
    moves: list[Command] = [Move(card, to) for card, targets in brute.items() for to in targets]
    stock: list[Command] = [Draw(), Recycle()]
    return moves + [command for command in stock if refuse(rules, position, seat, command, 0) is None]


def test_there_are_ten_positions_a_variant() -> None:
    assert [sum(row["variant"] == variant for row in ROWS) for variant in PERFT] == [10, 10, 10]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["variant"])
def test_legal_move_counts_per_depth(row: dict[str, object]) -> None:
    counts, text = row["counts"], row["position"]
    assert isinstance(counts, list)
    assert isinstance(text, str)
    rules = ruleset(PERFT[str(row["variant"])])
    position = parse_position(text)
    assert [perft(rules, position, depth, listed) for depth in range(1, len(counts) + 1)] == counts
    assert [perft(rules, position, depth, tried) for depth in (1, 2)] == counts[:2]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_written_game_ends_as_written(path: Path) -> None:
    text = path.read_text()
    about, expect, body = text.split("\n", 2)
    assert about.startswith("# ")
    position = play_game(parse_game(text))
    tally, outcome = position.tally, position.outcome
    assert json.loads(expect.removeprefix("#= ")) == {
        "score": tally.score if tally else None,
        "bonus": tally.bonus if tally else None,
        "moves": tally.moves if tally else None,
        "reason": outcome.reason if outcome else None,
        "winner": outcome.winner if outcome else None,
        "counts": list(outcome.counts) if outcome else None,
    }
    assert game_text(parse_game(text)) == body


#: What the rules say of some of these games, reckoned by hand.
BY_HAND = {
    "klondike_745_after_30": (745, 23_333),
    "klondike_745_after_240": (745, 2_916),
    "klondike_745_after_599": (745, 1_168),
    "klondike_745_after_600": (745, 0),
    "klondike_vegas_draw_1": (208, 0),
    "klondike_vegas_draw_3_10_up": (-2, 0),
    "klondike_vegas_draw_3_11_up": (3, 0),
    "two_deck_vegas_draw_1": (416, 0),
    "two_deck_vegas_draw_3": (416, 0),
    "two_deck_vegas_draw_1_20_up": (-4, 0),
    "two_deck_vegas_draw_1_21_up": (1, 0),
    "two_deck_1220_draw_1": (1_220, 0),
    "two_deck_1220_draw_3": (1_220, 0),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_score_by_hand(name: str) -> None:
    tally = tally_of(play_game(parse_game((GOLDEN / "games" / f"{name}.txt").read_text())))
    assert (tally.score, tally.bonus) == BY_HAND[name]


@pytest.mark.parametrize("variant", ["klondike", "two_deck"])
def test_the_floor_at_zero_step_by_step(variant: str) -> None:
    game = parse_game((GOLDEN / "games" / f"{variant}_floor_and_undo.txt").read_text())
    rules = ruleset(game.terms)
    position, scores = start(rules, game.decks), []
    for play in game.plays:
        done = apply(rules, position, 0, play.command, play.at)
        assert isinstance(done, Step)
        position = done.position
        scores.append(tally_of(position).score)
    before, recycled, undone, redone, again = scores[-5:]
    assert 0 < before < 100
    assert (recycled, undone, redone, again) == (0, before, 0, before)
