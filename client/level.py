"""A computer player of a named level over a connection: its pace is a person's, so it needs the time."""

from collections.abc import Callable
from typing import Final

from client.session import Session
from shared.bots import Bot, LevelName
from shared.protocol import Wish
from shared.ruleset import ruleset
from shared.table import AgreeEnd

#: Each game of a match is played with chance of its own.
_GAMES: Final = 0x9E3779B97F4A7C15


class LevelPlayer:
    """Plays one seat of a duel as ``level`` does: a ``client.player.Player``.

    ``seed``: of its chance. ``mono_ms``: a clock that only ever grows; play time is told from it between messages.
    """

    def __init__(self, level: LevelName, seed: int, mono_ms: Callable[[], int]) -> None:
        self._level = level
        self._seed = seed
        self._mono_ms = mono_ms
        self._bot: Bot | None = None
        self._game = 0
        self._seen = (-1, 0)

    def choose(self, session: Session) -> Wish | int | None:
        """See ``Player.choose``; the wait is in play time."""
        table, seat, position = session.table, session.seat, session.position
        if table is None or seat is None or position is None:
            return None
        if self._bot is None or self._game != table.game:
            self._bot, self._game = Bot(self._level, seat, self._seed + table.game * _GAMES), table.game
        me, other = table.players[seat], table.players[1 - seat]
        if self._bot.has_given_in and other is not None and other.agrees_end and me is not None and not me.agrees_end:
            return AgreeEnd()
        rules, now = ruleset(table.terms), self._now(session)
        due = self._bot.look(rules, position, now, session.n)
        if due is None or due > now:
            return None if due is None else due - now
        command = self._bot.act(rules, position, now, session.n)
        return 0 if command is None else command

    def _now(self, session: Session) -> int:
        """Return the play time: that of the last message, and what passed since."""
        if session.no != self._seen[0]:
            self._seen = (session.no, self._mono_ms())
        return session.at + self._mono_ms() - self._seen[1]
