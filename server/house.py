"""What all connections of a node share."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from server.devices import DeviceDesk
from server.identity import Guests
from server.limits import AddressBuckets, Limits
from server.outbox import Postman
from server.ports import Clock, LobbyPort, RecordsPort, RoomsPort

if TYPE_CHECKING:
    from server.connection import Connection


class Counts(Struct):
    """What the gateway counts (server.metrics shows it)."""

    connections: int = 0
    accepted: int = 0
    frames_in: int = 0
    frames_out: int = 0
    bytes_out: int = 0
    malformed: int = 0
    too_fast: int = 0
    slow_readers: int = 0
    faults: int = 0


class House(Struct):
    """What all connections of a node share. ``forget``: called with a connection whose link is gone."""

    rooms: RoomsPort
    lobby: LobbyPort
    records: RecordsPort
    guests: Guests
    devices: DeviceDesk
    clock: Clock
    version: str
    limits: Limits
    postman: Postman
    identities: AddressBuckets
    hints: AddressBuckets
    forget: Callable[["Connection"], None]
    counts: Counts
    draining: bool = False
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def spawn(self, serving: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run ``serving``, held until it is done."""
        task = asyncio.get_running_loop().create_task(serving)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task
