"""Positions, commands and whole games as text: for golden files, replays and the solver's input.

A position is words parted by blanks or line ends, each ``key:value``:

* ``seat:0``: the words up to the next ``seat`` are this seat's (may be left out for seat 0)
* ``t:5S/(9D)KH/-``: columns, ``/`` between them, bottom card first, face-down cards in brackets, ``-`` = empty
* ``s:..``, ``w:..``: stock (next to be drawn first) and waste (top last)
* ``pass:2``: the trip through the stock under way; ``declared:1``, ``stuck:1``, ``wait:5000``, ``strikes:100,200``
* ``f:AS2S/-/-/-``: foundations, 4 or 8
* ``last:0``, ``ends:900000``, ``turn:..``, ``tally:..``, ``outcome:..``: see ``Position``; the last three are written
  ``field=value,field=value``

Cards are named as in ``shared.cards``; in a view hidden ones are ``--``. Earlier positions (undo) are not part of the
text. A command is ``AS>f``, ``td>t3`` or its tag (``draw``; ``hide`` = pause by a hidden page).

A game is lines: ``game`` and its terms as JSON; ``deck`` and the cards in deal order (one line a seat); ``first`` and
a seat if the tempo is alternating; then per play ``at seat command``, with ``! code`` behind it if it must be refused.
``#`` begins a comment.
"""

from typing import Any, Final, TypeVar, get_args

import msgspec
from msgspec import Struct

from shared.cards import card_name, parse_card
from shared.engine import Step, apply, start
from shared.moves import (
    Command,
    Declare,
    Draw,
    Finish,
    Move,
    Pass,
    Pause,
    Recycle,
    Redo,
    Resign,
    Target,
    Undo,
    Unpause,
    UseHint,
)
from shared.position import Outcome, Position, Seat, Tally, Turn
from shared.ruleset import ruleset
from shared.terms import Terms

T = TypeVar("T")

_WORDS: Final[dict[str, Command]] = {
    "draw": Draw(),
    "recycle": Recycle(),
    "pass": Pass(),
    "declare": Declare(),
    "resign": Resign(),
    "undo": Undo(),
    "redo": Redo(),
    "finish": Finish(),
    "pause": Pause(),
    "hide": Pause(hidden=True),
    "unpause": Unpause(),
    "hint": UseHint(),
}
_TEXTS: Final = {command: word for word, command in _WORDS.items()}
_SEAT_WORDS: Final = {"t", "s", "w", "pass", "declared", "stuck", "wait", "strikes"}
_TERMS: Final[msgspec.json.Decoder[Terms]] = msgspec.json.Decoder(Terms)


class Play(Struct, frozen=True):
    """One play of a written game: at play time ``at`` (ms) by ``seat``; ``refused``: the code it must be refused
    with.
    """

    at: int
    seat: int
    command: Command
    refused: str | None = None


class Game(Struct, frozen=True):
    """A written game: what was agreed, dealt and played."""

    terms: Terms
    decks: tuple[tuple[int, ...], ...]
    plays: tuple[Play, ...] = ()
    first: int | None = None


def command_text(command: Command) -> str:
    """Return ``command`` as text."""
    return f"{card_name(command.card)}>{command.to}" if isinstance(command, Move) else _TEXTS[command]


def parse_command(text: str) -> Command:
    """Return the command that ``text`` writes.

    Raises:
        ValueError: it writes none.
    """
    if text in _WORDS:
        return _WORDS[text]
    card, arrow, to = text.partition(">")
    if not arrow or to not in get_args(Target):
        raise ValueError(f"command: expected <card>><t0..t8 or f> or one of {', '.join(_WORDS)}, got {text!r}")
    return msgspec.convert({"do": "move", "card": parse_card(card), "to": to}, Move)


