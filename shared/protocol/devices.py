"""One identity on several devices: which there are, a link that brings it to one more, and taking one away.

Each device has a token of its own. ``OfferMove`` gives a one-time code; a new device brings it with ``Hello.move`` and
a token that it made itself, so that saying it again after a lost answer changes nothing.
"""

from typing import Annotated

from msgspec import Meta, Struct

from shared.protocol.questions import Ask

#: How a device is called by its owner's client: ``Firefox, Linux``.
Label = Annotated[str, Meta(min_length=1, max_length=40)]
#: A one-time code: 128 random bits.
MoveCode = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
#: A device in the list of its identity.
DeviceId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
#: Where the page is served from: ``https://example.org``.
Origin = Annotated[str, Meta(pattern="^https?://[0-9A-Za-z.:\\[\\]_-]{1,255}$")]


class _Question(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    ask: Ask


class _Answer(Struct, frozen=True, tag_field="t", omit_defaults=True):
    ask: Ask


class AskDevices(_Question, frozen=True, tag="ask_devices"):
    """Ask for the devices of this client's identity. Answered by ``Devices``."""


class OfferMove(_Question, frozen=True, tag="offer_move"):
    """Ask for a one-time code that brings this client's identity to another device. Answered by ``MoveOffered``.

    It takes the place of the code before. ``origin``: of the page, for the QR code of the link.
    """

    origin: Origin | None = None


class AskMove(_Question, frozen=True, tag="ask_move"):
    """Ask whose a one-time code is, without using it up. Answered by ``MoveOf``."""

    code: MoveCode


class DropDevice(_Question, frozen=True, tag="drop_device"):
    """Take a device away: its token leads nowhere, its connections are closed. Answered by ``Devices``.

    The last one cannot be taken away: nobody could be this identity again.
    """

    device: DeviceId


class Device(Struct, frozen=True, omit_defaults=True):
    """A device of this client's identity. ``since``: wall time (s). ``own``: it is the one of this connection."""

    device: str
    label: str = ""
    since: int = 0
    own: bool = False


class Devices(_Answer, frozen=True, tag="devices"):
    """The devices of this client's identity, oldest first. ``most``: so many there may be."""

    devices: tuple[Device, ...] = ()
    most: int = 0


class QrCode(Struct, frozen=True):
    """A QR code of ``size`` modules a side, quiet zone included: the strokes of an SVG path, 1 wide."""

    size: int
    path: str


class MoveOffered(_Answer, frozen=True, tag="move_offered"):
    """A one-time code, good for ``ms``. ``qr``: of the link ``<origin>/move#<code>``."""

    code: str
    ms: int
    qr: QrCode | None = None


class MoveOf(_Answer, frozen=True, tag="move_of"):
    """Whose a one-time code is. ``own``: this client's own identity, so that there is nothing to do."""

    name: str
    own: bool = False


#: What is asked about devices.
ToDevices = AskDevices | OfferMove | AskMove | DropDevice
DevicesAnswer = Devices | MoveOffered | MoveOf
