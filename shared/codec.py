"""Bytes to messages and back, for both subprotocols and both ends."""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from shared.protocol import JSON, MSGPACK, ToClient, ToServer

_M = TypeVar("_M")


class Malformed(ValueError):
    """A frame is no message of the protocol; the text says what was expected and where."""


class Codec(Struct, frozen=True):
    """One subprotocol. ``encode`` takes any message; the decoders raise ``Malformed``."""

    name: str
    binary: bool
    encode: Callable[[ToServer | ToClient], bytes]
    _to_server: Callable[[bytes], ToServer]
    _to_client: Callable[[bytes], ToClient]

    def read_client(self, frame: bytes | str) -> ToServer:
        """Return the message that a client sent."""
        return self._read(frame, self._to_server)

    def read_server(self, frame: bytes | str) -> ToClient:
        """Return the message that the server sent."""
        return self._read(frame, self._to_client)

    def _read(self, frame: bytes | str, decode: Callable[[bytes], _M]) -> _M:
        if isinstance(frame, str) is self.binary:
            kind = "a binary" if self.binary else "a text"
            message = f"expected {kind} frame on {self.name}"
            raise Malformed(message)
        try:
            return decode(frame.encode() if isinstance(frame, str) else frame)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise Malformed(str(error)) from error


CODECS: Final = {
    codec.name: codec
    for codec in (
        Codec(
            name=MSGPACK,
            binary=True,
            encode=msgspec.msgpack.Encoder().encode,
            _to_server=msgspec.msgpack.Decoder(ToServer).decode,
            _to_client=msgspec.msgpack.Decoder(ToClient).decode,
        ),
        Codec(
            name=JSON,
            binary=False,
            encode=msgspec.json.Encoder().encode,
            _to_server=msgspec.json.Decoder(ToServer).decode,
            _to_client=msgspec.json.Decoder(ToClient).decode,
        ),
    )
}
