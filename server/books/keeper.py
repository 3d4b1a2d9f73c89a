"""Sees that the books hold all results: whoever asks finds them up to date, on any number of nodes.

Results are folded in batches, each kept by compare-and-set of the number of its last one: of two nodes at the same
results one is first, and the other begins again from what that one kept.
"""

import asyncio
from typing import Final, TypeVar

import msgspec
import structlog

from server.books.fold import Entry, fold, keys, page_keys, read_entry
from server.books.values import Shelf, read
from server.storage.base import Records

_log: Final = structlog.get_logger("books")

#: Most results of a batch: the loop has a breath in between.
BATCH: Final = 40

B = TypeVar("B")


class Keeper:
    """Keeps the books of ``records``."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = asyncio.Lock()

    async def catch_up(self) -> int:
        """Fold what is new; return the number of the last result that the books hold.

        Raises:
            StoreError: the store is away.
        """
        async with self._lock:
            while True:
                have = await self._records.books_no()
                found = await self._records.results(have, BATCH)
                if not found:
                    return have
                entries = [entry for _, name, data in found if (entry := _read(name, data)) is not None]
                books = await self._fold(entries)
                await self._records.keep_books(have, found[-1][0], books)

    async def _fold(self, entries: list[Entry]) -> dict[str, bytes]:
        needed = sorted(set().union(*(keys(entry) for entry in entries)))
        books: dict[str, bytes | None] = dict.fromkeys(needed)
        books.update(await self._records.books(needed))
        pages = sorted(page_keys(Shelf(books), entries))
        books.update(dict.fromkeys(pages))
        books.update(await self._records.books(pages))
        shelf = Shelf(books)
        for entry in entries:
            fold(shelf, entry)
            await asyncio.sleep(0)
        return shelf.changed()

    async def book(self, key: str, kind: type[B]) -> B:
        """Return the book under ``key``, which is of this kind, as it stands; an empty one if there is none.

        Raises:
            StoreError: the store is away.
        """
        found = await self._records.books((key,))
        book = read(key, found.get(key))
        if not isinstance(book, kind):
            raise TypeError(f"{key}: expected a {kind.__name__}")
        return book


def _read(name: str, data: bytes) -> Entry | None:
    try:
        return read_entry(name, data)
    except msgspec.MsgspecError:
        _log.exception("a result cannot be read and counts for nothing", match=name)
        return None
