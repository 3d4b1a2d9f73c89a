"""Who says hello: a new guest, somebody known by his token, or somebody who comes to one more device."""

from typing import Final

from msgspec import Struct

from server.devices import NotMoved
from server.house import House
from server.identity import token_hash
from server.storage.base import Identity
from shared.protocol import Failed, Hello

_BAD_TOKEN: Final = Failed(code="bad_token", message="nobody here has this token", field="token")
#: Letters of a token of 32 random bytes: a device may choose its own, but not one that can be guessed.
_TOKEN_LETTERS: Final = 43


class Greeted(Struct, frozen=True):
    """Who said hello. ``proof``: the hash of his token. ``token``: it was made just now, and he has to be told."""

    who: Identity
    proof: bytes
    token: str | None = None


async def greet(house: House, address: str, before: Greeted | None, hello: Hello) -> Greeted | Failed:
    """Find or make the identity of ``hello``, from ``address``. ``before``: who spoke on this connection so far; nobody
    else can from then on.

    Raises:
        StoreError: the store is away.
    """
    if hello.move is not None:
        found = await _move(house, address, before, hello)
    elif hello.token is not None:
        found = await _known(house, before, hello.token)
    elif before is not None:
        found = before if await house.guests.has(before.proof) else _BAD_TOKEN
    elif house.identities.take(address, house.clock.mono_ms()):
        who, token = await house.guests.make(hello.name, hello.device)
        return Greeted(who, token_hash(token), token)
    else:
        return Failed(code="too_many", message="too many new guests from this address, try again in a minute")
    if isinstance(found, Failed):
        return found
    return Greeted(await house.guests.rename(found.who, hello.name), found.proof)


async def _known(house: House, before: Greeted | None, token: str) -> Greeted | Failed:
    known = await house.guests.find(token)
    if known is None or (before is not None and known.identity != before.who.identity):
        return _BAD_TOKEN
    return Greeted(known, token_hash(token))


async def _move(house: House, address: str, before: Greeted | None, hello: Hello) -> Greeted | Failed:
    if hello.token is None or len(hello.token) < _TOKEN_LETTERS:
        words = "expected a new token beside `move`, of 32 random bytes that the device made"
        return Failed(code="malformed", message=words, field="token")
    if before is not None and before.proof != token_hash(hello.token):
        return Failed(code="malformed", message="expected `move` in the first hello of a connection", field="move")
    if not house.identities.take(address, house.clock.mono_ms()):
        return Failed(code="too_many", message="too many new devices from this address, try again in a minute")
    try:
        who = await house.devices.take(hello.move or "", hello.token, hello.device)
    except NotMoved as error:
        return error.failed
    return Greeted(who, token_hash(hello.token))
