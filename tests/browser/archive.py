"""Records made up beforehand, in the page's line: what the pages show of them, without a game played."""

from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Browser, WebSocketRoute

from shared.protocol.answers import (
    Against,
    Answer,
    Board,
    BoardRow,
    DailyDay,
    DailyMonth,
    DayStreak,
    DuelRecord,
    History,
    HistoryRow,
    Person,
    Profile,
    Rating,
    SoloRecord,
)
from shared.protocol.questions import AskBoard, AskDaily, AskHistory, AskProfile, ResetBank, ToRecords
from shared.terms import DuelTerms, KlondikeTerms, TwoDeckTerms
from tests.browser.driver import Player

QUESTIONS = msgspec.json.Decoder(ToRecords)
ME = "00000000000000aa"
LONG = "Wolfgangamadeusmozart Ωß"
BEN = Person("00000000000000bb", "Ben")
MOZART = Person("00000000000000cc", LONG)
EXPERT = Person("bot:expert", "expert", bot=True)
NOON = 1_796_126_400_000  # 2026-12-01, in UTC
HOUR = 3_600_000

Told = Callable[[Any], Answer | dict[str, object] | None]


def full_profile(question: AskProfile | ResetBank) -> Profile:
    """Answer with big numbers, and a long name where it is somebody else's."""
    identity = question.identity if isinstance(question, AskProfile) else None
    own = identity in {None, ME}
    counts = tuple((i * 7919) % 37 if i > 5 else 0 for i in range(53))
    return Profile(
        question.ask,
        ME if own else str(identity),
        "Ann" if own else LONG,
        own=own,
        since=1_700_000_000,
        duels=(
            DuelRecord("simultaneous", 12345, 6789, 12, 4, 31, counts, Rating(1823.4, 61.8, 980)),
            DuelRecord("alternating", 3, 1, 0, 0, 1, (0,) * 30 + (2, 1), Rating(1533.0, 310.0, 2)),
        ),
        solos=(
            SoloRecord(
                "klondike", 1, "standard", 12345, 4321, 3, 17, 65_000, 312_000, 98, 133, 24_078, 3120, 987_654_321
            ),
            SoloRecord("klondike", 3, "vegas", 40, 0, played_ms=HOUR),
            SoloRecord("two_deck", 3, "normal", 9, 2, 0, 1, 1_800_000, 2_400_000, 210, 260, 1400, 1210, 9_000_000),
        ),
        days=DayStreak(12, 104, "2026-12-01"),
        bank=(0 if isinstance(question, ResetBank) else -10_452) if own else None,
    )


def duel(number: int, **changes: Any) -> HistoryRow:
    fields: dict[str, Any] = {
        "match": f"m{number}",
        "at": NOON - number * HOUR,
        "terms": DuelTerms(rated=True),
        "reason": "both_stuck",
        "won": True,
        "rival": MOZART,
        "sums": (31, 27),
        "rating": 1823.0,
        "change": 11.6,
        "replay": True,
    }
    return HistoryRow(**{**fields, **changes})


def solo(number: int, terms: KlondikeTerms | TwoDeckTerms, **changes: Any) -> HistoryRow:
    fields: dict[str, Any] = {"reason": "won", "won": True, "score": 6120, "moves": 133, "ms": 245_000, "replay": True}
    return HistoryRow(match=f"m{number}", at=NOON - number * HOUR, terms=terms, **{**fields, **changes})


#: One of each kind.
ROWS = (
    duel(1),
    duel(2, won=False, change=-9.2, rating=1811.4, reason="resigned", rival=BEN),
    duel(3, won=None, reason="void", rating=None, change=None, replay=False),
    duel(4, terms=DuelTerms("alternating", (3, 1), games=5), rival=EXPERT, sums=(260, 212), rating=None, change=None),
    solo(5, KlondikeTerms(daily="2026-11-30"), date="2026-11-30"),
    solo(6, KlondikeTerms(draw=3, scoring="vegas"), reason="abandoned", won=False, score=-47, moves=1, replay=False),
    solo(7, TwoDeckTerms(draw=3), score=1420, moves=301, ms=2 * HOUR),
)


