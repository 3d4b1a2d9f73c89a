"""The lobby on one node: takes seeks, pairs them once a second and at each arrival, calls both to their match, and
gives who was ready his place back if the other was not (``server.lobby`` says who meets whom).
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import structlog
from msgspec import Struct
from msgspec.structs import replace

from server.life import Life
from server.lobby import listing, pairs
from server.opening import check_terms
from server.ports import BadTerms, Clock, PairsPort, Timer, Unavailable, Viewer
from server.storage.base import PAIRING_MS, Lobby, LobbyView, Pairing, Seek, Seeker, StoreError
from shared import protocol
from shared.protocol import (
    AcceptSeek,
    Assigned,
    Failed,
    FindOpponent,
    Seeking,
    StopSeeking,
    ToClient,
    ToLobby,
    TurnDown,
)
from shared.table import Table
from shared.terms import DuelTerms

_log: Final = structlog.get_logger("lobby")

ROUND_MS: Final = 1000
#: Both must be ready so soon after they were paired, ms.
READY_MS: Final = 15_000
#: The list is not shown again sooner, ms.
_SHOW_MS: Final = 200
_ID_BYTES: Final = 10


#: The rating of an identity for these terms; ``None``: it has none.
RatingOf = Callable[[str, DuelTerms], Awaitable[float | None]]


class _Call(Struct):
    """A pairing whose players are called. ``made``: its match is there; ``called``: connections that were told."""

    pairing: Pairing
    made: bool = False
    called: set[str] = set()


class Matchmaker:
    """See ``server.ports.LobbyPort`` for what each call promises."""

    def __init__(
        self,
        lobby: Lobby,
        rooms: PairsPort,
        *,
        clock: Clock,
        randbytes: Callable[[int], bytes],
        life: Life,
        rating: RatingOf,
    ) -> None:
        """``rating``: by which who seeks is paired."""
        self._lobby = lobby
        self._rooms = rooms
        self._clock = clock
        self._randbytes = randbytes
        self._life = life
        self._rating = rating
        self._here: dict[str, Viewer] = {}  # by connection: whoever asked anything
        self._seeking: dict[str, str] = {}  # connection -> seek
        self._watching: dict[str, Viewer] = {}
        self._calls: dict[str, _Call] = {}  # by match
        self._now = 0  # the lobby's time, as last seen
        self._known: dict[str, str] = {}  # what was sought here when it was last seen
        self._shown: tuple[str, ...] | None = None
        self._shown_at = 0
        self._follows = False
        self._timer: Timer | None = None
        self._rounds: asyncio.Task[None] | None = None
        self._again = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # What connections ask.

    async def serve(self, viewer: Viewer, message: ToLobby) -> ToClient | None:
        """Do what is asked, and return the answer."""
        self._here[viewer.conn] = viewer
        if isinstance(message, FindOpponent):
            return await self._seek(viewer, message)
        if isinstance(message, AcceptSeek):
            return await self._accept(viewer, message.seek)
        if isinstance(message, StopSeeking):
            await self._stop(viewer.conn)
            return Seeking()
        if isinstance(message, TurnDown):
            return await self._turn_down(viewer, message.match)
        if isinstance(message, protocol.WatchLobby):
            self._watching[viewer.conn] = viewer
            self._arm()
            return listing(await self._lobby.look(self._life.boot))
        self._watching.pop(viewer.conn, None)
        return None

    def gone(self, viewer: Viewer) -> None:
        """Its seek ends with the connection."""
        self._here.pop(viewer.conn, None)
        self._watching.pop(viewer.conn, None)
        if self._seeking.pop(viewer.conn, None) is not None:
            self._spawn(self._close_seek(viewer.conn))

    async def _seek(self, viewer: Viewer, message: FindOpponent) -> ToClient:
        try:
            check_terms(message.terms)
        except BadTerms as error:
            return Failed("bad_terms", str(error), error.field)
        rating = await self._rating(viewer.identity, message.terms)
        seek = Seek(self._new_id(), _seeker(viewer), message.terms, rating=rating)
        return await self._open(seek) or Seeking()

    async def _open(self, seek: Seek) -> ToClient | None:
        """Open a seek and return how it stands; ``None``: its connection ended or is called already."""
        opened = await self._lobby.open_seek(seek)
        conn = seek.who.conn
        viewer = self._here.get(conn)
        if viewer is None:
            await self._lobby.close_seek(conn)
            return None
        if isinstance(opened, Pairing):
            return self._assigned(opened, seek.who.identity)
        if self._is_called(conn):
            return None  # another node was faster than this answer
        self._seeking[conn] = opened.seek
        self._wake()
        return Seeking(opened.seek, opened.terms, self._waited(opened))

    def _waited(self, seek: Seek) -> int:
        """Return how long a seek that was opened again has waited; the next list has the exact figure."""
        return 0 if seek.since is None else max(0, self._now - seek.since)

    async def _accept(self, viewer: Viewer, seek: str) -> ToClient | None:
        view = await self._lobby.look(self._life.boot)
        for pairing in view.pairings:
            if any(who.identity == viewer.identity for who in pairing.players):
                return self._assigned(pairing, viewer.identity)
        found = next((open_seek for open_seek in view.seeks if open_seek.seek == seek), None)
        if found is not None and found.who.identity == viewer.identity:
            return Failed("own_seek", "this seek is your own", "seek")
        pairing_or_none = await self._lobby.accept(self._new_id(), seek, _seeker(viewer))
        if pairing_or_none is None:
            return Failed("no_such_seek", "somebody else was faster, or it was taken back", "seek")
        await self._call(pairing_or_none)
        self._wake()
        return None

    async def _turn_down(self, viewer: Viewer, match: str) -> ToClient:
        """Say in the match that he does not come; both are then seen to by ``_follow``."""
        call = self._calls.get(match)
        who = [] if call is None else [player.identity for player in call.pairing.players]
        if viewer.identity in who:
            await self._rooms.turn_down(match, who.index(viewer.identity))
            self._follows = True
            self._wake()
        return Seeking()

    async def _stop(self, conn: str) -> None:
        self._seeking.pop(conn, None)
        await self._lobby.close_seek(conn)
        self._wake()

    async def _close_seek(self, conn: str) -> None:
        await self._lobby.close_seek(conn)
        self._wake()

    # Rounds.

    def _arm(self) -> None:
        if self._timer is None and not self._closed and (self._seeking or self._watching or self._calls):
            self._timer = self._clock.call_later(ROUND_MS, self._on_round)

    def _on_round(self) -> None:
        self._timer = None
        self._follows = True
        self._wake()

    def _wake(self) -> None:
        """Have a round now, or one more after the one under way."""
        self._arm()
        if self._rounds is None:
            self._rounds = self._spawn(self._work())
        else:
            self._again = True

    async def _work(self) -> None:
        try:
            while True:
                self._again = False
                await self._round()
                if not self._again:
                    break
        except (StoreError, Unavailable) as error:
            _log.warning("store away", why=str(error))  # the next round tries again
        finally:
            self._rounds = None
            self._arm()

    async def _round(self) -> None:
        view = await self._look()
        made = 0
        for one, other in pairs(view.seeks, view.now):
            if one.who.conn in self._here or other.who.conn in self._here:
                made += await self._lobby.pair(self._new_id(), (one.seek, other.seek)) is not None
        if made:
            view = await self._look()
        for pairing in view.pairings:
            await self._call(pairing)
        self._tell_ended(view)
        if self._follows:
            self._follows = False
            for call in list(self._calls.values()):
                await self._follow(call, view.now)
        self._publish(view)

    async def _look(self) -> LobbyView:
        self._known = dict(self._seeking)
        view = await self._lobby.look(self._life.boot)
        self._now = view.now
        return view

    def _tell_ended(self, view: LobbyView) -> None:
        """Tell the connections of this node whose seek is gone: another connection of theirs seeks, or accepted one."""
        still = {seek.who.conn for seek in view.seeks}
        for conn, seek in self._known.items():
            if conn not in still and self._seeking.get(conn) == seek:
                del self._seeking[conn]
                if not self._is_called(conn):
                    self._tell(conn, Seeking())

    def _is_called(self, conn: str) -> bool:
        return any(conn in call.called for call in self._calls.values())

    def _publish(self, view: LobbyView) -> None:
        """Show the list to those who watch, if it is not what they saw. In a busy lobby the next round does it."""
        shown = tuple(seek.seek for seek in view.seeks)
        now = self._clock.mono_ms()
        if shown == self._shown or now - self._shown_at < _SHOW_MS:
            return
        self._shown, self._shown_at = shown, now
        message = listing(view)
        frames: dict[str, bytes] = {}
        for viewer in list(self._watching.values()):
            codec = viewer.codec
            if codec.name not in frames:
                frames[codec.name] = codec.encode(message)
            viewer.write(frames[codec.name])

    # Calls.

    async def _call(self, pairing: Pairing) -> None:
        """Make the match, and call those of the two who are connected here."""
        call = self._calls.setdefault(pairing.match, _Call(pairing))
        if not call.made:
            players = tuple((who.identity, who.name) for who in pairing.players)
            await self._rooms.create_paired(pairing.match, players, pairing.terms, READY_MS)
            call.made = True
        for who in pairing.players:
            if who.conn in self._here and who.conn not in call.called:
                call.called.add(who.conn)
                self._tell(who.conn, self._assigned(pairing, who.identity))

    def _assigned(self, pairing: Pairing, identity: str) -> Assigned:
        seat = 0 if pairing.players[0].identity == identity else 1
        left = max(0, READY_MS - max(0, self._now - pairing.at))
        return Assigned(pairing.match, seat, pairing.terms, pairing.players[1 - seat].name, left)

    async def _follow(self, call: _Call, now: int) -> None:
        """See whether the match began, or came to nothing."""
        pairing = call.pairing
        table = await self._rooms.table(pairing.match)
        if table is not None and table.phase == "gathering":
            return
        if table is None and now - pairing.at < PAIRING_MS:
            return
        await self._lobby.settle(pairing.match)
        del self._calls[pairing.match]
        if table is not None and table.phase == "over" and not table.games:
            await self._give_back(call, table)

    async def _give_back(self, call: _Call, table: Table) -> None:
        """Open the seek again of who was ready, or whom the other turned down."""
        pairing = call.pairing
        for seat, (who, seek, player) in enumerate(zip(pairing.players, pairing.seeks, table.players, strict=True)):
            if who.conn not in self._here or who.conn in self._seeking or seat == table.declined:
                continue
            stays = table.declined is not None or (player is not None and player.ready)
            answer = await self._open(replace(seek, who=who)) if stays and seek is not None else Seeking()
            if answer is not None:
                self._tell(who.conn, answer)

    # Small things.

    def _tell(self, conn: str, message: ToClient) -> None:
        viewer = self._here.get(conn)
        if viewer is not None:
            viewer.write(viewer.codec.encode(message))

    def _new_id(self) -> str:
        return self._randbytes(_ID_BYTES).hex()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task failed", error=repr(error))

    async def close(self) -> None:
        """Stop the rounds."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._here.clear()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _seeker(viewer: Viewer) -> Seeker:
    return Seeker(viewer.identity, viewer.name, viewer.conn)
