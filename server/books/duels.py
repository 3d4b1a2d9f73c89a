"""A duel's result into the books of its two players (docs/records.md, Duels)."""

from typing import Final

from server.archive import Result
from server.books import ratings
from server.books.boards import enter
from server.books.rows import append, person
from server.books.values import AgainstBook, DuelBook, Place, PlayerBook, Shelf, against_key, board_key, player_key
from shared.protocol.answers import HistoryRow
from shared.terms import DuelTerms

#: What a computer's identity begins with.
BOT: Final = "bot:"
#: Cards of a seat.
DECK: Final = 52


def fold_duel(shelf: Shelf, result: Result, terms: DuelTerms) -> None:
    """Take it in. A match that did not take place leaves nothing, a void one a row."""
    if not result.games:
        return
    players: list[PlayerBook] = [shelf.book(player_key(identity)) for identity in result.identities]
    books = [player.duels.setdefault(terms.tempo, DuelBook()) for player in players]
    before = [ratings.value(book) for book in books]
    winner = result.outcome.winner
    if winner is not None:
        for seat, book in enumerate(books):
            _count(book, result, seat)
        _rate(books, result, terms, winner)
    for seat in (0, 1):
        after = ratings.value(books[seat])
        changed = after is not None and after != before[seat]
        change = None if not changed or after is None else round(after - (before[seat] or ratings.START), 1)
        row = _row(result, seat, rating=after if changed else None, change=change)
        at = append(shelf, result.identities[seat], row)
        _note_rival(shelf, result, seat, at)
        if changed and after is not None:
            _enter_board(shelf, result, terms, seat, books[seat])


def _count(book: DuelBook, result: Result, seat: int) -> None:
    won = result.outcome.winner == seat
    book.played += 1
    book.won += won
    book.left += not won and result.outcome.reason == "left"
    book.streak = book.streak + 1 if won else 0
    book.best_streak = max(book.best_streak, book.streak)
    for game in result.games:
        if game.outcome.reason != "void":
            book.counts = book.counts or [0] * (DECK + 1)
            book.counts[game.outcome.counts[seat]] += 1


def _rate(books: list[DuelBook], result: Result, terms: DuelTerms, winner: int) -> None:
    """Rated matches change both ratings. A computer's changes by casual ones, with equal rules for both seats, against
    people whose rating is settled, and theirs stays as it is.
    """
    bots = [identity.startswith(BOT) for identity in result.identities]
    loser = 1 - winner
    if terms.rated and not any(bots):
        ratings.rate(books[winner], books[loser])
    elif any(bots) and terms.draw[0] == terms.draw[1] and not terms.mirror:
        person_book = books[bots.index(False)]
        if person_book.rated >= ratings.SETTLED:
            ratings.rate(books[winner], books[loser], winner_too=bots[winner], loser_too=bots[loser])


def _row(result: Result, seat: int, *, rating: float | None, change: float | None) -> HistoryRow:
    other = 1 - seat
    winner = result.outcome.winner
    return HistoryRow(
        match=result.match,
        at=result.wall_ms + result.ended_ms,
        terms=result.terms,
        reason=result.outcome.reason,
        won=None if winner is None else winner == seat,
        rival=person(result, other),
        sums=(result.sums[seat], result.sums[other]) if result.sums else (),
        rating=rating,
        change=change,
        replay=True,
    )


def _note_rival(shelf: Shelf, result: Result, seat: int, row: int) -> None:
    book: AgainstBook = shelf.book(against_key(result.identities[seat], result.identities[1 - seat]))
    winner = result.outcome.winner
    if winner is None:
        book.void += 1
    elif winner == seat:
        book.won += 1
    else:
        book.lost += 1
    book.rows.append(row)


def _enter_board(shelf: Shelf, result: Result, terms: DuelTerms, seat: int, book: DuelBook) -> None:
    """Settled ratings of people stand on the board."""
    rating = ratings.shown(book)
    identity = result.identities[seat]
    if rating is None or rating.games < ratings.SETTLED or identity.startswith(BOT):
        return
    place = Place(identity, result.names[seat], rating.value, rating.plus_minus, None, result.wall_ms + result.ended_ms)
    enter(shelf.book(board_key("rating", terms.tempo)), "rating", place)


def keys(result: Result, terms: DuelTerms) -> set[str]:
    """Return the books that it touches, but for the pages of histories."""
    one, other = result.identities
    pairs = {against_key(one, other), against_key(other, one)}
    return {player_key(one), player_key(other), *pairs, board_key("rating", terms.tempo)}
