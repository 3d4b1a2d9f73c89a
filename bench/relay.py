"""The least a room server does, as a yardstick: decode a move, check it, count, encode an event, tell both players.

No rules, no log, no views. Same package, loop and framing as the server that is measured beside it: ``websockets`` on
uvloop, MessagePack, no compression. ``python -m bench.relay`` prints its port and serves until it is killed.
"""

import sys

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

SOURCES = frozenset([*(f"t{i}" for i in range(7)), "w"])
TARGETS = frozenset(f"f{i}" for i in range(8))

_pack = msgpack.Packer(autoreset=True).pack
_unpack = msgpack.unpackb


class Room:
    """Who is in it and a counter a foundation."""

    def __init__(self) -> None:
        self.players: list[ServerConnection] = []
        self.number = 0
        self.heights = dict.fromkeys(sorted(TARGETS), 0)

    def take(self, frame: bytes) -> bytes | None:
        """Return the event that a move makes, ``None`` if the frame is no move."""
        move = _unpack(frame)
        if type(move) is not dict or move.get("t") != "move":
            return None
        seat, source, target, count = move["seat"], move["from"], move["to"], move["count"]
        if seat not in (0, 1) or source not in SOURCES or target not in TARGETS or not 0 < count <= 13:
            return None
        self.number += 1
        height = self.heights[target] = (self.heights[target] + count) % 13
        event: bytes = _pack(
            {
                "t": "event",
                "no": self.number + 65536,
                "n": move["n"],
                "sent": move["sent"],
                "seat": seat,
                "from": source,
                "to": target,
                "count": count,
                "height": height,
                "turned": [2, 11],
                "clocks": [900_000, 900_000],
                "by": "player-000017",
            }
        )
        return event


async def main() -> None:
    """Serve; a room is what connects to one path."""
    rooms: dict[str, Room] = {}

    async def handle(player: ServerConnection) -> None:
        path = player.request.path if player.request is not None else "/"
        room = rooms.setdefault(path, Room())
        room.players.append(player)
        try:
            async for frame in player:
                event = room.take(frame) if isinstance(frame, bytes) else None
                if event is not None:
                    broadcast(room.players, event)
        except ConnectionClosed:
            pass
        finally:
            room.players.remove(player)

    async with serve(handle, "127.0.0.1", 0, compression=None) as server:
        print(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
