"""The solver behind a real server: a hint over the socket."""

import asyncio

import websockets
from websockets.asyncio.client import ClientConnection, connect

from server.app import Node
from server.settings import Settings
from shared.codec import CODECS
from shared.protocol import JSON, AskHint, Create, Hello, Hint, Snapshot, ToClient, ToServer, Welcome
from shared.terms import KlondikeTerms


async def answer(socket: ClientConnection, message: ToServer, kind: type) -> ToClient:
    """Send a message and return the first answer of a kind."""
    codec = CODECS[JSON]
    await socket.send(codec.encode(message).decode())
    while True:
        frame = await asyncio.wait_for(socket.recv(), 20)
        got = codec.read_server(frame)
        if isinstance(got, kind):
            return got


async def test_a_hint_over_the_socket_names_a_move_and_is_counted() -> None:
    node = Node(Settings(port=0))
    await node.start()
    try:
        async with connect(f"ws://127.0.0.1:{node.port}/ws", subprotocols=[websockets.Subprotocol(JSON)]) as socket:
            await answer(socket, Hello(name="Ann"), Welcome)
            made = await answer(socket, Create(KlondikeTerms(code="KL1-D1S-AAAAAAB")), Snapshot)
            hint = await answer(socket, AskHint(), Hint)
    finally:
        await node.stop()
    assert isinstance(made, Snapshot)
    assert isinstance(hint, Hint)
    assert (hint.card, hint.do) != (None, None)
    assert hint.left == 2
