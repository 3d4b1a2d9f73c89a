"""Text of positions, commands and games: there and back, and clear errors for what is none."""

import pytest

from shared.moves import Command, Move
from shared.notation import (
    Game,
    Play,
    command_text,
    game_text,
    parse_command,
    parse_game,
    parse_position,
    play_game,
    position_text,
)
from shared.terms import DuelTerms, KlondikeTerms
from shared.view import view
from tests.shared.games import ALL, OTHERS, dealt, name, random_game


@pytest.mark.parametrize("command", [*OTHERS.values(), Move(0, "f"), Move(103, "t8"), parse_command("hide")])
def test_commands_there_and_back(command: Command) -> None:
    assert parse_command(command_text(command)) == command


@pytest.mark.parametrize("text", ["", "AS", "AS>", "AS>t9", "AS>f0", "1S>f", "As>f", "drew", "AS > f", "--x"])
def test_no_command(text: str) -> None:
    with pytest.raises(ValueError, match=r"command|card"):
        parse_command(text)


@pytest.mark.parametrize("terms", ALL, ids=name)
def test_views_and_games_there_and_back(terms: KlondikeTerms | DuelTerms) -> None:
    rules, first = dealt(terms, 5)
    hidden = view(rules, first, None)
    assert parse_position(position_text(hidden)) == hidden
    plays, last = [], first
    for _, position, seat, command, at in random_game(terms, 5, 60):
        plays.append(Play(at, seat, command))
        last = position
    decks = tuple(_deck(seat.columns, seat.stock) for seat in first.seats)
    game = Game(terms, decks, tuple(plays[:-1]), 1 if first.turn else None)
    assert parse_game(game_text(game)) == game
    assert play_game(game) == last


def _deck(columns: tuple[tuple[int, ...], ...], stock: tuple[int, ...]) -> tuple[int, ...]:
    return (*(columns[i][row] for row in range(len(columns)) for i in range(row, len(columns))), *stock)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("t:AS", "f:"),
        ("f:-/-/-/-", "seat 0"),
        ("t:AS f:-/-/-", "f:"),
        ("t:XX f:-/-/-/-", "XX"),
        ("t:A f:-/-/-/-", "card"),
        ("t:(AS) f:-/-/-/-", "face-up"),
        ("t:AS f:-/-/-/- pass:x", "pass"),
        ("t:AS f:-/-/-/- pass:-1", "pass"),
        ("t:AS f:-/-/-/- what:1", "what"),
        ("t:AS f:-/-/-/- word", "word"),
        ("t:AS f:-/-/-/- tally:score=x", "tally"),
        ("t:AS f:-/-/-/- outcome:reason=luck", "outcome"),
        ("seat:1 t:AS f:-/-/-/-", "seat"),
        ("seat:0 s:AS f:-/-/-/-", "columns"),
    ],
)
def test_no_position(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_position(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "terms"),
        ("game {}", "line 1"),
        ('game {"type":"klondike","draw":2}', "draw"),
        ('game {"type":"klondike"}\nx 0 draw', "line 2"),
        ('game {"type":"klondike"}\n5 0 drow', "line 2"),
        ('game {"type":"klondike"}\ndeck AS XX', "line 2"),
    ],
)
def test_no_game(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_game(text)


def test_a_written_refusal_must_come() -> None:
    rules, _ = dealt(KlondikeTerms(), 1)
    deck = tuple(range(52))
    play_game(Game(rules.terms, (deck,), (Play(0, 0, parse_command("recycle"), "stock_not_empty"),)))
    with pytest.raises(ValueError, match="play 1"):
        play_game(Game(rules.terms, (deck,), (Play(0, 0, parse_command("recycle")),)))
    with pytest.raises(ValueError, match="play 1"):
        play_game(Game(rules.terms, (deck,), (Play(0, 0, parse_command("draw"), "stock_empty"),)))
