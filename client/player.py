"""Players for tests, load and first bots: what to do next, and the loop that plays a match with it.

A player sees a session, so the same view as a person, and answers with a wish. Chance is an argument.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from client.connection import Connection
from client.session import Session
from shared.moves import Declare, Draw, Legal, Move, Pass, Recycle
from shared.protocol import Wish
from shared.table import Ready, Table

#: The commands that a game is played with, by their tag in ``Legal.commands``.
PLAYED: Final[dict[str, Wish]] = {"draw": Draw(), "recycle": Recycle()}
#: The commands that end a game which nobody wants to go on with, in the order of asking.
GIVING_IN: Final[dict[str, Wish]] = {"declare": Declare(), "pass": Pass()}


class Player(Protocol):
    """Decides what to do. It is asked while a game runs, in a seat."""

    def choose(self, session: Session) -> Wish | int | None:
        """Return what to do now; or how long to wait for it, ms; or ``None`` to wait for the next message."""
        ...


class ScriptedPlayer:
    """Plays the given wishes in order, then waits."""

    def __init__(self, wishes: Iterable[Wish]) -> None:
        self.left = deque(wishes)

    def choose(self, session: Session) -> Wish | None:
        """Return the next wish of the script."""
        del session
        return self.left.popleft() if self.left else None


class RandomPlayer:
    """Plays any legal move, foundation plays eight times as gladly; gives in after ``longest`` plays of a game.

    ``chance``: gives numbers in [0, 1). The session must get legal targets.
    """

    def __init__(self, chance: Callable[[], float], *, longest: int = 200) -> None:
        self._chance = chance
        self._longest = self._left = longest
        self._game = 0

    def choose(self, session: Session) -> Wish | None:
        """Return a random legal wish; ``None`` if there is none, or it is not the seat's turn."""
        if session.legal is None or session.table is None:
            return None
        if session.table.game != self._game:
            self._game, self._left = session.table.game, self._longest
        if self._left > 0:
            wishes = weighted_wishes(session.legal)
            if wishes:
                self._left -= 1
                return wishes[int(self._chance() * len(wishes))]
        return next((wish for tag, wish in GIVING_IN.items() if tag in session.legal.commands), None)


def weighted_wishes(legal: Legal) -> Sequence[Wish]:
    """All legal plays, each as often as it is liked."""
    wishes: list[Wish] = [wish for tag, wish in PLAYED.items() if tag in legal.commands]
    for card, targets in legal.moves.items():
        for target in targets:
            wishes.extend([Move(card, target)] * (8 if target == "f" else 1))
    return wishes


async def take_part(
    connection: Connection, player: Player, *, nonce: Callable[[], str], ms_a_second: int = 1000
) -> Table:
    """Play a match that was entered to its end, and return its table then.

    ``nonce``: gives the 32 hex digits that this seat adds to each deal (docs/rules.md, Fair deals). ``ms_a_second``:
    how far the player's clock moves in a second.

    Raises:
        ServerError, LinkClosed: as ``Connection.until``.
    """
    session = connection.session
    while True:
        table = session.table
        if table is None or session.seat is None:
            raise RuntimeError("take_part: expected a seat in a match, got none (create or join one first)")
        if table.phase == "over":
            return table
        now = _now(session, table, session.seat, player, nonce)
        if now is not None and not isinstance(now, int):
            await connection.play(now)
            continue
        seen = session.no
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if now is None else now / ms_a_second):
                await connection.until(lambda session, seen=seen: session.no != seen)  # type: ignore[misc]


def _now(session: Session, table: Table, seat: int, player: Player, nonce: Callable[[], str]) -> Wish | int | None:
    """Return what to do now, or how long to wait for it (ms; ``None``: until something changes)."""
    me = table.players[seat]
    if table.phase in {"gathering", "between"}:
        waits = me is None or me.ready or None in table.players
        return None if waits else Ready(nonce())
    over = session.position is None or session.position.outcome is not None
    return None if table.phase != "playing" or over else player.choose(session)
