"""Stuck searches in a process of their own: they take seconds of a core, and in a thread they would take them from the
event loop. ``python -m server.searcher`` is that process; it ends with its server, however that ends.

A question is a length (4 bytes, big-endian) and a MessagePack array of terms, position, seat and limit; an answer is
one byte.
"""

import asyncio
import contextlib
import os
import signal
import sys
from typing import BinaryIO, Final

import msgspec
import structlog

from shared import stuck
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import Terms

_log: Final = structlog.get_logger("stuck")

_ANSWERS: Final[dict[bool | None, bytes]] = {None: b"?", True: b"y", False: b"n"}
_VERDICTS: Final = {answer: verdict for verdict, answer in _ANSWERS.items()}
_encode: Final = msgspec.msgpack.Encoder().encode
#: Below everything else: who plays comes first.
_NICE: Final = 19
_CLOSE_SECONDS: Final = 1.0


class Searcher:
    """Asks the process, which is started at the first question and again if it ended. One question at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._asking = asyncio.Lock()

    async def search(self, rules: Ruleset, position: Position, seat: int, limit: int = stuck.LIMIT) -> bool | None:
        """See ``shared.stuck.search``; ``None`` also if the process ended meanwhile."""
        question = _encode((rules.terms, position, seat, limit))
        async with self._asking:
            process = await self._running()
            assert process.stdin is not None, "piped"  # noqa: S101
            assert process.stdout is not None, "piped"  # noqa: S101
            try:
                process.stdin.write(len(question).to_bytes(4, "big") + question)
                await process.stdin.drain()
                return _VERDICTS[await process.stdout.readexactly(1)]
            except (OSError, asyncio.IncompleteReadError):
                _log.warning("the search process ended")
                return None

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = (sys.executable, "-m", "server.searcher")
            self._process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        return self._process

    async def close(self) -> None:
        """End the process, in the middle of a search if need be."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            async with asyncio.timeout(_CLOSE_SECONDS):
                await process.wait()


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the questions end."""
    decode = msgspec.msgpack.Decoder(tuple[Terms, Position, int, int]).decode
    while len(head := questions.read(4)) == 4:
        terms, position, seat, limit = decode(questions.read(int.from_bytes(head, "big")))
        answers.write(_ANSWERS[stuck.search(ruleset(terms), position, seat, limit)])
        answers.flush()


def main() -> None:
    """Serve the parent on the standard streams."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C reaches the whole group; the server's end ends this one
    if sys.platform != "win32":
        os.nice(_NICE)
    with contextlib.suppress(BrokenPipeError):  # the server ended before it had its answer
        serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
