"""One client's connection: frames to messages, messages to its room, limits. It knows no rule of a game.

Every frame has a defined answer (docs/protocol.md): a message of the schema is served, in the order in which it came;
anything else is answered by ``Failed``, and by a close code if it goes on. A fault in serving one connection is
logged, answered by ``Failed`` ``internal`` and noticed by nobody else.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any, Final, Literal

import structlog
from msgspec.structs import replace

from server.greeting import Greeted, greet
from server.house import House
from server.limits import TokenBucket
from server.link import POLICY, RESTARTING, TOO_SLOW, Link
from server.malformed import failed_of
from server.outbox import Outbox
from server.ports import NO_SUCH_MATCH, BadTerms, NewerRules, RoomPort, Timer, Unavailable
from server.storage.base import StoreError
from shared.codec import CODECS, Codec, Malformed
from shared.moves import Refusal
from shared.protocol import (
    AskHint,
    AskLegal,
    AskSnapshot,
    Create,
    Failed,
    Hello,
    Join,
    Leave,
    Notice,
    Ping,
    Play,
    Pong,
    Refused,
    ToClient,
    ToDevices,
    ToLobby,
    ToRecords,
    ToServer,
    Welcome,
)

_log: Final = structlog.get_logger("connection")

_HELLO_FIRST: Final = Failed(code="hello_first", message="say hello first")
_NOT_IN_MATCH: Final = Failed(code="not_in_match", message="join a match first")
_UNAVAILABLE: Final = Failed(code="unavailable", message="the store is away, try again")
_INTERNAL: Final = Failed(code="internal", message="a fault of the server; it is logged")
#: Whether a device was taken away on another node is looked up so often, at most, ms.
_KNOWN_MS: Final = 60_000
_BUSY: Final = Failed(code="too_fast", message="too many messages wait, this one was dropped")


class Connection:
    """One client: a ``Viewer`` to its room, a ``Receiver`` to its link. In one match at a time."""

    def __init__(self, house: House, link: Link, conn: str, address: str) -> None:
        now = house.clock.mono_ms()
        limits = house.limits
        self.conn: str = conn
        self.identity: str = ""
        self.name: str = ""
        self.offset: int | None = None
        self.codec: Codec = CODECS[link.subprotocol]
        self.address = address
        self.room: RoomPort | None = None
        self._house = house
        self._link = link
        self._outbox = Outbox(link, house.postman, limits.outbox_bytes, self._overflow)
        self._messages = TokenBucket(limits.messages_per_second, limits.messages_burst, now)
        self._creates = TokenBucket(limits.creates_per_second, limits.creates_burst, now)
        self._seeks = TokenBucket(limits.seeks_per_second, limits.seeks_burst, now)
        self._questions = TokenBucket(limits.questions_per_second, limits.questions_burst, now)
        self._greeted: Greeted | None = None
        self._known_at = now
        self._task: asyncio.Task[None] | None = None
        self._inbox: deque[ToServer | Failed] = deque()
        self._bad = 0
        self._over = 0
        self._closed = False
        self._hello_timer: Timer | None = house.clock.call_later(limits.hello_ms, self._no_hello)

    @property
    def line_ms(self) -> int | None:
        """There and back, ms."""
        return self._link.line_ms()

    @property
    def proof(self) -> bytes:
        """The hash of its token."""
        return b"" if self._greeted is None else self._greeted.proof

    # To the link.

    def write(self, frame: bytes) -> None:
        """Send ``frame``, an encoded message."""
        counts = self._house.counts
        counts.frames_out += 1
        counts.bytes_out += len(frame)
        self._outbox.write(frame)

    def send(self, message: ToClient) -> None:
        """Send ``message``."""
        self.write(self.codec.encode(message))

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then close; nothing that still comes is served."""
        self._closed = True
        self._outbox.shut()
        self._link.close(code, reason)

    def dropped(self) -> None:
        """Say that this device was taken away from its identity, and end."""
        self.send(Notice(what="dropped"))
        self.close(POLICY, "this device was taken away")

    def cancel(self) -> None:
        """Stop what is being served."""
        if self._task is not None:
            self._task.cancel()

    # From the link.

    def received(self, frame: bytes | str) -> None:
        """Serve a frame, or let it wait until the one before is served."""
        house = self._house
        house.counts.frames_in += 1
        if self._closed:
            return
        message: ToServer | Failed
        try:
            message = self.codec.read_client(frame)
        except Malformed as error:
            message = failed_of(error, frame)
            if self._is_hopeless():
                self.send(message)
                self.close(POLICY, "too many malformed messages")
                return
        if not self._messages.take(house.clock.mono_ms()):
            self._too_fast(message)
        elif self._task is None:
            self._serve(message)
        elif len(self._inbox) < house.limits.waiting:
            self._inbox.append(message)
        else:
            self.send(_refusal(message, _BUSY))

    def closed(self) -> None:
        """The link is gone."""
        self._closed = True
        self._inbox.clear()
        self._outbox.shut()
        self._stop_hello_timer()
        self._house.lobby.gone(self)
        room, self.room = self.room, None
        if room is not None:
            room.detach(self)
        self._house.forget(self)

    # Limits.

    def _is_hopeless(self) -> bool:
        self._house.counts.malformed += 1
        self._bad += 1
        return self._bad > self._house.limits.malformed

    def _too_fast(self, message: ToServer | Failed) -> None:
        self._house.counts.too_fast += 1
        self._over += 1
        self.send(_refusal(message, Failed(code="too_fast", message="too many messages; this one changed nothing")))
        if self._over > self._house.limits.flood:
            self.close(POLICY, "too many messages")

    def _overflow(self) -> None:
        self._house.counts.slow_readers += 1
        _log.info("slow reader", conn=self.conn, unread=self._link.buffered())
        self._closed = True
        self._link.close(TOO_SLOW, "read faster; join again with your last number")

    def _no_hello(self) -> None:
        self._hello_timer = None
        self.close(POLICY, "no hello in time")

    def _stop_hello_timer(self) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None

    # Serving.

    def _serve(self, message: ToServer | Failed) -> None:
        try:
            if type(message) is Play:  # the one that comes by the million
                room = self._open_room()
                if room is None:
                    self.send(_NOT_IN_MATCH if self.identity else _HELLO_FIRST)
                else:
                    room.play(self, message)
            elif isinstance(message, Failed):
                self.send(message)
            elif isinstance(message, Ping):
                room = self._open_room()
                self.send(Pong(message.sent) if room is None else Pong(message.sent, room.now(), room.lines()))
            elif isinstance(message, Hello):
                self._start(self._hello(message))
            elif not self.identity:
                self.send(_HELLO_FIRST)
            elif isinstance(message, ToRecords | ToDevices):
                self._start(self._answer(message))
            elif isinstance(message, Create | Join | ToLobby):
                self._start(self._seek_a_game(message))
            else:
                self._ask(message)
        except Exception:  # noqa: BLE001 - a fault of one connection stays its own; it is logged
            self._fault(message)

    def _ask(self, message: Leave | AskLegal | AskSnapshot | AskHint | Play) -> None:
        room = self._open_room()
        if room is None:
            self.send(_NOT_IN_MATCH)
        elif isinstance(message, AskLegal):
            room.ask_legal(self)
        elif isinstance(message, AskSnapshot):
            room.ask_snapshot(self)
        elif isinstance(message, AskHint):
            if self._house.hints.take(self.address, self._house.clock.mono_ms()):
                room.ask_hint(self)
            else:
                self.send(Refused(0, Refusal(code="too_fast")))
        elif isinstance(message, Leave):
            self.room = None
            room.detach(self, left=True)

    def _open_room(self) -> RoomPort | None:
        room = self.room
        if room is not None and not room.attached(self):
            room = self.room = None  # it did not let us in, after all
        return room

    def _start(self, serving: Coroutine[Any, Any, ToClient | None]) -> None:
        """Serve what has to wait for the store, and what came after it when that is done."""
        self._task = self._house.spawn(self._run(serving))

    async def _run(self, serving: Coroutine[Any, Any, ToClient | None]) -> None:
        try:
            answer = await serving
            if answer is not None and not self._closed:
                self.send(answer)
        except NewerRules as error:
            _log.warning("a client is sent to a newer node", conn=self.conn, why=str(error))
            self.send(Notice(what="draining"))
            self.close(RESTARTING, "this match needs a newer server; connect again")
        except (Unavailable, StoreError) as error:
            _log.warning("store away", conn=self.conn, why=str(error))
            self.send(_UNAVAILABLE)
        except Exception:  # noqa: BLE001 - as in _serve
            self._fault(None)
        finally:
            self._task = None
        while self._inbox and self._task is None:
            self._serve(self._inbox.popleft())

    async def _hello(self, message: Hello) -> ToClient:
        house = self._house
        found = await greet(house, self.address, self._greeted, message)
        if isinstance(found, Failed):
            return found
        who = found.who
        self._greeted, self._known_at = found, house.clock.mono_ms()
        self.identity, self.name = who.identity, who.name
        if message.offset is not None:
            self.offset = message.offset
        self._stop_hello_timer()
        return Welcome(identity=who.identity, name=who.name, version=house.version, token=found.token)

    async def _is_dropped(self) -> bool:
        """Whether this device was taken away meanwhile, on another node: looked up from time to time."""
        now = self._house.clock.mono_ms()
        if now - self._known_at < _KNOWN_MS:
            return False
        if await self._house.guests.has(self.proof):
            self._known_at = now
            return False
        self.dropped()
        return True

    async def _seek_a_game(self, message: Create | Join | ToLobby) -> ToClient | None:
        if await self._is_dropped():
            return None
        if isinstance(message, Create):
            return await self._create(message)
        if isinstance(message, Join):
            return await self._join(message)
        return await self._ask_lobby(message)

    async def _create(self, message: Create) -> ToClient | None:
        house = self._house
        if house.draining:
            return Failed(code="unavailable", message="this server is about to stop; connect again")
        if not self._creates.take(house.clock.mono_ms()):
            return Failed(code="too_fast", message="too many new matches, try again in a few seconds")
        try:
            room = await house.rooms.create(self.identity, self.name, message.terms, message.bot)
        except BadTerms as error:
            code: Literal["bad_code", "bad_terms"] = "bad_code" if error.code == "bad_code" else "bad_terms"
            return Failed(code=code, message=str(error), field=error.field)
        self._enter(room, Join(match=room.match, legal=message.legal))
        if message.replaces is not None and message.replaces != room.match:  # it is seen no more: nobody is told
            await house.rooms.give_up(message.replaces, self.identity)
        return None

    async def _join(self, message: Join) -> ToClient | None:
        rooms = self._house.rooms
        if (message.match is None) == (message.code is None):
            return Failed(code="malformed", message="expected one of `match` and `code`", field="match")
        if message.match is not None:
            room = await rooms.find(message.match)
            if room is None:
                return NO_SUCH_MATCH
        else:
            room = await rooms.by_code(message.code or "")
            if room is None:
                return Failed(code="no_such_room", message="no room has this code", field="code")
        self._enter(room, message)
        return None

    async def _ask_lobby(self, message: ToLobby) -> ToClient | None:
        house = self._house
        if self._closed:
            return None
        if house.draining:
            return Failed(code="unavailable", message="this server is about to stop; connect again")
        if not self._seeks.take(house.clock.mono_ms()):
            return Failed(code="too_fast", message="too many wishes of the lobby, try again in a few seconds")
        return await house.lobby.serve(self, message)

    async def _answer(self, question: ToRecords | ToDevices) -> ToClient:
        house = self._house
        if not self._questions.take(house.clock.mono_ms()):
            words = "too many questions, try again in a few seconds"
            return Failed(code="too_fast", message=words, ask=question.ask)
        try:
            if isinstance(question, ToDevices):
                return await house.devices.answer(self.identity, self.proof, question)
            return await house.records.answer(self, question)
        except (Unavailable, StoreError) as error:
            _log.warning("store away", conn=self.conn, why=str(error))
            return Failed(code="unavailable", message="the store is away, try again", ask=question.ask)

    def _enter(self, room: RoomPort, join: Join) -> None:
        if self._closed:
            return
        before = self.room
        if before is not None and before is not room:
            before.detach(self, left=True)
        self.room = room
        room.attach(self, join)

    def _fault(self, message: ToServer | Failed | None) -> None:
        self._house.counts.faults += 1
        match = None if self.room is None else self.room.match
        _log.exception("fault", conn=self.conn, match=match, message=type(message).__name__)
        self.send(_INTERNAL)


def _refusal(message: ToServer | Failed, failed: Failed) -> ToClient:
    """The answer to a message that is not served: a play and a question are named by their numbers."""
    if isinstance(message, Play):
        return Refused(n=message.n, refusal=Refusal(code="too_fast"))
    return replace(failed, ask=message.ask) if isinstance(message, ToRecords | ToDevices) else failed
