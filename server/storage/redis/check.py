"""What a server must be before it is used: new enough, never dropping keys, as durable as was asked for."""

from typing import Any, Final

from msgspec import Struct
from redis.exceptions import RedisError, ResponseError

from server.storage.base import Durability, StoreError
from server.storage.redis.ways import Ways
from server.storage.redis.wire import Wire

_LOSES: Final[dict[Durability, str]] = {
    "disk": "nothing that was acknowledged, even if the machine of Redis loses power; a failover to a replica may lose "
    "the last moments",
    "replica": "nothing that was acknowledged, if one machine fails; if Redis and its replica fail at once, what their "
    "disks did not have",
}
_UNTOLD: Final = "not told"


class Found(Struct, frozen=True):
    """What a server says of itself."""

    version: str
    policy: str
    appendonly: str
    appendfsync: str
    replicas: int


async def check(ways: Ways, shown: str, durability: Durability) -> str:
    """Look at every server; return what a crash takes, in words.

    Raises:
        StoreError: one of them cannot be used, or is not as durable as asked.
    """
    found = [await _ask(wire, shown) for wire in ways.wires()]
    for one in found:
        _check_one(one, shown, durability)
    if durability != "process":
        return _LOSES[durability]
    if all(one.appendonly == "yes" and one.appendfsync == "always" for one in found):
        return "nothing if Redis is killed; a failover to a replica may lose the last moments"
    if all(one.appendonly == "yes" for one in found):
        return "the last second or two (appendfsync is not always), and the last moments at a failover"
    return "all since the last snapshot of Redis (its appendonly is off)"


async def _ask(wire: Wire, shown: str) -> Found:
    try:
        server = _fields(await wire.call("INFO", "server"))
        memory = _fields(await wire.call("INFO", "memory"))
        replication = _fields(await wire.call("INFO", "replication"))
        persistence = _fields(await wire.call("INFO", "persistence"))
        return Found(
            version=server.get("redis_version", ""),
            policy=memory.get("maxmemory_policy") or await _config(wire, "maxmemory-policy"),
            appendonly={"1": "yes", "0": "no"}.get(persistence.get("aof_enabled", ""), _UNTOLD),
            appendfsync=await _config(wire, "appendfsync"),
            replicas=int(replication.get("connected_slaves", "0")),
        )
    except (RedisError, OSError) as error:
        raise StoreError(f"the store {shown} cannot be used: {error}") from error


async def _config(wire: Wire, name: str) -> str:
    """Return a setting of the server; a managed one may not tell."""
    try:
        found = await wire.call("CONFIG", "GET", name)
    except ResponseError:
        return _UNTOLD
    return bytes(found[1]).decode() if found else _UNTOLD


def _fields(info: Any) -> dict[str, str]:
    lines = bytes(info).decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _check_one(one: Found, shown: str, durability: Durability) -> None:
    major = one.version.partition(".")[0]
    if not major.isdecimal() or int(major) < 7:
        raise StoreError(f"the store {shown} is Redis {one.version or 'of no version'}: expected 7 or newer, or Valkey")
    if one.policy != "noeviction":
        raise StoreError(
            f"the store {shown} drops keys when its memory is full (maxmemory-policy is {one.policy}): "
            "set maxmemory-policy noeviction"
        )
    if durability == "disk" and (one.appendonly != "yes" or one.appendfsync not in {"always", _UNTOLD}):
        raise StoreError(
            f"the store {shown} may lose what it acknowledged (appendonly is {one.appendonly}, appendfsync is "
            f"{one.appendfsync}): set appendonly yes and appendfsync always, "
            "or start with --durability process or replica"
        )
    if durability == "replica" and one.replicas < 1:
        raise StoreError(f"the store {shown} has no replica, which --durability replica waits for: start one")