def cards_text(cards: tuple[int, ...]) -> str:
    """Return the names of ``cards`` in a row; ``-`` if there are none."""
    return "".join(map(card_name, cards)) or "-"


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards whose names stand in a row in ``text``.

    Raises:
        ValueError: something there is no card's name.
    """
    return () if text == "-" else tuple(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))


def position_text(position: Position) -> str:
    """Return ``position`` as text: one line a seat, one for what they share."""
    lines = [_seat_text(i, seat) for i, seat in enumerate(position.seats)]
    shared = ["f:" + "/".join(map(cards_text, position.foundations))]
    if position.last_up is not None:
        shared.append(f"last:{position.last_up}")
    if position.ends_at is not None:
        shared.append(f"ends:{position.ends_at}")
    for key, value in (("turn", position.turn), ("tally", position.tally), ("outcome", position.outcome)):
        if value is not None:
            shared.append(f"{key}:{_fields_text(value)}")
    return "\n".join([*lines, " ".join(shared)])


def _seat_text(index: int, seat: Seat) -> str:
    columns = "/".join(
        (f"({cards_text(column[:down])})" if down else "") + cards_text(column[down:]) if column else "-"
        for column, down in zip(seat.columns, seat.down, strict=True)
    )
    words = [f"seat:{index}", f"pass:{seat.pass_number}"]
    words += [f"{key}:1" for key, on in (("declared", seat.declared), ("stuck", seat.stuck)) if on]
    if seat.wait_until:
        words.append(f"wait:{seat.wait_until}")
    if seat.strikes:
        words.append("strikes:" + ",".join(map(str, seat.strikes)))
    return " ".join([*words, f"t:{columns}", f"s:{cards_text(seat.stock)}", f"w:{cards_text(seat.waste)}"])


def _fields_text(value: Struct) -> str:
    pairs = msgspec.to_builtins(value).items()
    return ",".join(f"{name}={'+'.join(map(str, it)) if isinstance(it, list | tuple) else it}" for name, it in pairs)


def parse_position(text: str) -> Position:
    """Return the position that ``text`` writes.

    Raises:
        ValueError: a word is unknown or malformed, or the tableau or the foundations are missing.
    """
    seats: dict[int, dict[str, str]] = {}
    shared: dict[str, str] = {}
    current = 0
    for word in text.split():
        key, colon, value = word.partition(":")
        if not colon:
            raise ValueError(f"position: expected words like t:…, got {word!r}")
        if key == "seat":
            current = _number(key, value)
        elif key in _SEAT_WORDS:
            seats.setdefault(current, {})[key] = value
        else:
            shared[key] = value
    if sorted(seats) not in ([0], [0, 1]):
        raise ValueError(f"position: expected seat 0, or seats 0 and 1, got {sorted(seats)}")
    return _with_shared(tuple(_seat(seats[i]) for i in sorted(seats)), shared)


def _with_shared(seats: tuple[Seat, ...], words: dict[str, str]) -> Position:
    given: dict[str, Any] = {}
    for key, value in words.items():
        if key == "f":
            given["foundations"] = tuple(parse_cards(pile) for pile in value.split("/"))
        elif key in {"last", "ends"}:
            given["last_up" if key == "last" else "ends_at"] = _number(key, value)
        elif key == "turn":
            given[key] = _fields(key, value, Turn)
        elif key == "tally":
            given[key] = _fields(key, value, Tally)
        elif key == "outcome":
            given[key] = _fields(key, value, Outcome)
        else:
            raise ValueError(f"position: no such word {key!r}")
    if len(given.get("foundations", ())) not in {4, 8}:
        raise ValueError("position: expected f: with 4 or 8 foundations, / between them")
    return Position(seats, **given)


def _seat(words: dict[str, str]) -> Seat:
    if "t" not in words:
        raise ValueError("position: expected the columns of each seat, t:…")
    columns, down = [], []
    for column in words["t"].split("/"):
        hidden, bracket, rest = column.removeprefix("(").partition(")")
        under = parse_cards(hidden) if bracket else ()
        if bracket and rest in {"", "-"}:
            raise ValueError(f"position: expected a face-up card on the face-down ones, got {column!r}")
        columns.append(under + parse_cards(rest if bracket else column))
        down.append(len(under))
    strikes = words.get("strikes", "")
    return Seat(
        tuple(columns),
        tuple(down),
        parse_cards(words.get("s", "-")),
        parse_cards(words.get("w", "-")),
        _number("pass", words.get("pass", "1")),
        words.get("declared") == "1",
        words.get("stuck") == "1",
        tuple(_number("strikes", when) for when in strikes.split(",")) if strikes else (),
        _number("wait", words.get("wait", "0")),
    )


def _fields(key: str, text: str, kind: type[T]) -> T:
    """Return the struct of ``kind`` whose fields ``text`` writes as ``field=value,field=value``."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair)
    values = {name: value.split("+") if name == "counts" else value for name, _, value in pairs}
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(f"position: {key}: {error}") from None


def _number(key: str, text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError(f"position: {key}: expected a number, got {text!r}")
    return int(text)


def game_text(game: Game) -> str:
    """Return ``game`` as text, one play a line."""
    lines = [f"game {msgspec.json.encode(game.terms).decode()}"]
    lines += [f"deck {' '.join(map(card_name, deck))}" for deck in game.decks]
    if game.first is not None:
        lines.append(f"first {game.first}")
    for play in game.plays:
        line = f"{play.at} {play.seat} {command_text(play.command)}"
        lines.append(line if play.refused is None else f"{line} ! {play.refused}")
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> Game:
    """Return the game that ``text`` writes.

    Raises:
        ValueError: a line is malformed (it names the line).
    """
    terms: Terms | None = None
    decks: list[tuple[int, ...]] = []
    plays: list[Play] = []
    first: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        try:
            if word == "game":
                terms = _TERMS.decode(rest)
            elif word == "deck":
                decks.append(tuple(map(parse_card, rest.split())))
            elif word == "first":
                first = int(rest)
            elif word:
                plays.append(_play(word, rest))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    if terms is None:
        raise ValueError("game: expected a line with the terms: game {…}")
    return Game(terms, tuple(decks), tuple(plays), first)


def _play(at: str, rest: str) -> Play:
    said, _, code = rest.partition("!")
    seat, _, command = said.strip().partition(" ")
    return Play(_number("at", at), _number("seat", seat), parse_command(command), code.strip() or None)


def play_game(game: Game) -> Position:
    """Return the position that ``game`` ends in.

    Raises:
        ValueError: a play was refused that should not be, or not refused with the code it should be.
    """
    rules = ruleset(game.terms)
    position = start(rules, game.decks, first=game.first)
    for number, play in enumerate(game.plays, 1):
        done = apply(rules, position, play.seat, play.command, play.at)
        refusal = done.refusal if isinstance(done, Step) else done
        code = None if refusal is None else refusal.code
        if code != play.refused:
            raise ValueError(f"play {number} ({command_text(play.command)}): expected {play.refused}, got {code}")
        if isinstance(done, Step):
            position = done.position
    return position
