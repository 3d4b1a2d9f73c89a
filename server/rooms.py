"""All matches that this node has open: made, found, kept, let go."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

import structlog

from server.afterwards import Afterwards
from server.computers import Computers
from server.facts import Computer, Created, GoneNode, rules_of
from server.follow import SLICE, Services
from server.life import Life, Pulse
from server.lifetimes import Lifetimes
from server.losswatch import LossWatch
from server.opening import check_terms, claim_code, make_match, read_room_code
from server.ports import Advisor, Clock, InThread, NewerRules, StuckSearch, Unavailable
from server.room import Room
from server.storage.base import AppendResult, Beat, NotAppended, Store
from server.stuckwatch import StuckWatch, search_by
from shared import fair
from shared.bots import LevelName
from shared.protocol import Notice
from shared.ruleset import VERSION, ruleset
from shared.table import Table
from shared.terms import Terms

_log: Final = structlog.get_logger("rooms")

#: A room that nobody looks at is let go after so many beats.
IDLE_BEATS: Final = 30
#: How long a closing node waits for its last entries.
_GOODBYE_SECONDS: Final = 0.5
_ID_BYTES: Final = 10
_SEED_BYTES: Final = 32

T = TypeVar("T")


class Rooms:
    """See ``server.ports.RoomsPort`` for what each call promises."""

    def __init__(  # noqa: PLR0913 - the parts of a node, by name
        self,
        store: Store,
        *,
        clock: Clock,
        randbytes: Callable[[int], bytes],
        life: Life,
        advisor: Advisor | None = None,
        in_thread: InThread | None = None,
        stuck_search: StuckSearch | None = None,
        lifetimes: Lifetimes | None = None,
        daily_secret: bytes | None = None,
    ) -> None:
        self._life = life
        self._daily_secret = daily_secret
        self._lifetimes = lifetimes or Lifetimes()
        self._store = store
        self._clock = clock
        self._randbytes = randbytes
        self._advisor = advisor
        self._open: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._idle: dict[str, int] = {}
        self._adopted: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changed: dict[str, None] = {}
        self._draining = False
        self._pulse = Pulse(
            store.log,
            life,
            clock,
            spawn=self._spawn,
            named=self._named,
            take=self._take_beat,
            tell=lambda here: self._tell(Notice("available" if here else "unavailable")),
        )
        life.on_death(self._let_all_go)
        store.log.listen(self._hinted, self._missed)
        self._pool = ThreadPoolExecutor(1, "search")
        in_thread = in_thread or self._in_pool
        self._afterwards = Afterwards(
            store, clock, self._spawn, in_thread, lambda: self._pulse.knows, self._lifetimes.solo_ms
        )
        self._stuck = StuckWatch(self._open.get, stuck_search or search_by(in_thread))
        self._searching = False
        self._computers = Computers(self._open.get, clock, life, self._adopted)
        self._loss = None if advisor is None else LossWatch(self._open.get, advisor)
        self._services = Services(
            log=store.log,
            clock=clock,
            randbytes=randbytes,
            spawn=self._spawn,
            changed=self._note,
            advisor=advisor,
        )

    # Life.

    @property
    def available(self) -> bool:
        """Whether the store answers."""
        return self._pulse.available

    async def start(self) -> None:
        """Join the store, take up what runs, begin to beat."""
        await self._pulse.start()

    def drain(self) -> None:
        """Make no new match any more."""
        self._draining = True

    async def close(self) -> None:
        """Stop everything."""
        self._draining = True
        self._pulse.stop()
        self._computers.stop()
        await self._say_goodbye()
        for room in list(self._open.values()):
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _say_goodbye(self) -> None:
        """Write into every match that this node's connections end; a store that is away is not waited for."""
        boot = self._life.boot
        here = [room for room in self._open.values() if not room.closed and boot in room.boots()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_SECONDS):
                await asyncio.gather(*(_said(partial(room.log.append, GoneNode(boot))) for room in here))

    def __len__(self) -> int:
        return len(self._open)

    # Matches.

    async def create(self, identity: str, name: str, terms: Terms, bot: LevelName | None = None) -> Room:
        """Make a match."""
        if self._draining:
            raise Unavailable("this node makes no new match")
        opening = check_terms(terms, computer=bot is not None, wall_ms=self._clock.wall_ms())
        if opening.daily is not None:
            return await self._daily(identity, name, opening.terms, opening.daily)
        deal, notice = opening.deal, None
        if opening.game is not None and deal is None:
            deal, notice = await opening.draw(self._advisor, self._randbytes)
        match = self._randbytes(_ID_BYTES).hex()
        code = None
        if ruleset(terms).seats > 1 and bot is None:
            code = await claim_code(self._store.lobby, self._randbytes, match)
        computer = None if bot is None else Computer(bot, self._randbytes(_SEED_BYTES))
        people, now = ((identity, name),), self._clock.wall_ms()
        first = Created(opening.terms, people, now, self._pulse.knows, code, deal, None, notice, computer)
        await make_match(self._store.log, match, first)
        return await self._made(match)

    async def _daily(self, identity: str, name: str, terms: Terms, date: dt.date) -> Room:
        """Open the one match in which ``identity`` plays the daily of ``date``; the first start makes it, and pins the
        draw.
        """
        secret = self._daily_secret or await self._store.records.secret("daily", self._randbytes(_SEED_BYTES))
        match = fair.daily_match(secret, date, identity)
        room = await self.find(match)
        if room is not None:
            return room
        people, seed = ((identity, name),), fair.daily_seed(secret, date)
        first = Created(terms, people, self._clock.wall_ms(), self._pulse.knows, daily=seed)
        await make_match(self._store.log, match, first, others_may=True)
        return await self._made(match)

    async def create_paired(
        self, match: str, players: tuple[tuple[str, str], ...], terms: Terms, ready_ms: int
    ) -> None:
        """Make the match of two whom the lobby paired; another node may have been faster."""
        if self._draining:
            raise Unavailable("this node makes no new match")
        first = Created(terms, players, self._clock.wall_ms(), self._pulse.knows, ready_ms=ready_ms)
        await make_match(self._store.log, match, first, others_may=True)

    async def _made(self, match: str) -> Room:
        """Return the room of a match that was just made."""
        room = await self.find(match)
        if room is None:
            raise Unavailable("the match was made and is gone")
        return room

    async def turn_down(self, match: str, seat: int) -> None:
        """Say that ``seat`` does not want the match to which the lobby called."""
        room = await self.find(match)
        if room is not None and not room.closed:
            await _said(partial(room.turn_down, seat))

    async def give_up(self, match: str, identity: str) -> None:
        """Give up a solo game of ``identity``, as another takes its place."""
        room = await self.find(match)
        seat = None if room is None or room.closed or not room.state.solo else room.state.seat_of(identity)
        if room is not None and seat is not None:
            await _said(partial(room.give_up, seat))

    async def table(self, match: str) -> Table | None:
        """Return the table of a match."""
        room = await self.find(match)
        return None if room is None else room.state.table

    async def find(self, match: str) -> Room | None:
        """Return the room of a match, opened if need be; of callers at once only one opens it."""
        room = self._open.get(match)
        if room is not None and not room.closed:
            return room
        making = self._afterwards.making.get(match)
        if making is not None:
            await making.wait()
        task = self._opening.get(match)
        if task is None:
            task = self._opening[match] = asyncio.get_running_loop().create_task(self._load(match))
            task.add_done_callback(lambda _: self._opening.pop(match, None))
        return await asyncio.shield(task)

    async def by_code(self, code: str) -> Room | None:
        """Return the room behind a code."""
        read = read_room_code(code)
        match = None if read is None else await self._store.lobby.find_code(read)
        return None if match is None else await self.find(match)

    async def _load(self, match: str) -> Room | None:
        boot = self._life.boot
        answer = await self._store.log.register(match)
        if isinstance(answer, NotAppended):
            if answer.why == "unavailable":
                raise Unavailable("the store is away")
            return None
        if rules_of(answer.entries[0].data) > VERSION:
            raise NewerRules(match)
        room = Room(match, self._services)
        try:
            await room.log.load(answer)
        except Exception:  # noqa: BLE001 - a match that cannot be folded is void, and no other match notices
            _log.exception("fault", match=match)
            if not await room.log.reload():
                return None
        if boot != self._life.boot:
            raise Unavailable("this node died meanwhile, and hosts nothing")
        self._open[match] = room
        self._idle.pop(match, None)
        self._keep(room)
        if self._pulse.is_alone:  # else the next beat shows who is dead
            room.end_nodes(room.boots() - {self._life.boot})
        room.log.begin()
        if room.state.no >= SLICE:
            room.log.refresh()  # what came while it was loaded in slices
        self._note(match)
        return room

    # What rooms ask for.

    def _note(self, match: str) -> None:
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._look)
        self._changed[match] = None

    def _look(self) -> None:
        changed, self._changed = self._changed, {}
        for match in changed:
            room = self._open.get(match)
            if room is not None and not room.closed:
                self._afterwards.see(room)
                if self._searches(room):
                    (self._loss if self._loss is not None and room.state.solo else self._stuck).note(match)
                self._computers.see(room)

    def _searches(self, room: Room) -> bool:
        """Whether this node searches for the match's seats: of the nodes that its players are on, one does."""
        return min(room.boots(), default=self._life.boot) == self._life.boot

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task failed", error=repr(task.exception()))

    async def _in_pool(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    # What other nodes do.

    def _hinted(self, match: str) -> None:
        room = self._open.get(match)
        if room is not None:
            room.log.refresh()

    def _missed(self, matches: Iterable[str]) -> None:
        for match in matches:
            self._hinted(match)

    def _named(self) -> frozenset[str]:
        """Return the boot ids whose connections the open matches name."""
        return frozenset(boot for room in self._open.values() for boot in room.boots())

    async def _take_beat(self, beat: Beat, dead: frozenset[str]) -> None:
        """Take over what is orphaned; say who is dead; let go what is idle; look for stuck seats."""
        for match in beat.adopt:
            await self._adopt(match)
        boots = frozenset(beat.boots or ())
        for match, room in list(self._open.items()):
            if dead:
                room.end_nodes(dead)
            if not room.closed:
                room.end_strays(self._life.boot)
            self._age(match, room, boots)
        if self._stuck.look() and not self._searching:
            self._searching = True
            self._spawn(self._search())
        while self._loss is not None and (room_to_search := self._loss.next()) is not None:
            self._spawn(self._loss.search(room_to_search))
            await asyncio.sleep(0)  # so that it counts as running

    async def _adopt(self, match: str) -> None:
        """Open a match that no living node hosts. One of newer rules stays registered, so that it is not offered again:
        its players find a node that knows them.
        """
        self._adopted.add(match)
        try:
            await self.find(match)
        except NewerRules:
            _log.error("an orphaned match needs a newer node", match=match)
        except Unavailable:
            self._adopted.discard(match)
            self._store.log.unregister(match)  # a later beat offers it again

    def _age(self, match: str, room: Room, boots: frozenset[str]) -> None:
        """Let a room go that nobody looked at for a while. ``boots``: the nodes that live; one that has a player of the
        match sees to its deadlines.
        """
        elsewhere = not boots.isdisjoint(room.boots() - {self._life.boot})
        if room.closed:
            self._let_go(match)
        elif not room.is_idle and not (elsewhere and room.is_quiet):
            self._idle.pop(match, None)
        elif self._idle.setdefault(match, 0) < IDLE_BEATS:
            self._idle[match] += 1
        else:
            self._let_go(match)

    def _let_go(self, match: str) -> None:
        room = self._open.pop(match, None)
        self._idle.pop(match, None)
        self._adopted.discard(match)
        self._afterwards.forget(match)
        self._stuck.forget(match)
        self._computers.forget(match)
        if self._loss is not None:
            self._loss.forget(match)
        if room is not None:
            room.close()
            self._keep(room)
            self._store.log.unregister(match)

    def _keep(self, room: Room) -> None:
        """Let the match's time begin anew, if it has one."""
        ms = self._lifetimes.of(room.state)
        if ms is not None:
            self._store.log.keep(room.match, ms)

    def _let_all_go(self) -> None:
        for match in list(self._open):
            self._let_go(match)

    async def _search(self) -> None:
        try:
            await self._stuck.work()
        finally:
            self._searching = False

    def _tell(self, notice: Notice) -> None:
        for room in self._open.values():
            room.audience.tell(notice)


async def _said(say: Callable[[Callable[[AppendResult], None]], None]) -> None:
    """Wait until what ``say`` says is in the log, or surely not."""
    said: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    say(lambda _: None if said.done() else said.set_result(None))
    await said
