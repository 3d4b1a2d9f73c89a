"""What a log takes: the checks that every store makes before it appends."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from server.storage.base import MAX_BATCH, MAX_ENTRIES, MAX_ENTRY_BYTES, AppendResult

Why = Literal["gone", "stale", "full", "too_large"]


class Call(NamedTuple):
    """An append that waits. ``since``: when it was called, ms of the node's clock. Its entries are not shown: they may
    hold the seed of a deal.
    """

    match: str
    have: int
    entries: Sequence[bytes]
    done: Callable[[AppendResult], None]
    if_head: int | None
    since: int

    def __repr__(self) -> str:
        return f"Call({self.match!r}, {len(self.entries)} entries)"


def is_too_large(entries: Sequence[bytes]) -> bool:
    """Whether one call may not carry these entries."""
    if len(entries) > MAX_BATCH:
        return True
    for entry in entries:  # noqa: SIM110 - a loop costs a third of any() with a generator
        if len(entry) > MAX_ENTRY_BYTES:
            return True
    return False


def refusal(head: int | None, entries: Sequence[bytes], if_head: int | None) -> Why | None:
    """Return why a log with ``head`` entries (``None``: there is none) does not take ``entries``."""
    if head is None:
        return "gone"
    if if_head is not None and if_head != head:
        return "stale"
    if is_too_large(entries):
        return "too_large"
    if head + len(entries) > MAX_ENTRIES:
        return "full"
    return None
