"""A solo game's result into the books of its player (docs/records.md, Solo games)."""

import datetime as dt

from server.archive import Result
from server.books.boards import counts, enter, group, is_clean, off_boards, solo_kind
from server.books.rows import append
from server.books.values import (
    VERSIONS,
    Days,
    MonthBook,
    Place,
    PlayerBook,
    Shelf,
    SoloBook,
    Versions,
    board_key,
    days_key,
    month_key,
    player_key,
)
from shared.position import Tally
from shared.protocol.answers import DailyDay, HistoryRow
from shared.protocol.questions import BoardName
from shared.streaks import Win, streak
from shared.terms import KlondikeTerms, TwoDeckTerms


def fold_solo(shelf: Shelf, result: Result, terms: KlondikeTerms | TwoDeckTerms) -> None:
    """Take it in: a win, or a game that was given up after a move. One without a move counts for nothing."""
    tally = result.tally
    if tally is None or not tally.moves:
        return
    identity = result.identities[0]
    player: PlayerBook = shelf.book(player_key(identity))
    won = result.outcome.reason == "won"
    _count(player.solos.setdefault(solo_kind(terms), SoloBook()), tally, won=won)
    if isinstance(terms, KlondikeTerms) and terms.cumulative and terms.scoring == "vegas":
        player.bank = (player.bank or 0) + tally.score + result.earned
    append(shelf, identity, _row(result, tally, won=won))
    date = _date(result)
    if won and date is not None:
        _win_on(shelf.book(days_key(identity)), result, date)
    daily = _daily(result)
    if won and daily is not None:
        month: MonthBook = shelf.book(month_key(identity, daily[:7]))
        day = DailyDay(daily, result.match, terms.draw, True, _points(tally), tally.moves, tally.played_ms)
        month.days.setdefault(daily, day)
    for clean in (False, True):
        if won and (is_clean(result) or not clean):
            _enter_boards(shelf, result, player, tally, group(solo_kind(terms), result.rules, clean=clean), date)
    if won and daily is not None and counts(result):
        for clean in (False, True):
            if is_clean(result) or not clean:
                _enter_bests(shelf, result, tally, group(solo_kind(terms), result.rules, clean=clean, date=daily))


def _count(book: SoloBook, tally: Tally, *, won: bool) -> None:
    book.played += 1
    book.played_ms += tally.played_ms
    if not won:
        book.streak = 0
        return
    points = _points(tally)
    book.won += 1
    book.streak += 1
    book.best_streak = max(book.best_streak, book.streak)
    book.best_ms = tally.played_ms if book.best_ms is None else min(book.best_ms, tally.played_ms)
    book.least_moves = tally.moves if book.least_moves is None else min(book.least_moves, tally.moves)
    book.best_score = points if book.best_score is None else max(book.best_score, points)
    book.sum_ms += tally.played_ms
    book.sum_moves += tally.moves
    book.sum_score += points


def _points(tally: Tally) -> int:
    return tally.score + tally.bonus


def _row(result: Result, tally: Tally, *, won: bool) -> HistoryRow:
    return HistoryRow(
        match=result.match,
        at=result.wall_ms + result.ended_ms,
        terms=result.terms,
        reason=result.outcome.reason,
        won=won,
        score=_points(tally),
        moves=tally.moves,
        ms=tally.played_ms,
        date=_daily(result),
        replay=True,
        off=off_boards(result) if won else (),
    )


def _daily(result: Result) -> str | None:
    return result.terms.daily if isinstance(result.terms, KlondikeTerms) else None


def _date(result: Result) -> str | None:
    """Return the date to which a win is credited, if it is one."""
    date = result.games[-1].date if result.games else None
    try:
        dt.date.fromisoformat(date or "")
    except ValueError:
        return None
    return date


def _win_on(book: Days, result: Result, date: str) -> None:
    """Note a win on ``date``; the first of a date stays (a daily counts from when it was begun)."""
    wall_ms = result.wall_ms if _daily(result) is not None else result.wall_ms + result.ended_ms
    have = book.wins.get(date)
    if have is None or wall_ms < have[0]:
        book.wins[date] = (wall_ms, result.offset)


def longest(book: Days) -> int:
    """Return the longest streak of days."""
    return streak(wins_of(book), dt.date.max).best


def wins_of(book: Days) -> list[Win]:
    """Return the wins that a streak is made of."""
    return [Win(dt.date.fromisoformat(date), wall, offset) for date, (wall, offset) in book.wins.items()]


def _enter_boards(shelf: Shelf, result: Result, player: PlayerBook, tally: Tally, of: str, date: str | None) -> None:
    """Enter the boards of all days. A restarted daily counts for streaks alone, and dailies have bests of their own."""
    identity = result.identities[0]
    daily = _daily(result) is not None
    entered = counts(result)
    if not entered and not (daily and result.restarts):
        return
    if date is not None:
        days: Days = shelf.book(days_key(identity, of))
        _win_on(days, result, date)
        _enter(shelf, result, "streak", of, longest(days))
    if entered:
        player.won[of] = player.won.get(of, 0) + 1
        _enter(shelf, result, "won", of, player.won[of])
        if not daily:
            _enter_bests(shelf, result, tally, of)


def _enter_bests(shelf: Shelf, result: Result, tally: Tally, of: str) -> None:
    if result.terms.scoring != "none":  # type: ignore[union-attr] # a solo game's terms
        _enter(shelf, result, "score", of, _points(tally))
    _enter(shelf, result, "time", of, tally.played_ms)
    _enter(shelf, result, "moves", of, tally.moves)


def _enter(shelf: Shelf, result: Result, board: BoardName, of: str, value: int) -> None:
    match = None if board in {"won", "streak"} else result.match
    place = Place(result.identities[0], result.names[0], float(value), None, match, result.wall_ms + result.ended_ms)
    enter(shelf.book(board_key(board, of)), board, place)
    versions: Versions = shelf.book(VERSIONS)
    if result.rules not in versions.rules:
        versions.rules = sorted({*versions.rules, result.rules})


def keys(result: Result, terms: KlondikeTerms | TwoDeckTerms) -> set[str]:
    """Return the books that it may touch, but for the pages of the history."""
    identity = result.identities[0]
    found = {player_key(identity), days_key(identity), VERSIONS}
    daily = _daily(result)
    if daily is not None:
        found.add(month_key(identity, daily[:7]))
    for clean in (False, True):
        of = group(solo_kind(terms), result.rules, clean=clean)
        found.add(days_key(identity, of))
        found |= {board_key(board, of) for board in ("won", "score", "time", "moves", "streak")}
        if daily is not None:
            of = group(solo_kind(terms), result.rules, clean=clean, date=daily)
            found |= {board_key(board, of) for board in ("score", "time", "moves")}
    return found