def full_history(question: AskHistory) -> History:
    """Answer with one row of each kind, then with two older ones; against a rival with duels alone, and their sum."""
    own = question.identity in {None, ME}
    rows = tuple(row for row in ROWS if question.rival in {None, row.rival and row.rival.identity})
    against = Against(5, 3, 1) if question.rival else None
    if question.before is not None:
        return History(question.ask, ME, "Ann", (duel(30), duel(31)))
    return History(
        question.ask, ME if own else str(question.identity), "Ann" if own else LONG, rows, 7 if own else None, against
    )


def full_board(question: AskBoard) -> Board:
    """Answer with ties, a long name, and the player's own place far below."""
    ranks = (1, 2, 2, 4, 5)
    people = (MOZART, BEN, Person("00000000000000dd", "Çağla"), Person("00000000000000ee", "李小龍"), BEN)
    value = {"time": 61_000, "rating": 1990.4, "score": 24_078}.get(question.board, 12345)
    sure = 45.2 if question.board == "rating" else None
    rows = tuple(
        BoardRow(rank, who.identity, who.name, value - rank, sure, f"m{rank}", NOON)
        for rank, who in zip(ranks, people, strict=True)
    )
    mine = BoardRow(1204, ME, "Ann", 7, sure, "m9", NOON, mine=True)
    return Board(question.ask, question.board, question.game, rows, mine, rules=2, versions=(1, 2))


def full_month(question: AskDaily) -> DailyMonth:
    """Answer with days won, quick and slow, one begun on the 5th, and a streak."""
    won = [DailyDay(f"{question.month}-{day:02}", f"d{day}", 1, True, 6120, 133, day * 400_000) for day in (1, 2, 4)]
    begun = DailyDay(f"{question.month}-05", "d5", 3)
    return DailyMonth(question.ask, question.month, (*won, begun), DayStreak(3, 41, f"{question.month}-04"))


FULL: dict[str, Told] = {
    "AskProfile": full_profile,
    "ResetBank": full_profile,
    "AskHistory": full_history,
    "AskBoard": full_board,
    "AskDaily": full_month,
}
EMPTY: dict[str, Told] = {
    "AskProfile": lambda question: Profile(question.ask, ME, "Ann", own=True),
    "AskHistory": lambda question: History(question.ask, question.identity or ME, "Ann"),
    "AskBoard": lambda question: Board(question.ask, question.board, question.game),
    "AskDaily": lambda question: DailyMonth(question.ask, question.month),
}
AWAY: dict[str, Told] = {
    name: lambda question: {"t": "failed", "code": "unavailable", "message": "", "ask": question.ask} for name in FULL
}


def answer_to(frame: str | bytes, told: dict[str, Told]) -> tuple[ToRecords, Any] | None:
    """Return the question that a frame holds, with its answer; ``None``: it holds none."""
    if "ask" not in msgspec.json.decode(frame):
        return None
    question = QUESTIONS.decode(frame)
    tell = told.get(type(question).__name__)
    return question, tell and tell(question)


class Reader(Player):
    """A player whose page asks made-up records. ``asked``: its questions so far, ``wished``: what else it sent."""

    def __init__(self, browser: Browser, url: str, told: dict[str, Told], **look: Any) -> None:
        self.told = told
        self.asked: list[ToRecords] = []
        self.wished: list[dict[str, Any]] = []
        super().__init__(browser, url, "Ann", **look)

    def new_page(self) -> Any:
        page = super().new_page()
        page.route_web_socket("**/ws", self._connect)
        return page

    def _connect(self, line: WebSocketRoute) -> None:
        self._line = line
        line.on_message(self._read)

    def answer(self, message: Any) -> None:
        """Send the page ``message``."""
        self._line.send(msgspec.json.encode(message).decode())

    def _read(self, frame: str | bytes) -> None:
        message = msgspec.json.decode(frame)
        answered = answer_to(frame, self.told)
        if answered:
            self.asked.append(answered[0])
            if answered[1]:
                self.answer(answered[1])
        elif message["t"] == "hello":
            self.answer({"t": "welcome", "identity": ME, "name": "Ann", "version": "0"})
        else:
            self.wished.append(message)
