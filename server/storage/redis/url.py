"""Where the store is, read from a URL: ``redis://``, ``rediss://``, ``redis+sentinel://``, ``redis+cluster://`` (and
the latter two with ``rediss``), with ``[user:password@]host[:port][,host[:port]...]`` and settings after ``?``.
"""

from typing import Final, Literal
from urllib.parse import parse_qsl, unquote

from msgspec import Struct
from msgspec.structs import replace

from server.storage.base import StoreError

Layout = Literal["single", "sentinel", "cluster"]

_SCHEMES: Final[dict[str, tuple[Layout, bool]]] = {
    "redis": ("single", False),
    "rediss": ("single", True),
    "redis+sentinel": ("sentinel", False),
    "rediss+sentinel": ("sentinel", True),
    "redis+cluster": ("cluster", False),
    "rediss+cluster": ("cluster", True),
}
_PORTS: Final[dict[Layout, int]] = {"single": 6379, "sentinel": 26379, "cluster": 6379}
_DAYS: Final = ("idle_days", "archive_days")
_SETTINGS: Final = ("prefix", *_DAYS, "ca", "cert", "key", "check_hostname", "sentinel_user", "sentinel_password")


class Place(Struct, frozen=True):
    """Where the store is. ``hosts``: of the server, the sentinels, or some nodes of the cluster. ``service``: the
    sentinels' name of it. ``db``: number of the database. ``prefix``: of all keys. ``ca``: file of the certificates
    that are trusted; ``cert``, ``key``: files of the client's own. ``idle_days``: how long a game stays that nobody
    goes on with, ``archive_days``: how long a replay (``None``: for ever). Passwords are not shown.
    """

    layout: Layout
    tls: bool
    hosts: tuple[tuple[str, int], ...]
    service: str = ""
    db: int = 0
    user: str | None = None
    password: str | None = None
    prefix: str = "ds"
    idle_days: int = 30
    archive_days: int | None = None
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    check_hostname: bool = True
    sentinel_user: str | None = None
    sentinel_password: str | None = None

    def __repr__(self) -> str:
        return f"Place({self.shown!r})"

    @property
    def shown(self) -> str:
        """Return it as a URL without passwords."""
        scheme = next(name for name, kind in _SCHEMES.items() if kind == (self.layout, self.tls))
        user = f"{self.user}@" if self.user else ""
        path = self.service or (str(self.db) if self.db else "")
        hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.hosts)
        return f"{scheme}://{user}{hosts}{'/' if path else ''}{path}"


class BadUrl(StoreError):
    """The URL of a store cannot be read; the text names the part and what was expected. It never has the password."""


def read_url(url: str) -> Place:
    """Return the place that ``url`` names.

    Raises:
        BadUrl: it names none.
    """
    scheme, found, rest = url.strip().partition("://")
    if not found or scheme not in _SCHEMES:
        shown = scheme if found else "none"
        raise BadUrl(f"the store's URL: expected one of {', '.join(f'{name}://' for name in _SCHEMES)}, got {shown!r}")
    layout, tls = _SCHEMES[scheme]
    rest, _, query = rest.partition("?")
    place, _, path = rest.partition("/")
    login, at, addresses = place.rpartition("@")
    user, password = _login(login) if at else (None, None)
    hosts = tuple(_address(address, _PORTS[layout]) for address in addresses.split(","))
    if layout == "single" and len(hosts) > 1:
        raise BadUrl(f"the store's URL: expected one host for {scheme}://, got {len(hosts)}")
    service, db = "", 0
    if layout == "sentinel":
        service = unquote(path)
        if not service or "/" in service:
            raise BadUrl(f"the store's URL: expected the sentinels' name of the service, like /mymaster, got {path!r}")
    elif layout == "cluster":
        if path not in {"", "0"}:
            raise BadUrl(f"the store's URL: a cluster has no databases, expected nothing after the hosts, got /{path}")
    elif path:
        if not path.isdecimal():
            raise BadUrl(f"the store's URL: expected the number of a database, like /0, got /{path}")
        db = int(path)
    place_ = Place(layout, tls, hosts, service, db, user, password)
    return _with_settings(place_, query)


def _login(login: str) -> tuple[str | None, str | None]:
    user, colon, password = login.partition(":")
    if not colon:
        raise BadUrl("the store's URL: expected user:password@ or :password@ before the host")
    return unquote(user) or None, unquote(password) or None


def _address(address: str, port: int) -> tuple[str, int]:
    if address.startswith("["):
        host, _, rest = address[1:].partition("]")
        colon, text = rest[:1], rest[1:]
    else:
        host, colon, text = address.partition(":")
    if not host or colon not in {"", ":"}:
        raise BadUrl(f"the store's URL: expected host or host:port, got {address!r}")
    if not colon:
        return host, port
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise BadUrl(f"the store's URL: expected a port from 1 to 65535 after {host}, got {text!r}")
    return host, int(text)


def _with_settings(place: Place, query: str) -> Place:
    settings: dict[str, str | bool | int] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in _SETTINGS:
            raise BadUrl(f"the store's URL: expected a setting of {', '.join(_SETTINGS)} after ?, got {name!r}")
        if not value:
            raise BadUrl(f"the store's URL: expected a value for {name}")
        if name in _DAYS and not (value.isdecimal() and 0 < int(value) <= 36_500):
            raise BadUrl(f"the store's URL: expected days from 1 to 36500 for {name}, got {value!r}")
        settings[name] = int(value) if name in _DAYS else value
    prefix = settings.get("prefix", place.prefix)
    if not isinstance(prefix, str) or set(prefix) & set("{} *?[]"):
        raise BadUrl(f"the store's URL: expected a prefix without braces, blanks or wildcards, got {prefix!r}")
    check = settings.pop("check_hostname", "yes")
    if check not in {"yes", "no"}:
        raise BadUrl(f"the store's URL: expected yes or no for check_hostname, got {check!r}")
    settings["check_hostname"] = check == "yes"
    tls_only = [name for name in ("ca", "cert", "key") if name in settings]
    if tls_only and not place.tls:
        raise BadUrl(f"the store's URL: {tls_only[0]} is for TLS only, expected a scheme that begins with rediss")
    return replace(place, **settings)
