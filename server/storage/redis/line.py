"""What is asked of one tag (or, without a cluster, of all): gathered in batches, one on its way at a time.

A batch that was sent is sent again, the same bytes, until its fate is known: it carries the sender's name and a number,
and a server that did it already answers the same. What was never sent is dropped after ``MAX_WAIT_MS``.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgpack
import msgspec
from redis.exceptions import NoScriptError, RedisError, ResponseError

from server.storage.base import MAX_BATCH, MAX_WAIT_MS, StoreAway, StoreError
from server.storage.redis.scripts import Script
from server.storage.redis.wire import Wire, pack

_log: Final = logging.getLogger(__name__)
_FIRST_WAIT_S: Final = 0.01
_LONGEST_WAIT_S: Final = 0.25
_LOOK_S: Final = 0.1
#: The log tells once in so long that the store is away.
_TELL_MS: Final = 2000
#: Least time between two batches of a line: under load each carries more.
WINDOW_S: Final = 0.001
#: Errors of a server that takes nothing now, and has done nothing.
_AWAY: Final = frozenset(
    (
        *("READONLY", "LOADING", "OOM", "NOREPLICAS", "MISCONF", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN"),
        *("MOVED", "ASK", "NOAUTH", "UNBLOCKED"),
    )
)

# All strings as the one kind that the server's decoder knows.
_encode: Final = msgpack.Packer(use_bin_type=False).pack


class Way(Protocol):
    """Which server a tag is on."""

    def wire(self, tag: str) -> Wire:
        """Return the line to the server of ``tag``, as far as is known."""
        ...

    def doubt(self, tag: str, error: Exception) -> None:
        """The server of ``tag`` took nothing: find out whether it is another now."""
        ...


class Op:
    """Something asked. ``weight``: entries in it. ``done`` is called with its result, or with the error."""

    __slots__ = ("args", "done", "since", "weight")

    since: int

    def __init__(self, args: tuple[Any, ...], done: Callable[[Any], None]) -> None:
        self.args = args
        self.done = done
        self.weight = 1

    def finish(self, result: Any) -> None:
        """Take the result, or the error."""
        self.done(result)


class Sender(msgspec.Struct):
    """What all lines of a store have in common.

    ``prefix``: of all keys. ``name``: of this store's life, drawn at random. ``boot``: the life of its node, if it
    joined. ``now_ms``: the time that play time is counted by; ``None``: the server's own. ``sharded``: hints go by
    sharded channels. ``told_ms``: when the log last told that the store is away.
    """

    prefix: str
    name: str
    mono_ms: Callable[[], int]
    boot: str = ""
    now_ms: Callable[[], int] | None = None
    sharded: bool = False
    window_s: float = WINDOW_S
    told_ms: int = -_TELL_MS


class Line:
    """See the module. ``back`` is called when a batch got through after an error."""

    def __init__(self, tag: str, script: Script, way: Way, sender: Sender, back: Callable[[], None]) -> None:
        self.tag = tag
        self._script = script
        self._way = way
        self._sender = sender
        self._back = back
        self._seq = 0
        self._key = f"{sender.prefix}:{{{tag}}}:sent:{sender.name}:{script.sha.decode()[:8]}".encode()
        self._never = f"{sender.prefix}:{{{tag}}}:never".encode()
        self._pending: list[Op] = []
        self._sent: list[Op] = []
        self._tail: tuple[bytes, ...] = ()
        self._command = b""
        self._fails = 0
        self._woken = False
        self._watched = False
        self._not_before = 0.0
        self._idle: asyncio.Future[None] | None = None
        self.closed = False

    def put(self, op: Op) -> None:
        """Take ``op`` into the next batch."""
        if self.closed:
            _give(op, StoreAway("the store is closed"))
            return
        op.since = self._sender.mono_ms()
        self._pending.append(op)
        if not self._woken:
            self._wake()

    def _wake(self) -> None:
        if self._sent:
            if not self._watched:
                self._watched = True
                asyncio.get_running_loop().call_later(_LOOK_S, self._look)
        elif not self._woken:
            self._woken = True
            loop = asyncio.get_running_loop()
            if loop.time() >= self._not_before:
                loop.call_soon(self._flush)
            else:
                loop.call_at(self._not_before, self._flush)

    def _flush(self) -> None:
        self._woken = False
        if self._sent or not self._pending:
            return
        self._sent, self._pending = _first_of(self._pending)
        sender = self._sender
        self._seq += 1
        reads = self._script.reads
        keep = any(op.args[0] not in reads for op in self._sent)
        now = None if sender.now_ms is None else sender.now_ms()
        batch = _encode((now or False, sender.boot, sender.sharded, keep, [op.args for op in self._sent]))
        self._tail = (b"2", self._key, self._never, sender.prefix.encode(), b"%d" % self._seq, batch)
        self._command = pack(b"EVALSHA", self._script.sha, *self._tail)
        self._not_before = asyncio.get_running_loop().time() + sender.window_s
        self._send()
        if self._pending:
            self._wake()

    def _send(self) -> None:
        if self._sent:
            self._way.wire(self.tag).ask(self._command, self._answered)

    def _answered(self, answer: object) -> None:
        if not self._sent:
            return  # given up meanwhile
        if isinstance(answer, NoScriptError):
            self._way.wire(self.tag).ask(pack(b"EVAL", self._script.text, *self._tail), self._answered)
            return
        if isinstance(answer, Exception) and is_away(answer):
            self._again(answer)
            return
        was_away, self._fails = self._fails > 0, 0
        if isinstance(answer, Exception):
            _log.error("the store refused a batch: %s", answer)
            results: list[object] = [StoreError(f"the store refused: {answer}")] * len(self._sent)
        else:
            results = msgpack.unpackb(answer, raw=True, strict_map_key=False)
        sent, self._sent = self._sent, []
        for op, result in zip(sent, results, strict=True):
            _give(op, StoreError(_told(result)) if type(result) is dict else result)
        if was_away:
            self._back()
        if self._pending:
            self._wake()
        elif self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _again(self, error: Exception) -> None:
        """Send the same batch once more, in a moment."""
        now = self._sender.mono_ms()
        if now - self._sender.told_ms >= _TELL_MS:
            self._sender.told_ms = now
            _log.warning("the store is away, trying again: %s", error)
        wait = min(_FIRST_WAIT_S * 2 ** min(self._fails, 10), _LONGEST_WAIT_S)
        self._fails += 1
        self._way.doubt(self.tag, error)
        asyncio.get_running_loop().call_later(wait, self._send)

    def _look(self) -> None:
        """While a batch is on its way: drop what has waited too long."""
        self._watched = False
        if self._sent and self._pending:
            self._drop(self._sender.mono_ms() - MAX_WAIT_MS)
            if self._pending:
                self._wake()

    def _drop(self, before: int) -> None:
        late = [op for op in self._pending if op.since < before]
        self._pending = [op for op in self._pending if op.since >= before]
        for op in late:
            _give(op, StoreAway("the store took nothing for 2 s"))

    async def close(self, timeout_s: float) -> None:
        """Send what was taken; what cannot be sent in time is given up, and of what was sent nothing is told."""
        if self._sent or self._pending:
            self._idle = asyncio.get_running_loop().create_future()
            try:
                await asyncio.wait_for(self._idle, timeout_s)
            except TimeoutError:
                _log.error("the store was closed while it was away")
        self.closed = True
        self._sent = []
        self._drop(self._sender.mono_ms() + 1)


class Lines:
    """The lines of one script: one for all tags, or, in a cluster, one for each."""

    def __init__(
        self, script: Script, way: Way, sender: Sender, *, one: bool, back: Callable[[str], None] | None = None
    ) -> None:
        self._script = script
        self._way = way
        self._sender = sender
        self._one = one
        self._back = back
        self._lines: dict[str, Line] = {}
        self._closed = False

    def of(self, tag: str) -> Line:
        """Return the line for ``tag``."""
        name = "0" if self._one else tag
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = Line(name, self._script, self._way, self._sender, lambda: self._tell(name))
            line.closed = self._closed
        return line

    def _tell(self, name: str) -> None:
        if self._back is not None:
            self._back("" if self._one else name)

    def ask(self, name: str, tag: str, *args: object) -> "asyncio.Future[Any]":
        """Do the operation ``name`` on ``tag``; it is in the next batch even if nobody awaits it."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def done(result: Any) -> None:
            if future.done():
                return  # who asked went away
            if isinstance(result, Exception):
                future.set_exception(result)
                future.exception()  # it is no fault if nobody looks
            else:
                future.set_result(result)

        self.of(tag).put(Op((name, tag, *args), done))
        return future

    async def close(self, timeout_s: float) -> None:
        """Close all lines."""
        self._closed = True
        await asyncio.gather(*(line.close(timeout_s) for line in self._lines.values()))


def _first_of(pending: list[Op]) -> tuple[list[Op], list[Op]]:
    """Return the first ``MAX_BATCH`` entries' worth, one operation at least, and the rest."""
    size = 0
    for count, op in enumerate(pending):
        size += op.weight
        if size > MAX_BATCH and count:
            return pending[:count], pending[count:]
    return pending, []


def is_away(error: Exception) -> bool:
    """Whether ``error`` tells that the server is away, or is another: what was asked is to be asked again."""
    if not isinstance(error, ResponseError):
        return isinstance(error, RedisError | OSError)
    return code_of(error) in _AWAY


def code_of(error: Exception) -> str:
    """Return the first word of a server's error, as it sent it: the library cuts it off where it has a class."""
    code = getattr(error, "status_code", None)
    return code if isinstance(code, str) else str(error).partition(" ")[0].lstrip("-")


def _told(result: dict[bytes, Any]) -> str:
    return bytes(result.get(b"err", b"")).decode(errors="replace")


def _give(op: Op, result: object) -> None:
    try:
        op.finish(result)
    except Exception:  # noqa: BLE001 - the others of the batch get their answers
        _log.exception("the answer of the store met a fault")
