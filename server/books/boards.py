"""Leaderboards: which games count, for which board, and who stands where (docs/records.md, Boards)."""

from bisect import bisect_right
from typing import Final

from server.archive import Result
from server.books.values import KEPT, BoardBook, Place
from shared.protocol.answers import OffBoards
from shared.protocol.questions import BoardName
from shared.terms import DuelTerms, KlondikeTerms, TwoDeckTerms

#: A win in less play time, or in less time by the server's clock, is none that hands could play, ms.
PLAUSIBLE_MS: Final = {"klondike": 20_000, "two_deck": 40_000}
#: Boards on which less is better.
_LEAST: Final = frozenset({"time", "moves"})


def solo_kind(terms: KlondikeTerms | TwoDeckTerms) -> str:
    """Return which solo game it is, as statistics tell them apart: ``klondike:1:standard``."""
    game = "klondike" if isinstance(terms, KlondikeTerms) else "two_deck"
    return f"{game}:{terms.draw}:{terms.scoring}"


def group(kind: str, rules: int, *, clean: bool = False, date: str | None = None) -> str:
    """Return which games a board is of: of one kind and one version of the rules, all or only clean ones, and of one
    daily or of all but dailies.
    """
    parts = [kind, str(rules), "clean" if clean else "", date or ""]
    return ":".join(parts)


def is_clean(result: Result) -> bool:
    """Whether a solo game was played without undo, hint and worry back."""
    tally = result.tally
    return tally is not None and not (tally.undos or tally.hints or tally.worry_backs)


def counts(result: Result) -> bool:
    """Whether a solo game comes on boards: it is won, and nothing keeps it off."""
    return result.tally is not None and result.outcome.reason == "won" and not off_boards(result)


def off_boards(result: Result) -> tuple[OffBoards, ...]:
    """Return what keeps a won solo game off the boards (docs/rules.md, Leaderboards)."""
    terms, tally = result.terms, result.tally
    if tally is None or isinstance(terms, DuelTerms):
        return ()
    klondike = isinstance(terms, KlondikeTerms)
    least = PLAUSIBLE_MS["klondike" if klondike else "two_deck"]
    against: dict[OffBoards, bool] = {
        "code": terms.code is not None,
        "restart": result.restarts > 0,
        "house_rule": isinstance(terms, KlondikeTerms) and (terms.empty_column == "any" or terms.open_deal),
        "worry_back": not klondike and tally.worry_backs > 0,
        "too_fast": min(tally.played_ms, result.ended_ms) < least,
    }
    return tuple(why for why, holds in against.items() if holds)


def enter(book: BoardBook, board: BoardName, place: Place) -> None:
    """Let ``place`` stand on the board, if it is better than what its player has there. The rating takes the place of
    what it was, better or not.
    """
    places = book.places
    had = next((one for one in places if one.identity == place.identity), None)
    if had is not None:
        if board != "rating" and _order(board, place) >= _order(board, had):
            had.name = place.name
            return
        places.remove(had)
    places.insert(bisect_right([_order(board, one) for one in places], _order(board, place)), place)
    del places[KEPT:]


def _order(board: BoardName, place: Place) -> float:
    return place.value if board in _LEAST else -place.value


def ranks(board: BoardName, places: list[Place]) -> list[int]:
    """Return the rank of each place; equals share one."""
    found: list[int] = []
    for at, place in enumerate(places):
        equal = at > 0 and _order(board, place) == _order(board, places[at - 1])
        found.append(found[-1] if equal else at + 1)
    return found
