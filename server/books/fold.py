"""One entry of the log of results into the books. Pure: the same entries in the same order give the same books."""

from typing import Final

import msgspec
from msgspec import Struct

from server.archive import Result, decode_result
from server.books import duels, solos
from server.books.values import PAGE, PlayerBook, Shelf, page_key, player_key
from shared.terms import DuelTerms

#: What the name of an entry begins with that is no match's result.
RESET: Final = "reset:"


class BankReset(Struct, frozen=True):
    """A player emptied his cumulative Vegas bank. ``wall_ms``: when."""

    identity: str
    wall_ms: int


encode_reset: Final = msgspec.msgpack.Encoder().encode
_decode_reset: Final = msgspec.msgpack.Decoder(BankReset).decode

Entry = Result | BankReset


def read_entry(name: str, data: bytes) -> Entry:
    """Return what an entry of the log of results holds.

    Raises:
        msgspec.MsgspecError: it is none of this version.
    """
    return _decode_reset(data) if name.startswith(RESET) else decode_result(data)


def fold(shelf: Shelf, entry: Entry) -> None:
    """Take one entry in."""
    if isinstance(entry, BankReset):
        player: PlayerBook = shelf.book(player_key(entry.identity))
        player.bank = 0
    elif isinstance(entry.terms, DuelTerms):
        duels.fold_duel(shelf, entry, entry.terms)
    else:
        solos.fold_solo(shelf, entry, entry.terms)


def keys(entry: Entry) -> set[str]:
    """Return the books that ``entry`` may touch, but for the pages of histories."""
    if isinstance(entry, BankReset):
        return {player_key(entry.identity)}
    if isinstance(entry.terms, DuelTerms):
        return duels.keys(entry, entry.terms) if len(entry.identities) == 2 else set()
    return solos.keys(entry, entry.terms)


def page_keys(shelf: Shelf, entries: list[Entry]) -> set[str]:
    """Return the pages of histories that ``entries`` go on; their players stand on the shelf."""
    more: dict[str, int] = {}
    for entry in entries:
        if isinstance(entry, Result):
            for identity in entry.identities:
                more[identity] = more.get(identity, 0) + 1
    found: set[str] = set()
    for identity, rows in more.items():
        if player_key(identity) in shelf:
            first = shelf.book(player_key(identity)).rows
            found |= {page_key(identity, page) for page in range(first // PAGE, (first + rows - 1) // PAGE + 1)}
    return found
