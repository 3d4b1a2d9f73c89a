"""Histories: rows in pages, numbered from 0, the oldest first."""

from server.archive import Result
from server.books.values import PAGE, HistoryPage, PlayerBook, Shelf, page_key, player_key
from shared.protocol.answers import HistoryRow, Person


def append(shelf: Shelf, identity: str, row: HistoryRow) -> int:
    """Put ``row`` at the end of a history; return its number."""
    player: PlayerBook = shelf.book(player_key(identity))
    number = player.rows
    page: HistoryPage = shelf.book(page_key(identity, number // PAGE))
    page.rows.append(row)
    player.rows += 1
    return number


def person(result: Result, seat: int) -> Person:
    """Return who sat on ``seat``."""
    identity = result.identities[seat]
    return Person(identity, result.names[seat], identity.startswith("bot:"))
