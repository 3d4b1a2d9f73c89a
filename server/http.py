"""The few HTTP answers of the server: the browser client's files, /healthz, /readyz. Only GET and HEAD exist.

All files are read at the start, so no request touches the disk and no path can lead out of the folder.
"""

import gzip
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from server.link import Reply

#: Where the WebSocket is.
SOCKET_PATH: Final = "/ws"

JSON_KIND: Final = "application/json"

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": JSON_KIND,
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED: Final = {".png", ".webp", ".woff2", ".wasm"}
_MIN_GZIP: Final = 1024

#: Paths that the page itself reads (its home, a match, a room code, a game to play, its other pages): all are
#: index.html.
_PAGES: Final = re.compile(
    r"/(?:index\.html)?|/[mr]/[\w%.~ -]+/?"
    r"|/(?:play|profile|history|boards|calendar|replay|watch|devices|move)(?:/[\w%.~:/ -]*)?"
)
_HOST: Final = re.compile(r"[\w.:\[\]-]{1,255}")


class File(Struct, frozen=True):
    """A file as it is served."""

    kind: str
    etag: str
    body: bytes
    packed: bytes | None = None


def load_web(folder: Traversable | None = None) -> dict[str, File]:
    """Read the browser client; return its files by path (``/js/app.js``). Files of unknown kind are left out."""
    return dict(_walk(folder if folder is not None else files("client") / "web", ""))


def _walk(folder: Traversable, above: str) -> Iterator[tuple[str, File]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        path = f"{above}/{entry.name}"
        suffix = PurePosixPath(entry.name).suffix.lower()
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir():
            yield from _walk(entry, path)
        elif suffix in TYPES:
            yield path, make_file(entry.read_bytes(), suffix)


def make_file(body: bytes, suffix: str) -> File:
    """Return ``body`` ready to be served as a file with this ending."""
    etag = hashlib.sha256(body).hexdigest()[:20]
    packed = gzip.compress(body, mtime=0) if len(body) >= _MIN_GZIP and suffix not in _COMPRESSED else None
    return File(kind=TYPES[suffix], etag=etag, body=body, packed=packed)


class Site:
    """Answers requests. ``ready``: whether new players should come here; ``metrics``: what /metrics says, if on."""

    def __init__(
        self, web: Mapping[str, File], *, ready: Callable[[], bool], metrics: Callable[[], bytes] | None = None
    ) -> None:
        self._web = web
        self._ready = ready
        self._metrics = metrics

    def answer(self, method: str, target: str, headers: Mapping[str, str]) -> Reply:
        """Answer a request for ``target`` (path and query)."""
        if method not in {"GET", "HEAD"}:
            return text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n", ("Allow", "GET, HEAD"))
        found = self._get(target, headers)
        return Reply(status=found.status, headers=found.headers) if method == "HEAD" else found

    def _get(self, target: str, headers: Mapping[str, str]) -> Reply:
        path = _path(target)
        if path == "/healthz":
            return text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            ready = self._ready()
            return text(
                HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE, "ready\n" if ready else "not ready\n"
            )
        if path == "/metrics" and self._metrics is not None:
            return reply(HTTPStatus.OK, "text/plain; version=0.0.4; charset=utf-8", self._metrics())
        file = self._web.get("/index.html" if _PAGES.fullmatch(path) else path)
        if file is None:
            return text(HTTPStatus.NOT_FOUND, "not found\n")
        return _serve(file, headers)


def _path(target: str) -> str:
    try:
        return unquote(urlsplit(target).path, errors="strict") if target.startswith("/") else ""
    except ValueError:
        return ""


def _serve(file: File, headers: Mapping[str, str]) -> Reply:
    packed = file.packed is not None and takes_gzip(headers.get("Accept-Encoding", ""))
    etag = f'"{file.etag}-gz"' if packed else f'"{file.etag}"'
    extra = [("ETag", etag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"), *page_headers(headers)]
    if _matches(headers.get("If-None-Match", ""), etag):
        return Reply(status=HTTPStatus.NOT_MODIFIED, headers=tuple(extra))
    if packed:
        extra.append(("Content-Encoding", "gzip"))
    body = file.packed if packed and file.packed is not None else file.body
    return reply(HTTPStatus.OK, file.kind, body, *extra)


def takes_gzip(accepted: str) -> bool:
    """Whether a client that sent this ``Accept-Encoding`` takes gzip."""
    for offer in accepted.split(","):
        name, _, weight = offer.partition(";")
        if name.strip().lower() == "gzip":
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def _matches(condition: str, etag: str) -> bool:
    return condition.strip() == "*" or etag in (tag.strip().removeprefix("W/") for tag in condition.split(","))


def page_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What keeps the page to its own scripts and server, out of frames, and its links (room codes) to itself."""
    host = headers.get("Host", "")
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"media-src 'self'; connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
    return (
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    )


def text(status: int, words: str, *extra: tuple[str, str]) -> Reply:
    """Return a plain answer."""
    return reply(
        status,
        "text/plain; charset=utf-8",
        words.encode(),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        *extra,
    )


def reply(status: int, kind: str, body: bytes, *extra: tuple[str, str]) -> Reply:
    """Return an answer with this body."""
    headers = (("Content-Type", kind), ("Content-Length", str(len(body))), *extra)
    return Reply(status=status, headers=headers, body=body)
