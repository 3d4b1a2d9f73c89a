"""A session on a real connection: it connects, connects again, and resumes; the bot author's API (docs/bots.md).

Clock and chance are arguments: ``chance`` gives numbers in [0, 1), ``sleep`` waits. A ``Link`` carries frames; the one
over WebSockets is made by ``connect``, the one in memory by the tests.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Final, Self

from client.links import Link, LinkClosed, websocket_links
from client.session import Session, Settled
from shared.bots import LevelName
from shared.codec import CODECS, Codec
from shared.protocol import (
    MSGPACK,
    Create,
    Failed,
    Join,
    Notice,
    Resumed,
    Snapshot,
    ToClient,
    ToServer,
    Welcome,
    Wish,
)
from shared.terms import Terms

#: Failures that no retry mends; the second kind only of a match that was left behind.
FATAL: Final = frozenset({"bad_token"})
FATAL_BACK: Final = frozenset({"no_such_match", "no_such_room"})
#: Failures that another line may not meet.
PASSING: Final = frozenset({"unavailable", "internal", "too_many", "not_in_match", "hello_first"})


#: A server whose store is away for so long is left for another one, seconds.
AWAY_SECONDS: Final = 3.0


class ServerError(Exception):
    """The server will not serve this client; ``failed`` is its word."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(f"{failed.code}: {failed.message}")
        self.failed = failed


