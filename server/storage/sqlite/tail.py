"""The newest entries of one match, in memory."""

import logging
from typing import Final

from server.storage.admit import Call
from server.storage.base import AppendResult, Stored

_log: Final = logging.getLogger(__name__)


class Tail:
    """A match in use.

    ``head``: number of the last entry given out, committed or on its way. ``folded``: up to where the chunks have it.
    ``entries``: committed ones, the first of them numbered ``first``. ``gone``: its log is being deleted.
    """

    __slots__ = ("entries", "first", "folded", "gone", "head", "name", "row")

    def __init__(self, name: str, row: int, head: int) -> None:
        self.name = name
        self.row = row
        self.head = self.folded = head
        self.first = head + 1
        self.entries: list[Stored] = []
        self.gone = False

    def after(self, have: int) -> tuple[Stored, ...]:
        """Return the committed entries after ``have``, as far back as they are here."""
        return tuple(self.entries[max(0, have + 1 - self.first) :])

    def unfolded(self) -> list[Stored]:
        """Return the committed entries that no chunk has."""
        return self.entries[self.folded + 1 - self.first :]

    def trim(self, keep: int) -> None:
        """Drop what the chunks have, but for the newest ``keep`` entries."""
        drop = min(self.folded + 1 - self.first, len(self.entries) - keep)
        if drop > 0:
            del self.entries[:drop]
            self.first += drop


def give(call: Call, result: AppendResult) -> None:
    """Answer ``call``."""
    try:
        call.done(result)
    except Exception:  # noqa: BLE001 - the other matches of the batch get their answers
        _log.exception("a room failed on the answer to an append; match %s", call.match)
