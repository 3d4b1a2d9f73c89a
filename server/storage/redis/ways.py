"""Ways to the server that has a tag: one server, the master that sentinels name, the nodes of a cluster."""

import asyncio
import logging
from typing import Any, Final, Protocol

from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from server.storage.redis.line import code_of
from server.storage.redis.url import Place
from server.storage.redis.wire import TIMEOUT_S, PlainConnection, TlsConnection, Wire

_log: Final = logging.getLogger(__name__)
#: The map of a cluster is asked for again not sooner than this.
_LOOK_AGAIN_S: Final = 0.1

Address = tuple[str, int]


class Ways(Protocol):
    """See ``line.Way``; and who opens and closes it."""

    def wire(self, tag: str) -> Wire:
        """See ``Way.wire``."""
        ...

    def doubt(self, tag: str, error: Exception) -> None:
        """See ``Way.doubt``."""
        ...

    async def open(self) -> None:
        """Find the servers.

        Raises:
            RedisError, OSError: they cannot be reached.
        """
        ...

    def wires(self) -> list[Wire]:
        """Return a line to each server that has tags."""
        ...

    async def connection(self, tag: str, /) -> PlainConnection | TlsConnection:
        """Return a new connection, not connected yet, to the server of ``tag``."""
        ...

    def replicate(self, replicas: int) -> None:
        """Give answers only once so many replicas have what was written."""
        ...

    async def close(self) -> None:
        """Let all go."""
        ...


def make_connection(place: Place, address: Address) -> PlainConnection | TlsConnection:
    """Return a connection that is not connected yet. The library repeats nothing; who uses it minds the time."""
    login: dict[str, Any] = {
        "host": address[0],
        "port": address[1],
        "db": place.db,
        "username": place.user,
        "password": place.password,
        "socket_timeout": None,
        "socket_connect_timeout": TIMEOUT_S,
        "socket_keepalive": True,
        "protocol": 2,
        "driver_info": None,
    }
    if not place.tls:
        return PlainConnection(**login)
    return TlsConnection(
        ssl_ca_certs=place.ca,
        ssl_certfile=place.cert,
        ssl_keyfile=place.key,
        ssl_check_hostname=place.check_hostname,
        **login,
    )


class OneServer:
    """The server that the URL names, or that a name service leads to at each new connection."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._wire = Wire(lambda: self.connection(""))

    async def address(self) -> Address:
        """Return where the server is now."""
        return self._place.hosts[0]

    def wire(self, _tag: str) -> Wire:
        """See ``Way.wire``."""
        return self._wire

    def doubt(self, _tag: str, error: Exception) -> None:
        """See ``Way.doubt``: a server that became a replica is not the right one any more."""
        if code_of(error) in {"READONLY", "MASTERDOWN"}:
            self._wire.reset(RedisConnectionError(f"another server must be looked for: {error}"))

    async def open(self) -> None:
        """See ``Ways.open``."""
        await self._wire.call("PING")

    def wires(self) -> list[Wire]:
        """See ``Ways.wires``."""
        return [self._wire]

    async def connection(self, _tag: str, /) -> PlainConnection | TlsConnection:
        """See ``Ways.connection``."""
        return make_connection(self._place, await self.address())

    def replicate(self, replicas: int) -> None:
        """See ``Ways.replicate``."""
        self._wire.replicas = replicas

    async def close(self) -> None:
        """See ``Ways.close``."""
        await self._wire.close()


class NamedMaster(OneServer):
    """The master that the sentinels name, asked for at each new connection."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        tls = {"ssl": True, "ssl_ca_certs": place.ca, "ssl_check_hostname": place.check_hostname} if place.tls else {}
        self._sentinel = Sentinel(
            list(place.hosts),
            sentinel_kwargs={
                "socket_timeout": TIMEOUT_S / 2,
                "socket_connect_timeout": TIMEOUT_S / 2,
                "username": place.sentinel_user,
                "password": place.sentinel_password,
                "retry": Retry(NoBackoff(), 0),
                "protocol": 2,
                **tls,
            },
        )

    async def address(self) -> Address:
        """See ``OneServer.address``.

        Raises:
            RedisConnectionError: no sentinel knows.
        """
        try:
            host, port = await self._sentinel.discover_master(self._place.service)
        except MasterNotFoundError as error:
            raise RedisConnectionError(f"no sentinel knows a master {self._place.service}: {error}") from error
        return str(host), int(port)

    async def close(self) -> None:
        """See ``Ways.close``."""
        await super().close()
        for sentinel in self._sentinel.sentinels:
            await sentinel.aclose()


