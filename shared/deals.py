"""Deal codes: short texts such as ``DS1-D1N-AAAAAAB`` that name a deal of a solo game (docs/fair-deals.md, Deal codes).

The order of the cards follows from game, version and number alone; draw and scoring are fixed by the code beside it.
"""

from typing import Final, Literal

from msgspec import Struct

from shared.shuffle import hmac_words, shuffled

Game = Literal["DS", "KL"]
Scoring = Literal["normal", "standard", "vegas", "none"]
Draw = Literal[1, 3]
Fault = Literal["empty", "game", "version", "length", "draw", "scoring", "letter", "one", "range"]

VERSION: Final = 1
#: Numbers of deals: 0 .. MAX_NUMBER.
MAX_NUMBER: Final = (1 << 32) - 1

_NAMES: Final[dict[Game, str]] = {"DS": "two-deck Double Solitaire", "KL": "Klondike"}
_SIZES: Final[dict[Game, int]] = {"DS": 104, "KL": 52}
_SCORINGS: Final[dict[Game, dict[str, Scoring]]] = {
    "DS": {"N": "normal", "V": "vegas"},
    "KL": {"S": "standard", "V": "vegas", "O": "none"},
}
_LETTERS: Final = 7
_LENGTH: Final = 3 + 3 + _LETTERS
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# Dashes that keyboards and word processors put for "-", and spaces that have no width and so are no str.isspace().
_DASHES: Final = "-‐‑‒–—―−﹘﹣\u00ad"  # noqa: RUF001 - they are the point
_INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff"
# Not str.upper(): it turns a German sharp s, a long s and a dotless i into other letters, thus into another deal.
_FOLD: Final[dict[int, int | None]] = {
    **{0xFF01 + i: 0x21 + i for i in range(0x5E)},
    **{0xFF41 + i: ord("A") + i for i in range(26)},
    **{ord("a") + i: ord("A") + i for i in range(26)},
}


class CodeError(ValueError):
    """A text is no deal code. ``fault`` says which part is wrong; the message says what was expected there."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class DealCode(Struct, frozen=True):
    """A deal by its number, 0 .. ``MAX_NUMBER``, and what the code fixes beside it.

    Raises:
        CodeError: the number is out of range, or the game has no such scoring.
    """

    game: Game
    draw: Draw
    scoring: Scoring
    number: int
    version: int = VERSION

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise CodeError("version", f"version: expected {VERSION}, got {self.version}")
        if self.draw not in (1, 3):
            raise CodeError("draw", f"draw: expected 1 or 3, got {self.draw}")
        if self.scoring not in _SCORINGS[self.game].values():
            expected = " or ".join(_SCORINGS[self.game].values())
            raise CodeError("scoring", f"scoring: expected {expected} for {self.game}, got {self.scoring}")
        if not 0 <= self.number <= MAX_NUMBER:
            raise CodeError("range", f"number: expected 0 .. {MAX_NUMBER}, got {self.number}")

    def __str__(self) -> str:
        return format_code(self)


def format_code(code: DealCode) -> str:
    """Return the one canonical text of ``code``: capitals, ASCII, groups of 3, 3 and 7."""
    mark = next(mark for mark, scoring in _SCORINGS[code.game].items() if scoring == code.scoring)
    letters, rest = "", code.number
    for _ in range(_LETTERS):
        rest, letter = divmod(rest, 26)
        letters = _ALPHABET[letter] + letters
    return f"{code.game}{code.version}-D{code.draw}{mark}-{letters}"


def parse_code(text: str) -> DealCode:
    """Read a deal code as people type it: any case, full-width letters, any dashes and spaces, or none of them; a ``0``
    among the letters counts as O.

    Raises:
        CodeError: the text is no code; nothing is ever guessed that would name another deal.
    """
    bare = "".join(c for c in text.translate(_FOLD) if c not in _DASHES and c not in _INVISIBLE and not c.isspace())
    if not bare:
        raise CodeError("empty", "deal code: expected one such as DS1-D1N-AAAAAAB, got nothing")
    game = _read_game(bare)
    if len(bare) != _LENGTH:
        raise CodeError("length", f"deal code: expected {_LENGTH} letters and digits (3, 3 and 7), got {len(bare)}")
    draw, scoring = _read_options(game, bare[3:6])
    return DealCode(game=game, draw=draw, scoring=scoring, number=_read_number(bare[6:]))


def _read_game(bare: str) -> Game:
    """Return the game that the first three characters name, if this version of the format is ours."""
    start: dict[str, Game] = {"DS": "DS", "KL": "KL"}
    game = start.get(bare[:2])
    if game is None:
        names = " or ".join(f"{game} ({name})" for game, name in _NAMES.items())
        raise CodeError("game", f"deal code: expected {names} at the start, got {bare[:2]!r}")
    if len(bare) > 2 and bare[2] != str(VERSION):
        raise CodeError(
            "version", f"deal code: this program reads version {VERSION} ({game}{VERSION}-...), got {bare[:3]!r}"
        )
    return game


def _read_options(game: Game, group: str) -> tuple[Draw, Scoring]:
    """Return draw and scoring of the middle group."""
    draws: dict[str, Draw] = {"D1": 1, "D3": 3}
    draw = draws.get(group[:2])
    if draw is None:
        raise CodeError("draw", f"draw: expected D1 or D3 in the middle group, got {group[:2]!r}")
    scoring = _SCORINGS[game].get(group[2].replace("0", "O"))
    if scoring is None:
        marks = ", ".join(f"{mark} ({name})" for mark, name in _SCORINGS[game].items())
        raise CodeError("scoring", f"scoring: expected one of {marks} after D{draw}, got {group[2]!r}")
    return draw, scoring


def _read_number(letters: str) -> int:
    """Return the deal's number: base 26, most significant letter first, A = 0."""
    number = 0
    for letter in letters.replace("0", "O"):
        if letter == "1":
            raise CodeError("one", f"letters: {letters!r} has the digit 1; is it an I or an L?")
        value = _ALPHABET.find(letter)
        if value < 0:
            raise CodeError("letter", f"letters: expected A to Z only, got {letter!r} in {letters!r}")
        number = number * 26 + value
    if number > MAX_NUMBER:
        raise CodeError("range", f"letters: the highest deal is NXMRLXV, got {letters}")
    return number


def deck_for_code(code: DealCode) -> tuple[int, ...]:
    """Return the cards of ``code`` in deal order: 104 (0..103) for DS, 52 (0..51) for KL."""
    key = f"double-solitaire/deal-code/{code.game}{code.version}".encode("ascii")
    return shuffled(_SIZES[code.game], hmac_words(key, code.number.to_bytes(4, "big")))
