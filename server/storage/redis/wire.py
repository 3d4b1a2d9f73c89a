"""One connection to one Redis server: what is asked in one tick of the loop goes out in one write, answers come in
order.

The library connects, authenticates and parses; nothing is repeated here. Whoever asks is told once: the answer, or the
error, after which the fate of what he asked is unknown.
"""

import asyncio
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

_log: Final = logging.getLogger(__name__)
#: An answer that does not come for so long is given up, with the connection.
TIMEOUT_S: Final = 1.0
_LOOK_S: Final = 0.1

#: Called with the answer, or with the error.
Done = Callable[[object], None]


class _Writable:
    """Writes without waiting: how much may be on its way is bounded by whoever asks."""

    _writer: asyncio.StreamWriter | None

    def write(self, data: bytes) -> None:
        """Send ``data``; a connection that ended meanwhile is noticed by its reader."""
        if self._writer is not None:
            self._writer.write(data)


class PlainConnection(_Writable, Connection):
    """A connection of the library over TCP."""


class TlsConnection(_Writable, SSLConnection):
    """A connection of the library over TLS."""


#: Makes the connection to the server that is the right one now.
Connect = Callable[[], Awaitable[PlainConnection | TlsConnection]]


def pack(*parts: bytes) -> bytes:
    """Return a command as it goes over the line."""
    heads = (b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)
    return b"*%d\r\n%b" % (len(parts), b"".join(heads))


class Wire:
    """See the module. ``replicas``: answers are given once so many replicas have all that was written before."""

    def __init__(self, connect: Connect, *, replicas: int = 0) -> None:
        self._connect = connect
        self.replicas = replicas
        self._connection: PlainConnection | TlsConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._out: list[tuple[bytes, Done]] = []
        self._waiting: deque[tuple[float, Done]] = deque()
        self._closed = False

    def ask(self, command: bytes, done: Done) -> None:
        """Send ``command``, packed; ``done`` is called on a later tick."""
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out.append((command, done))

    async def call(self, *parts: bytes | str | int) -> Any:
        """Send a command and return its answer.

        Raises:
            RedisError: the answer is an error, or none came.
        """
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()

        def done(answer: object) -> None:
            if not future.done():
                future.set_result(answer)

        self.ask(pack(*(part if isinstance(part, bytes) else str(part).encode() for part in parts)), done)
        answer = await future
        if isinstance(answer, Exception):
            raise answer
        return answer

    def reset(self, error: Exception) -> None:
        """Let the connection go: the next who asks makes another."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        self._fail(error)

    async def close(self) -> None:
        """Let the connection go for good."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._fail(RedisConnectionError("the store is closed"))

    def _flush(self) -> None:
        if not self._out:
            return
        if self._closed:
            self._fail(RedisConnectionError("the store is closed"))
            return
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        connection = self._connection
        if connection is None:
            return  # once it is there
        out, self._out = self._out, []
        loop = asyncio.get_running_loop()
        due = loop.time() + TIMEOUT_S
        data = b"".join([command for command, _ in out]) if len(out) > 1 else out[0][0]
        if self.replicas:
            group = _Group([done for _, done in out], self.replicas)
            self._waiting.extend((due, take) for take in group.takers())
            data += pack(b"WAIT", b"%d" % self.replicas, b"%d" % (TIMEOUT_S * 800))
        else:
            self._waiting.extend((due, done) for _, done in out)
        connection.write(data)
        if self._timer is None:
            self._timer = loop.call_later(_LOOK_S, self._look)

    def _look(self) -> None:
        """Give up a connection that does not answer."""
        self._timer = None
        if self._waiting:
            loop = asyncio.get_running_loop()
            if self._waiting[0][0] < loop.time():
                self.reset(RedisConnectionError(f"no answer for {TIMEOUT_S} s"))
            else:
                self._timer = loop.call_later(_LOOK_S, self._look)

    async def _run(self) -> None:
        """The life of one connection."""
        task = asyncio.current_task()
        connection: PlainConnection | TlsConnection | None = None
        error: Exception
        try:
            async with asyncio.timeout(2 * TIMEOUT_S):
                connection = await self._connect()
                await dial(connection)
            if self._task is not task:
                return
            self._connection = connection
            self._flush()
            await self._read(connection)
        except (RedisError, OSError) as caught:  # a time-out is an OSError
            error = caught
            if self._task is task:
                self._task = None
                self._fail(error)
        finally:
            if self._connection is connection:
                self._connection = None
            if connection is not None:
                await _hang_up(connection)

    async def _read(self, connection: AbstractConnection) -> None:
        waiting = self._waiting
        while True:
            answer: object
            try:
                answer = await connection.read_response(
                    disable_decoding=True, timeout=math.inf, disconnect_on_error=False
                )
            except ResponseError as error:
                answer = error
            if self._connection is not connection:
                return
            if not waiting:
                raise RedisConnectionError("an answer to nothing")
            self._give(waiting.popleft()[1], answer)

    def _fail(self, error: Exception) -> None:
        self._connection = None
        waiting = [done for _, done in self._waiting] + [done for _, done in self._out]
        self._waiting.clear()
        self._out.clear()
        for done in waiting:
            self._give(done, error)

    @staticmethod
    def _give(done: Done, answer: object) -> None:
        try:
            done(answer)
        except Exception:  # noqa: BLE001 - the others get their answers
            _log.exception("an answer of the store met a fault")


class _Group:
    """Answers that wait until the replicas have them as well."""

    def __init__(self, dones: list[Done], replicas: int) -> None:
        self._dones = dones
        self._answers: list[object] = []
        self._replicas = replicas

    def takers(self) -> list[Done]:
        """Return what takes the answers of the group, the replicas' last."""
        return [*([self._answers.append] * len(self._dones)), self._replicated]

    def _replicated(self, count: object) -> None:
        enough = isinstance(count, int) and count >= self._replicas
        short: object = RedisConnectionError(f"too few replicas answer: {count!r}")
        for done, answer in zip(self._dones, self._answers, strict=False):
            # an error that says that nothing was done needs no replica
            done(answer if enough or isinstance(answer, Exception) else short)


async def dial(connection: AbstractConnection) -> None:
    """Connect, and log in."""
    await connection.connect()


async def _hang_up(connection: AbstractConnection) -> None:
    try:
        await connection.disconnect(nowait=True)
    except (RedisError, OSError) as error:
        _log.debug("closing a connection: %s", error)
