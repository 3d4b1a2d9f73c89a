"""How a node lives in the store: under a name of its own, by a beat a second, and under another name after a death.

A node that was stopped for longer than ``server.storage.base.DEAD_MS`` was buried by the others: they wrote that its
connections ended, and took over its matches. When it wakes it is told so by its first beat, and begins anew: nothing
that it held is trusted any more.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import structlog

from server.ports import Clock, Timer
from server.storage.base import Beat, MatchLog
from shared.ruleset import VERSION

_log: Final = structlog.get_logger("rooms")

BEAT_MS: Final = 1000
#: Without an answer of the store for so long, viewers are told, ms.
AWAY_MS: Final = 2000


class Life:
    """The name under which this node lives, ``boot``; never used again once the life is over.

    ``names`` gives them. Whatever holds things of a life says by ``on_death`` how to let them go.
    """

    def __init__(self, names: Callable[[], str]) -> None:
        self._names = names
        self._on_death: list[Callable[[], None]] = []
        self.boot = names()

    def on_death(self, call: Callable[[], None]) -> None:
        """Have ``call`` called once this life is over, the last given first; ``boot`` is the next one's by then."""
        self._on_death.insert(0, call)

    def begin_anew(self) -> None:
        """Take another name, and let go what the life before held."""
        self.boot = self._names()
        for call in self._on_death:
            call()


class Pulse:
    """The beat. ``available``: the store answers; ``knows``: the rules that all nodes know; ``is_alone``: there can be
    no other node.
    """

    def __init__(
        self,
        log: MatchLog,
        life: Life,
        clock: Clock,
        *,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        named: Callable[[], frozenset[str]],
        take: Callable[[Beat, frozenset[str]], Awaitable[None]],
        tell: Callable[[bool], None],
    ) -> None:
        """``named``: the boot ids that the open matches name; ``take``: called with each beat of a living node, and
        with the named ones that are dead; ``tell``: called when the store goes away or comes back.
        """
        self.available = True
        self.knows = VERSION
        self.is_alone = True
        self._log = log
        self._life = life
        self._clock = clock
        self._spawn = spawn
        self._named = named
        self._take = take
        self._tell = tell
        self._timer: Timer | None = None
        self._away: Timer | None = None
        self._stopped = False

    async def start(self) -> None:
        """Join the store and give the first beat."""
        await self._log.join(self._life.boot, VERSION)
        await self._beat()

    def stop(self) -> None:
        """Beat no more."""
        self._stopped = True
        for timer in (self._timer, self._away):
            if timer is not None:
                timer.cancel()
        self._timer = self._away = None

    def _on_beat(self) -> None:
        self._timer = None
        self._spawn(self._beat())

    async def _beat(self) -> None:
        if self._away is None:
            self._away = self._clock.call_later(AWAY_MS, self._store_away)
        try:
            # A node joins before any match names it: whom a beat does not show that began after the name was read,
            # is dead.
            named = self._named()
            beat = await self._log.beat()
            self._store_here()
            await self._live(beat, named)
        except Exception:  # noqa: BLE001 - the next beat tries again
            _log.exception("beat")
        finally:
            if not self._stopped:
                self._timer = self._clock.call_later(BEAT_MS, self._on_beat)

    async def _live(self, beat: Beat, named: frozenset[str]) -> None:
        self.is_alone = beat.boots is None
        self.knows = VERSION if beat.knows is None else min(VERSION, beat.knows)
        if beat.alive:
            await self._take(beat, named - {self._life.boot, *(beat.boots or ())})
            return
        _log.error("this node was taken for dead and begins anew", boot=self._life.boot)
        self._life.begin_anew()
        await self._log.join(self._life.boot, VERSION)

    def _store_away(self) -> None:
        if self.available:
            self.available = False
            _log.warning("the store is away")
            self._tell(False)

    def _store_here(self) -> None:
        if self._away is not None:
            self._away.cancel()
            self._away = None
        if not self.available:
            self.available = True
            _log.info("the store is back")
            self._tell(True)
