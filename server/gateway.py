"""All connections of this node: taken, counted, told to go."""

import asyncio
import contextlib
from collections.abc import Callable

from server.connection import Connection
from server.devices import DeviceDesk
from server.house import Counts, House
from server.identity import Guests
from server.life import Life
from server.limits import AddressBuckets, Limits
from server.link import RESTARTING, Link
from server.outbox import Postman
from server.ports import Clock, LobbyPort, RecordsPort, RoomsPort
from shared.codec import CODECS
from shared.protocol import Notice


class Gateway:
    """The connections of this node. ``life``: of the node, which they end with; ``call_soon``: the loop's."""

    def __init__(  # noqa: PLR0913 - the parts of a node, by name
        self,
        rooms: RoomsPort,
        guests: Guests,
        devices: DeviceDesk,
        lobby: LobbyPort,
        records: RecordsPort,
        *,
        clock: Clock,
        life: Life,
        version: str,
        limits: Limits | None = None,
        call_soon: Callable[[Callable[[], None]], object],
    ) -> None:
        limits = limits or Limits()
        self.connections: set[Connection] = set()
        self._house = House(
            rooms=rooms,
            guests=guests,
            devices=devices,
            lobby=lobby,
            records=records,
            clock=clock,
            version=version,
            limits=limits,
            postman=Postman(call_soon),
            identities=AddressBuckets(limits.identities_per_second, limits.identities_burst),
            hints=AddressBuckets(limits.hints_per_second, limits.hints_burst),
            forget=self._forget,
            counts=Counts(),
        )
        self._life = life
        life.on_death(self.close)
        devices.on_drop(self._drop)
        self._counter = 0
        self._of_address: dict[str, int] = {}
        self._empty = asyncio.Event()

    @property
    def counts(self) -> Counts:
        """What was counted."""
        return self._house.counts

    @property
    def draining(self) -> bool:
        """Whether nobody new is taken any more."""
        return self._house.draining

    def refuses(self, address: str) -> tuple[int, str] | None:
        """Return the HTTP status and the reason, if a new connection of ``address`` is not taken."""
        limits = self._house.limits
        if self.draining:
            return 503, "this server is about to stop"
        if len(self.connections) >= limits.connections:
            return 503, "too many connections"
        if self._of_address.get(address, 0) >= limits.connections_per_address:
            return 429, "too many connections from this address"
        return None

    def accept(self, link: Link, address: str) -> Connection:
        """Take a new link of ``address``."""
        self._counter += 1
        connection = Connection(self._house, link, f"{self._life.boot}.{self._counter}", address)
        self.connections.add(connection)
        self._empty.clear()
        self._of_address[address] = self._of_address.get(address, 0) + 1
        self.counts.accepted += 1
        self.counts.connections = len(self.connections)
        return connection

    def _forget(self, connection: Connection) -> None:
        """Let a connection go whose link is gone."""
        if connection not in self.connections:
            return
        self.connections.remove(connection)
        self.counts.connections = len(self.connections)
        left = self._of_address[connection.address] - 1
        if left:
            self._of_address[connection.address] = left
        else:
            del self._of_address[connection.address]
        if not self.connections:
            self._empty.set()

    def _drop(self, proof: bytes) -> None:
        """End the connections of a device that was taken away: those of this node at once. Another node notices when
        the device says hello or looks for a game there.
        """
        for connection in list(self.connections):
            if connection.proof == proof:
                connection.dropped()

    def drain(self) -> None:
        """Tell everybody to connect again, elsewhere or after the restart; take nobody new."""
        self._house.draining = True
        frames = {name: codec.encode(Notice(what="draining")) for name, codec in CODECS.items()}
        for connection in self.connections:
            connection.write(frames[connection.codec.name])

    async def wait_empty(self, seconds: float) -> None:
        """Return once nobody is connected any more, after ``seconds`` at the latest."""
        if self.connections:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._empty.wait()

    def close(self) -> None:
        """Close every connection with 1012."""
        for connection in list(self.connections):
            connection.cancel()
            connection.close(RESTARTING, "the server restarts; connect again")
