"""A line in memory: a client's `Link` and, at its other end, what a server would read and write."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from client.links import Link, LinkClosed
from shared.codec import Codec
from shared.protocol import ToClient, ToServer

_Frame = TypeVar("_Frame", bytes, bytes | str)


class MemoryLink:
    """Frames in order, both ways, until `cut`. What was on the way when it was cut is lost."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._to_server: asyncio.Queue[bytes] = asyncio.Queue()
        self._to_client: asyncio.Queue[bytes | str] = asyncio.Queue()
        self._down = asyncio.Event()

    async def send(self, frame: bytes) -> None:
        if self._down.is_set():
            raise LinkClosed("cut")
        self._to_server.put_nowait(frame)

    async def receive(self) -> bytes | str:
        return await self._get(self._to_client)

    async def close(self) -> None:
        self.cut()

    def cut(self) -> None:
        self._down.set()

    async def asked(self) -> ToServer:
        """The next message of the client."""
        frame = await self._get(self._to_server)
        return self._codec.read_client(frame if self._codec.binary else frame.decode())

    def answer(self, *messages: ToClient) -> None:
        for message in messages:
            frame = self._codec.encode(message)
            self._to_client.put_nowait(frame if self._codec.binary else frame.decode())

    async def _get(self, queue: asyncio.Queue[_Frame]) -> _Frame:
        taking = asyncio.ensure_future(queue.get())
        cut = asyncio.ensure_future(self._down.wait())
        try:
            await asyncio.wait((taking, cut), return_when=asyncio.FIRST_COMPLETED)
            if self._down.is_set():
                raise LinkClosed("cut")
            return taking.result()
        finally:
            taking.cancel()
            cut.cancel()


class Lines:
    """Opens lines; each one made waits in `made` for the test to serve it. `refuse` makes the next attempts fail."""

    def __init__(self, codec: Codec) -> None:
        self.made: asyncio.Queue[MemoryLink] = asyncio.Queue()
        self.refuse = 0
        self.tries = 0
        self._codec = codec

    async def open(self) -> Link:
        self.tries += 1
        if self.refuse:
            self.refuse -= 1
            raise LinkClosed("nobody there")
        link = MemoryLink(self._codec)
        self.made.put_nowait(link)
        return link


class Naps:
    """A sleep that takes no time and keeps what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        await asyncio.sleep(0)


def steady(value: float) -> Callable[[], float]:
    """Chance that always gives the same."""
    return lambda: value
