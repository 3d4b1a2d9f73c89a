"""A computer player of a named level over a connection: its pace is a person's, so it needs the time."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from client.connection import Connection
from client.session import Session
from shared.bots import Bot, LevelName
from shared.protocol import Wish
from shared.ruleset import ruleset
from shared.table import AgreeEnd, Ready, Table

#: Each game of a match is played with chance of its own.
_GAMES: Final = 0x9E3779B97F4A7C15


class LevelPlayer:
    """Plays one seat of a duel as ``level`` does.

    ``seed``: of its chance. ``mono_ms``: a clock that only ever grows; play time is told from it between messages.
    ``ms_a_second``: how far that clock moves in a second.
    """

    def __init__(self, level: LevelName, seed: int, mono_ms: Callable[[], int], ms_a_second: int = 1000) -> None:
        self._level = level
        self._seed = seed
        self._mono_ms = mono_ms
        self._ms_a_second = ms_a_second
        self._bot: Bot | None = None
        self._game = 0
        self._seen = (-1, 0)

    async def play(self, connection: Connection, *, nonce: Callable[[], str]) -> Table:
        """Play a match that was entered to its end, and return its table then.

        ``nonce``: gives the 32 hex digits that this seat adds to each deal (docs/rules.md, Fair deals).

        Raises:
            ServerError, LinkClosed: as ``Connection.until``.
        """
        session = connection.session
        while True:
            table = session.table
            if table is None or session.seat is None:
                raise RuntimeError("play: expected a seat in a match, got none (create or join one first)")
            if table.phase == "over":
                return table
            wish, wait_ms = self._next(session, table, session.seat, nonce)
            if wish is not None:
                await connection.play(wish)
                continue
            seen = session.no
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if wait_ms is None else wait_ms / self._ms_a_second):
                    await connection.until(lambda session, seen=seen: session.no != seen)  # type: ignore[misc]

    def _next(
        self, session: Session, table: Table, seat: int, nonce: Callable[[], str]
    ) -> tuple[Wish | None, int | None]:
        """Return what to do now, or how long to wait for it (ms; ``None``: until something changes)."""
        me = table.players[seat]
        if table.phase in {"gathering", "between"}:
            waits = me is None or me.ready or None in table.players
            return (None if waits else Ready(nonce())), None
        position = session.position
        if table.phase != "playing" or position is None or position.outcome is not None:
            return None, None
        if self._bot is None or self._game != table.game:
            self._bot, self._game = Bot(self._level, seat, self._seed + table.game * _GAMES), table.game
        other = table.players[1 - seat]
        if self._bot.has_given_in and other is not None and other.agrees_end and me is not None and not me.agrees_end:
            return AgreeEnd(), None
        rules, now = ruleset(table.terms), self._now(session)
        due = self._bot.look(rules, position, now, session.n)
        if due is None or due > now:
            return None, None if due is None else due - now
        command = self._bot.act(rules, position, now, session.n)
        return command, 0

    def _now(self, session: Session) -> int:
        """Return the play time: that of the last message, and what passed since."""
        if session.no != self._seen[0]:
            self._seen = (session.no, self._mono_ms())
        return session.at + self._mono_ms() - self._seen[1]
