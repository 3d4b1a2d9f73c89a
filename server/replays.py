"""Replays over HTTP: ``/replays/<match>.json``, a finished match as ``double-solitaire replay`` reads it too.

A replay never changes, so it is answered to whoever knows the match's id, and may be kept by caches; that of a daily
challenge only once it is its date nowhere any more. What the store and the packing cost is bounded by a rate an address
and by the last replays being at hand.
"""

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct

from server.archive import Archive, decode_archive
from server.books.dates import day_is_over
from server.http import JSON_KIND, reply, takes_gzip
from server.limits import AddressBuckets, Limits
from server.link import Reply
from server.ports import Clock
from server.storage.base import MatchLog, StoreError
from shared.terms import KlondikeTerms

_PATH: Final = re.compile(r"/replays/([\w-]{1,64})\.json")
#: So many packed replays are at hand.
_KEPT: Final = 16
_YEAR: Final = "public, max-age=31536000, immutable"


def match_of(path: str) -> str | None:
    """Return the match whose replay is asked for by ``path`` (without query), or ``None``: it is another page."""
    found = _PATH.fullmatch(path)
    return None if found is None else found[1]


class _Packed(Struct):
    """A replay as it is sent. ``daily``: its date, of a daily challenge."""

    body: bytes
    daily: str | None


class Replays:
    """Answers for replays. ``log``: the store's."""

    def __init__(self, log: MatchLog, clock: Clock, limits: Limits) -> None:
        self._log = log
        self._clock = clock
        self._buckets = AddressBuckets(limits.replays_per_second, limits.replays_burst)
        self._packed: OrderedDict[str, _Packed] = OrderedDict()

    async def answer(self, method: str, match: str, headers: Mapping[str, str], address: str) -> Reply:
        """Answer a request of ``address`` for the replay of ``match``; a failure is JSON with ``code`` and
        ``message``.
        """
        if method not in {"GET", "HEAD"}:
            return _failed(HTTPStatus.METHOD_NOT_ALLOWED, "bad_method", "only GET and HEAD")
        found = await self._get(match, headers, address)
        return Reply(status=found.status, headers=found.headers) if method == "HEAD" else found

    async def _get(self, match: str, headers: Mapping[str, str], address: str) -> Reply:
        if not self._buckets.take(address, self._clock.mono_ms()):
            words = "too many replays, try again in a few seconds"
            return _failed(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", words, ("Retry-After", "5"))
        try:
            packed = await self._find(match)
        except StoreError:
            return _failed(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "the store is away", ("Retry-After", "2"))
        if packed is None:
            return _failed(HTTPStatus.NOT_FOUND, "no_such_replay", "there is no replay of this match, or not yet")
        if packed.daily is not None and not day_is_over(packed.daily, self._clock.wall_ms()):
            return _failed(HTTPStatus.FORBIDDEN, "not_yet", "others may still play this daily challenge")
        extra = [("Cache-Control", _YEAR), ("Vary", "Accept-Encoding"), ("X-Content-Type-Options", "nosniff")]
        body = packed.body
        if takes_gzip(headers.get("Accept-Encoding", "")):
            extra.append(("Content-Encoding", "gzip"))
        else:
            body = await asyncio.to_thread(gzip.decompress, body)
        return reply(HTTPStatus.OK, JSON_KIND, body, *extra)

    async def _find(self, match: str) -> _Packed | None:
        packed = self._packed.get(match)
        if packed is not None:
            self._packed.move_to_end(match)
            return packed
        data = await self._log.archived(match)
        if data is None:
            return None
        packed = self._packed[match] = await asyncio.to_thread(_pack, data)
        while len(self._packed) > _KEPT:
            self._packed.popitem(last=False)
        return packed


def _pack(data: bytes) -> _Packed:
    archive: Archive = decode_archive(data)
    terms = archive.table.terms
    daily = terms.daily if isinstance(terms, KlondikeTerms) else None
    return _Packed(gzip.compress(msgspec.json.encode(archive), 6, mtime=0), daily)


def _failed(status: int, code: str, message: str, *extra: tuple[str, str]) -> Reply:
    body = msgspec.json.encode({"code": code, "message": message})
    return reply(status, JSON_KIND, body, ("Cache-Control", "no-store"), *extra)
