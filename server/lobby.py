"""Who meets whom: open seeks in, pairs out. No clock, no store, no socket.

Laws: nobody is in two pairs, nobody meets himself, and both of a pair want the same terms. Casual seeks pair in the
order in which they came. Of rated ones, who waits longest is served first and gets the nearest rating; how far off it
may be grows with the wait of both, so that in the end everybody meets somebody.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from server.storage.base import LobbyView, Seek
from shared.protocol import Lobby, OpenSeek
from shared.terms import DuelTerms

#: How far apart two ratings may be at first, how much more each second, and after how long there is no bound.
FIRST_WINDOW: Final = 100.0
WIDER_PER_SECOND: Final = 20.0
NO_WINDOW_MS: Final = 30_000
#: Most seeks that are listed.
LISTED: Final = 100


def pairs_by_itself(terms: DuelTerms) -> bool:
    """Whether both seats of ``terms`` are alike. Where they are not, both would want the same seat: such a seek waits
    until somebody accepts it.
    """
    return terms.draw[0] == terms.draw[1] and terms.first in {"random", "low_card"}


def pairs(seeks: Sequence[Seek], now: int) -> list[tuple[Seek, Seek]]:
    """Return who is to be paired at ``now`` (ms of the lobby's time), the longer wait first in each pair."""
    groups: dict[DuelTerms, list[Seek]] = {}
    for seek in sorted(seeks, key=_since):
        if pairs_by_itself(seek.terms):
            groups.setdefault(seek.terms, []).append(seek)
    return [pair for terms, group in groups.items() for pair in _pair_group(group, now, rated=terms.rated)]


def _pair_group(group: list[Seek], now: int, *, rated: bool) -> Iterable[tuple[Seek, Seek]]:
    while group:
        one = group.pop(0)
        others = (seek for seek in group if seek.who.identity != one.who.identity)
        if rated:
            near = (seek for seek in others if _is_near(one, seek, now))
            other = min(near, key=lambda seek: _apart(one, seek), default=None)
        else:
            other = next(others, None)
        if other is not None:
            group.remove(other)
            yield one, other


def window(waited_ms: int) -> float:
    """Return how far off a rival's rating may be after a wait of ``waited_ms``."""
    return float("inf") if waited_ms >= NO_WINDOW_MS else FIRST_WINDOW + WIDER_PER_SECOND * waited_ms / 1000


def _is_near(one: Seek, other: Seek, now: int) -> bool:
    return _apart(one, other) <= min(window(now - _since(one)), window(now - _since(other)))


def _apart(one: Seek, other: Seek) -> float:
    """Return the distance of the ratings; who has none is near to everybody."""
    return 0.0 if one.rating is None or other.rating is None else abs(one.rating - other.rating)


def _since(seek: Seek) -> int:
    return seek.since or 0


def listing(view: LobbyView) -> Lobby:
    """Return the open seeks as everybody may see them."""
    listed = (
        OpenSeek(seek.seek, seek.who.name, seek.terms, view.now - _since(seek), seek.rating)
        for seek in view.seeks[:LISTED]
    )
    return Lobby(tuple(listed), len(view.seeks))
