"""The door: which requests are files, which become WebSockets, and whose."""

from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from typing import Final

import structlog
from msgspec import Struct

from server.connection import Connection
from server.gateway import Gateway
from server.http import SOCKET_PATH, Site, text
from server.link import Link, Reply
from server.replays import Replays, match_of

_log: Final = structlog.get_logger("front")


class Admission(Struct, frozen=True):
    """Whose WebSocket handshakes are let through.

    ``origins``: pages of other hosts whose scripts may connect (``https://example.org``). ``behind_proxy``: a proxy of
    ours stands before, so that the last address of X-Forwarded-For is the client's, and X-Forwarded-Host our name.
    """

    origins: frozenset[str] = frozenset()
    behind_proxy: bool = False

    def address(self, peer: str, headers: Mapping[str, str]) -> str:
        """Return the client's address."""
        if self.behind_proxy:
            return headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()[:64] or peer
        return peer

    def allows(self, headers: Mapping[str, str]) -> bool:
        """Whether the page that opens the connection may: one of the same host, one of ``origins``, or no page at all
        (a browser always sends Origin).
        """
        origin = headers.get("Origin")
        if origin is None or origin in self.origins:
            return True
        host = origin.partition("://")[2].lower()
        return bool(host) and host == self.host(headers).lower()

    def host(self, headers: Mapping[str, str]) -> str:
        """Return the host that the client asked for."""
        host = headers.get("Host", "")
        return headers.get("X-Forwarded-Host", host) if self.behind_proxy else host


class ServerFront:
    """A ``Front`` for a transport."""

    def __init__(self, gateway: Gateway, site: Site, admission: Admission, replays: Replays | None = None) -> None:
        self._gateway = gateway
        self._site = site
        self._admission = admission
        self._replays = replays

    def request(
        self, method: str, path: str, headers: Mapping[str, str], address: str
    ) -> Reply | Awaitable[Reply] | None:
        """Answer a request; ``None`` for a WebSocket handshake that is welcome."""
        match = match_of(path.partition("?")[0])
        if match is not None and self._replays is not None:
            return self._replays.answer(method, match, headers, self._admission.address(address, headers))
        if path.partition("?")[0] != SOCKET_PATH:
            return self._site.answer(method, path, headers)
        if headers.get("Upgrade", "").lower() != "websocket":
            return text(HTTPStatus.UPGRADE_REQUIRED, "this is a WebSocket\n", ("Upgrade", "websocket"))
        if not self._admission.allows(headers):
            _log.warning("origin refused", origin=headers.get("Origin"), host=self._admission.host(headers))
            return text(HTTPStatus.FORBIDDEN, "connections from this page's origin are not allowed\n")
        refusal = self._gateway.refuses(self._admission.address(address, headers))
        return None if refusal is None else text(refusal[0], refusal[1] + "\n", ("Retry-After", "5"))

    def accept(self, link: Link, headers: Mapping[str, str]) -> Connection:
        """Take a link whose handshake is done."""
        return self._gateway.accept(link, self._admission.address(link.address, headers))
