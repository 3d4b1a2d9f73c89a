"""The books as a store keeps them, by key; and the shelf on which some of them stand while results are folded in."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from shared.protocol.answers import DailyDay, HistoryRow

#: Rows on a page of a history.
PAGE: Final = 50
#: Rows that a board keeps, more than are shown: who falls below is not lost at once.
KEPT: Final = 300


class DuelBook(Struct, omit_defaults=True):
    """One player's duels in one tempo (``shared.protocol.answers.DuelRecord``). ``mu``, ``sigma``: his rating."""

    played: int = 0
    won: int = 0
    left: int = 0
    streak: int = 0
    best_streak: int = 0
    counts: list[int] = []
    mu: float | None = None
    sigma: float | None = None
    rated: int = 0


class SoloBook(Struct, omit_defaults=True):
    """One player's solo games of one kind (``shared.protocol.answers.SoloRecord``); sums are of won games but
    ``played_ms``.
    """

    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    best_ms: int | None = None
    least_moves: int | None = None
    best_score: int | None = None
    sum_ms: int = 0
    sum_moves: int = 0
    sum_score: int = 0
    played_ms: int = 0


class PlayerBook(Struct, omit_defaults=True):
    """All of one player but his rows. ``rows``: how many rows his history has. ``won``: wins by board.
    ``bank``: dollars of his cumulative Vegas games, ``None`` = he never played one.
    """

    duels: dict[str, DuelBook] = {}
    solos: dict[str, SoloBook] = {}
    rows: int = 0
    won: dict[str, int] = {}
    bank: int | None = None


class Days(Struct, omit_defaults=True):
    """Dates with a win, each with wall time (ms) and offset (minutes) of its first one (``shared.streaks.Win``)."""

    wins: dict[str, tuple[int, int]] = {}


class HistoryPage(Struct, omit_defaults=True):
    """``PAGE`` rows of a history, the oldest first."""

    rows: list[HistoryRow] = []


class AgainstBook(Struct, omit_defaults=True):
    """One player's matches against one other. ``rows``: their numbers in his history, from 0, the oldest first."""

    won: int = 0
    lost: int = 0
    void: int = 0
    rows: list[int] = []


class Place(Struct, omit_defaults=True):
    """A row of a board."""

    identity: str
    name: str
    value: float
    plus_minus: float | None = None
    match: str | None = None
    at: int | None = None


class BoardBook(Struct, omit_defaults=True):
    """A board, the best first; of equals who was there first."""

    places: list[Place] = []


class Versions(Struct, omit_defaults=True):
    """The versions of the rules that have a board, ascending."""

    rules: list[int] = []


class MonthBook(Struct, omit_defaults=True):
    """One player's dailies of a month that ended, by date."""

    days: dict[str, DailyDay] = {}


Book = PlayerBook | Days | HistoryPage | AgainstBook | BoardBook | Versions | MonthBook
#: What stands under a key, by its first letter.
_KINDS: Final[dict[str, type[Any]]] = {
    "p": PlayerBook,
    "y": Days,
    "h": HistoryPage,
    "v": AgainstBook,
    "b": BoardBook,
    "r": Versions,
    "m": MonthBook,
}
_DECODERS: Final = {letter: msgspec.msgpack.Decoder(kind) for letter, kind in _KINDS.items()}
# Sorted keys: books that hold the same are the same bytes, in whatever order it came.
_encode: Final = msgspec.msgpack.Encoder(order="deterministic").encode


def player_key(identity: str) -> str:
    """Return the key of a ``PlayerBook``."""
    return f"p:{identity}"


def days_key(identity: str, board: str = "") -> str:
    """Return the key of ``Days``: all with a solo win, or those with one that counts for ``board``."""
    return f"y:{identity}:{board}"


def page_key(identity: str, page: int) -> str:
    """Return the key of the ``HistoryPage`` with the rows from ``page * PAGE`` on."""
    return f"h:{identity}:{page}"


def against_key(identity: str, rival: str) -> str:
    """Return the key of an ``AgainstBook``."""
    return f"v:{identity}:{rival}"


def month_key(identity: str, month: str) -> str:
    """Return the key of a ``MonthBook``."""
    return f"m:{identity}:{month}"


def board_key(board: str, of: str) -> str:
    """Return the key of a ``BoardBook``. ``of``: which games (``server.books.boards.group``)."""
    return f"b:{board}:{of}"


#: The key of ``Versions``.
VERSIONS: Final = "r:"


def read(key: str, data: bytes | None) -> Any:
    """Return the book that ``data`` holds under ``key``; without data an empty one."""
    letter = key[0]
    return _KINDS[letter]() if data is None else _DECODERS[letter].decode(data)


class Missing(LookupError):
    """A book is asked for that does not stand on the shelf; ``key``: which."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Shelf:
    """The books that a batch of results touches. A fold reads and changes them in place."""

    def __init__(self, books: dict[str, bytes | None]) -> None:
        """``books``: as the store has them, ``None`` = it has none."""
        self._data = books
        self._open: dict[str, Any] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def book(self, key: str) -> Any:
        """Return the book under ``key``, to be changed.

        Raises:
            Missing: it was not fetched.
        """
        found = self._open.get(key)
        if found is None:
            if key not in self._data:
                raise Missing(key)
            found = self._open[key] = read(key, self._data[key])
        return found

    def changed(self) -> dict[str, bytes]:
        """Return the books that are not as they were fetched."""
        packed = {key: _encode(book) for key, book in self._open.items()}
        return {key: data for key, data in packed.items() if data != self._data[key]}