class Connection:
    """A session that stays connected while its ``async with`` runs.

    ``session`` is the state; ``lines`` counts the lines on which the server has answered so far. After a lost line it
    waits ``first_delay`` seconds, twice as long each time up to ``longest_delay``, each wait shortened by up to half by
    ``chance``; then the session resumes where it was. A server that is about to stop is left at once, within
    ``first_delay``.
    """

    def __init__(
        self,
        open_link: Callable[[], Awaitable[Link]],
        session: Session,
        codec: Codec,
        *,
        chance: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        first_delay: float = 0.1,
        longest_delay: float = 5.0,
    ) -> None:
        self.session = session
        self.lines = 0
        self._open_link = open_link
        self._codec = codec
        self._chance = chance
        self._sleep = sleep
        self._delays = (first_delay, longest_delay)
        self._link: Link | None = None
        self._greeted = self._entered = False
        self._outbox: asyncio.Queue[ToServer] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._waiting: list[tuple[Callable[[Session], bool], asyncio.Future[None]]] = []
        self._verdicts: dict[int, asyncio.Future[Settled]] = {}
        self._readers: set[asyncio.Queue[ToClient | None]] = set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._stop(LinkClosed("the connection was closed by its owner"))

    async def create(self, terms: Terms, *, bot: LevelName | None = None) -> None:
        """Make a match and sit on its seat 0; ``bot``: against a computer of this level.

        Raises:
            ServerError: the server refused it.
        """
        await self._enter(self.session.create(terms, bot=bot))

    async def join(self, *, match: str | None = None, code: str | None = None, watch: bool = False) -> None:
        """Enter a match by its id or room code.

        Raises:
            ServerError: the server refused it.
        """
        await self._enter(self.session.join(match=match, code=code, watch=watch))

    async def play(self, wish: Wish) -> Settled:
        """Send a wish and wait for its verdict, across lost lines if need be."""
        return await self.submit(wish)

    def submit(self, wish: Wish) -> asyncio.Future[Settled]:
        """Send a wish; the future is its verdict. Several may be in flight."""
        live = self.session.live
        play = self.session.play(wish)
        verdict: asyncio.Future[Settled] = asyncio.get_running_loop().create_future()
        self._verdicts[play.n] = verdict
        if live:
            self._post((play,))
        return verdict

    def ask(self, message: ToServer) -> None:
        """Send any other message (``Ping``, ``AskHint`` …) if the line is up; the answer comes to ``messages``."""
        self._post((message,))

    async def until(self, holds: Callable[[Session], bool]) -> None:
        """Wait until ``holds(session)``, asked now and after each message.

        Raises:
            ServerError: the server will not serve this client any more.
            LinkClosed: the connection was closed by its owner meanwhile.
        """
        if self._error is not None:
            raise self._error
        if not holds(self.session):
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((holds, future))
            await future

    async def messages(self) -> AsyncIterator[ToClient]:
        """Yield each message after the session has folded it, from now on until the connection ends."""
        queue: asyncio.Queue[ToClient | None] = asyncio.Queue()
        self._readers.add(queue)
        try:
            while (message := await queue.get()) is not None:
                yield message
        finally:
            self._readers.discard(queue)

    async def drop(self) -> None:
        """Let the present line go, as a lost network would; the connection then comes back by itself."""
        if self._link is not None:
            await self._link.close()

    async def _enter(self, entry: Create | Join) -> None:
        self._abandon_verdicts()
        self._post((entry,))
        await self.until(lambda session: session.table is not None or session.failed is not None)
        if self.session.failed is not None:
            raise ServerError(self.session.failed)

    def _post(self, messages: Iterable[ToServer]) -> None:
        """Put messages in the line's outbox. Without a line they are let go: the session sends anew what matters."""
        if self._link is not None:
            for message in messages:
                self._outbox.put_nowait(message)

    async def _run(self) -> None:
        """Keep a line up, one after another, until a failure that none would mend."""
        tries, elsewhere = 0, False
        while self._error is None:
            try:
                link = await self._open_link()
            except LinkClosed:
                await self._back_off(tries)
                tries += 1
                continue
            self._greeted = self._entered = False
            try:
                await self._serve(link)
            except LinkClosed as closed:
                # A line on which nothing was reached is as good as none.
                tries = 0 if self._entered else tries + 1
                elsewhere = closed.elsewhere and self._entered
            except Exception as error:  # noqa: BLE001 - whoever waits on this connection is told
                self._stop(error)
            if elsewhere:
                elsewhere = False
            elif self._error is None:
                await self._back_off(tries)

    async def _back_off(self, tries: int) -> None:
        first, longest = self._delays
        delay = min(longest, first * 2.0 ** min(tries, 30))
        await self._sleep(delay * (1 - self._chance() / 2))

    async def _serve(self, link: Link) -> None:
        """Speak on one line until it is down."""
        self._outbox = asyncio.Queue()
        self._link = link
        self._post(self.session.open())
        sender = asyncio.create_task(self._send_all(link, self._outbox))
        leaving: asyncio.Task[None] | None = None
        try:
            while True:
                message = self._codec.read_server(await link.receive())
                self._take(message)
                if isinstance(message, Notice):
                    leaving = self._leave(link, message, leaving)
        except LinkClosed as closed:
            raise LinkClosed(str(closed), elsewhere=closed.elsewhere or leaving is not None) from closed
        finally:
            if leaving is not None:
                leaving.cancel()
            self._link = None
            self.session.live = False
            sender.cancel()
            await asyncio.wait((sender,))
            await link.close()

    def _leave(self, link: Link, notice: Notice, leaving: asyncio.Task[None] | None) -> asyncio.Task[None] | None:
        """Go elsewhere, in a while of which all clients of the server have different ones; or stay after all."""
        if notice.what == "available":
            if leaving is not None:
                leaving.cancel()
            return None
        if leaving is not None:
            return leaving

        async def leave() -> None:
            wait = self._delays[0] if notice.what == "draining" else AWAY_SECONDS
            await self._sleep(wait * (1 - self._chance() / 2))
            await link.close()

        return asyncio.create_task(leave())

    async def _send_all(self, link: Link, outbox: asyncio.Queue[ToServer]) -> None:
        with contextlib.suppress(LinkClosed):  # the receiving side is told too, and acts
            while True:
                await link.send(self._codec.encode(await outbox.get()))

    def _take(self, message: ToClient) -> None:
        """Let the session fold a message; send its answers; tell everybody who waits."""
        received = self.session.receive(message)
        self._post(received.send)
        for settled in received.settled:
            verdict = self._verdicts.pop(settled.n, None)
            if verdict is not None and not verdict.done():
                verdict.set_result(settled)
        if isinstance(message, Welcome):
            self.lines += 1
            self._greeted = True
            self._entered = not self.session.has_match
        elif isinstance(message, Snapshot | Resumed):
            self._entered = True
        elif isinstance(message, Failed):
            self._failed(message)
        for queue in self._readers:
            queue.put_nowait(message)
        self._tell_waiting()

    def _failed(self, failed: Failed) -> None:
        """Stop, try another line, or leave it to the owner, who asked for something that cannot be had.

        Raises:
            LinkClosed: this line is of no use any more.
        """
        back = self.session.table is not None
        if failed.code in FATAL or (back and failed.code in FATAL_BACK):
            self._stop(ServerError(failed))
        elif failed.code in PASSING and (back or not self._greeted):
            raise LinkClosed(f"{failed.code}: {failed.message}")

    def _tell_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for holds, future in waiting:
            if future.done():
                continue
            if holds(self.session):
                future.set_result(None)
            else:
                self._waiting.append((holds, future))

    def _stop(self, error: Exception) -> None:
        """Tell everybody who waits that nothing more will come."""
        self._error = self._error or error
        for _, future in self._waiting:
            if not future.done():
                future.set_exception(self._error)
        self._waiting.clear()
        self._abandon_verdicts()
        for queue in self._readers:
            queue.put_nowait(None)

    def _abandon_verdicts(self) -> None:
        for verdict in self._verdicts.values():
            verdict.cancel()
        self._verdicts.clear()


def connect(
    url: str,
    *,
    chance: Callable[[], float],
    token: str | None = None,
    name: str | None = None,
    codec: str = MSGPACK,
    legal: bool = True,
    longest_delay: float = 5.0,
) -> Connection:
    """Return a connection to the server at ``url``, to be entered with ``async with``.

    ``token``: the identity of an earlier ``Welcome``; without one a guest is made. ``codec``: the subprotocol.
    ``legal``: ask for the legal targets with every update.
    """
    session = Session(token=token, name=name, legal=legal)
    links = websocket_links(url, CODECS[codec])
    return Connection(links, session, CODECS[codec], chance=chance, longest_delay=longest_delay)
