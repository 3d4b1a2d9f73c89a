"""A line to a server, with faults: answers that never come, a cut in the middle, bytes that arrive late."""

import asyncio
from collections.abc import Callable


class Proxy:
    """Passes bytes on to `port`. `mute`: answers are thrown away. `hold`: requests are kept, until `let_go`. `cut`: all
    connections end now; `closed`: no new ones.
    """

    def __init__(self, port: int) -> None:
        self.target = port
        self.port = 0
        self.mute = False
        self.hold = False
        self.closed = False
        self.requests: list[bytes] = []
        self.on_request: Callable[[bytes], None] = lambda data: None
        self._held: list[tuple[asyncio.StreamWriter, bytes]] = []
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> "Proxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.closed:
            writer.close()
            return
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, to_writer}
        for work in (self._requests(reader, to_writer), self._answers(to_reader, writer)):
            task = asyncio.get_running_loop().create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await self._read(reader):
            self.requests.append(data)
            if self.hold:
                self._held.append((writer, data))
            else:
                writer.write(data)
            self.on_request(data)
        if not any(held is writer for held, _ in self._held):
            writer.close()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await self._read(reader):
            if not self.mute:
                writer.write(data)
        writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.read(1 << 20)
        except OSError:
            return b""

    def let_go(self) -> None:
        """Send the requests that were kept, late."""
        held, self._held = self._held, []
        for writer, data in held:
            writer.write(data)

    def cut(self, *, keep_servers_end: bool = False) -> None:
        """End the connections; the server's end of it may live on, with what was kept for it."""
        for writer in list(self._writers):
            if keep_servers_end and any(held is writer for held, _ in self._held):
                continue
            self._writers.discard(writer)
            writer.transport.abort()

    async def stop(self) -> None:
        self._held.clear()
        self.cut()
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
