"""Results as matches leave them, made by hand; and records in memory with a keeper and a desk before them."""

from typing import Any

from server.archive import Result, encode
from server.books.desk import Desk
from server.books.keeper import Keeper
from server.storage.keeping import Identity
from server.storage.memory_records import MemoryRecords
from shared.position import Outcome, Reason, Tally
from shared.table import GameResult
from shared.terms import DuelTerms, KlondikeTerms, TwoDeckTerms
from tests.server.fakes import MSGPACK, FakeViewer, JumpClock, chance

DAY_MS = 86_400_000
WALL = 1_700_000_000_000


def solo(match: str, who: str = "ann", **given: Any) -> Result:
    """A Klondike game, won in two minutes; ``tally``, ``terms``, ``reason``, ``date``, … change it."""
    terms: KlondikeTerms | TwoDeckTerms = given.pop("terms", KlondikeTerms())
    reason: Reason = given.pop("reason", "won")
    date: str | None = given.pop("date", None)
    won = reason == "won"
    counted = {"score": 700, "bonus": 100, "moves": 120, "played_ms": 120_000} | given.pop("tally", {})
    outcome = Outcome(reason, 0 if won else None, (52 if won else 9,))
    return Result(
        match=match,
        rules=given.pop("rules", 1),
        terms=terms,
        identities=(who,),
        names=(who.title(),),
        outcome=outcome,
        wall_ms=given.pop("wall_ms", WALL),
        ended_ms=given.pop("ended_ms", 130_000),
        games=(GameResult(outcome, outcome.counts, date=date),),
        tally=Tally(**counted),
        **given,
    )


def duel(match: str, players: tuple[str, str] = ("ann", "bob"), winner: int | None = 0, **given: Any) -> Result:
    """A duel of one game that ran until one was out; ``reason``, ``terms``, ``counts``, … change it."""
    reason: Reason = given.pop("reason", "void" if winner is None else "out")
    counts: tuple[int, int] = given.pop("counts", (52, 31) if winner == 0 else (31, 52))
    outcome = Outcome(reason, winner, counts)
    return Result(
        match=match,
        rules=1,
        terms=given.pop("terms", DuelTerms()),
        identities=players,
        names=(players[0].title(), players[1].title()),
        outcome=outcome,
        wall_ms=given.pop("wall_ms", WALL),
        ended_ms=300_000,
        sums=counts,
        games=given.pop("games", (GameResult(outcome, counts),)),
        **given,
    )


async def no_replay(match: str) -> bytes | None:
    return None


class Office:
    """Records, their keeper and their desk."""

    def __init__(self) -> None:
        self.records = MemoryRecords()
        self.clock = JumpClock()
        self.desk = self.other()

    def other(self) -> Desk:
        """The desk of another node on the same records."""
        return Desk(self.records, Keeper(self.records), clock=self.clock, randbytes=chance("desk"), archived=no_replay)

    async def enter(self, *results: Result) -> None:
        for result in results:
            for identity, name in zip(result.identities, result.names, strict=True):
                if await self.records.identity(identity) is None:
                    await self.records.add_identity(Identity(identity, name, 5), identity.encode() * 8)
            assert await self.records.add_result(result.match, encode(result))

    async def ask(self, question: Any, who: str = "ann", offset: int = 0) -> Any:
        viewer = FakeViewer(f"b.{who}", who, MSGPACK)
        viewer.offset = offset
        return await self.desk.answer(viewer, question)