class Cluster:
    """The nodes of a cluster, each with a line; who has which tag is asked for anew when one is in doubt."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._replicas = 0
        self._wires: dict[Address, Wire] = {}
        self._masters: dict[int, Address] = {}  # by slot
        self._slots: dict[str, int] = {}  # by tag
        self._looking: asyncio.Task[None] | None = None

    def _slot(self, tag: str) -> int:
        slot = self._slots.get(tag)
        if slot is None:
            slot = self._slots[tag] = key_slot(tag.encode())
        return slot

    def address(self, tag: str) -> Address:
        """Return where ``tag`` is, as far as is known."""
        return self._masters.get(self._slot(tag), self._place.hosts[0])

    def wire(self, tag: str) -> Wire:
        """See ``Way.wire``."""
        return self._wire_to(self.address(tag))

    def _wire_to(self, address: Address) -> Wire:
        wire = self._wires.get(address)
        if wire is None:

            async def connect() -> PlainConnection | TlsConnection:
                return make_connection(self._place, address)

            wire = self._wires[address] = Wire(connect, replicas=self._replicas)
        return wire

    def doubt(self, _tag: str, _error: Exception) -> None:
        """See ``Way.doubt``."""
        if self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._look_again())

    async def _look_again(self) -> None:
        try:
            await self._look()
            await asyncio.sleep(_LOOK_AGAIN_S)
        except (RedisError, OSError) as error:
            _log.warning("no node of the cluster tells who has what: %s", error)
        finally:
            self._looking = None

    async def _look(self) -> None:
        """Ask nodes for the map, until one tells."""
        known = dict.fromkeys([*self._masters.values(), *self._place.hosts])
        last: Exception = RedisConnectionError("no node of the cluster is known")
        for address in known:
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    self._take(address, await self._wire_to(address).call("CLUSTER", "SLOTS"))
            except (RedisError, OSError) as error:
                last = error
            else:
                return
        raise last

    def _take(self, asked: Address, ranges: list[Any]) -> None:
        masters: dict[int, Address] = {}
        for first, last, master, *_ in ranges:
            host = bytes(master[0] or b"").decode() or asked[0]
            for slot in range(first, last + 1):
                masters[slot] = (host, int(master[1]))
        if masters:
            self._masters = masters
        gone = set(self._wires) - set(masters.values()) - set(self._place.hosts)
        for address in gone:
            wire = self._wires.pop(address)
            wire.reset(RedisConnectionError(f"{address[0]}:{address[1]} has no slots any more"))

    async def open(self) -> None:
        """See ``Ways.open``."""
        await self._look()
        if len(self._masters) < 16384:
            raise RedisConnectionError(f"only {len(self._masters)} of the cluster's 16384 slots are served")

    def wires(self) -> list[Wire]:
        """See ``Ways.wires``."""
        return [self._wire_to(address) for address in dict.fromkeys(self._masters.values())]

    async def connection(self, tag: str, /) -> PlainConnection | TlsConnection:
        """See ``Ways.connection``."""
        return make_connection(self._place, self.address(tag))

    def replicate(self, replicas: int) -> None:
        """See ``Ways.replicate``."""
        self._replicas = replicas
        for wire in self._wires.values():
            wire.replicas = replicas

    async def close(self) -> None:
        """See ``Ways.close``."""
        if self._looking is not None:
            self._looking.cancel()
        await asyncio.gather(*(wire.close() for wire in self._wires.values()))


def make_ways(place: Place) -> Ways:
    """Return the ways of ``place``."""
    if place.layout == "single":
        return OneServer(place)
    return NamedMaster(place) if place.layout == "sentinel" else Cluster(place)
