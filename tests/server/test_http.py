"""The HTTP answers: files, routes, headers, health."""

import gzip
from pathlib import Path

import pytest

from server.front import Admission
from server.http import Site, load_web
from server.link import Reply

PAGE = b"<!doctype html><title>Double Solitaire</title>"
SCRIPT = b"export const x = 1;\n" * 200


@pytest.fixture
def site(tmp_path: Path) -> Site:
    web = tmp_path / "web"
    (web / "js").mkdir(parents=True)
    (web / "index.html").write_bytes(PAGE)
    (web / "js" / "app.js").write_bytes(SCRIPT)
    (web / "icon.svg").write_bytes(b"<svg/>")
    (web / ".hidden.js").write_bytes(b"secret")
    (web / "notes.md").write_bytes(b"not for the web")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (web / "js" / "types.d.ts").write_bytes(b"")
    return Site(load_web(web), ready=lambda: True)


def headers_of(reply: Reply) -> dict[str, str]:
    assert len({name for name, _ in reply.headers}) == len(reply.headers)
    return dict(reply.headers)


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/", "text/html; charset=utf-8", PAGE),
        ("/index.html", "text/html; charset=utf-8", PAGE),
        ("/?deal=DS1-D1N-AAAAAAB", "text/html; charset=utf-8", PAGE),
        ("/m/4f3a", "text/html; charset=utf-8", PAGE),
        ("/m/4f3a/", "text/html; charset=utf-8", PAGE),
        ("/r/KQJTA", "text/html; charset=utf-8", PAGE),
        ("/r/kq%20jta", "text/html; charset=utf-8", PAGE),
        ("/play", "text/html; charset=utf-8", PAGE),
        ("/play/klondike", "text/html; charset=utf-8", PAGE),
        ("/play/two_deck/DS1-D1N-AAAAAAB", "text/html; charset=utf-8", PAGE),
        ("/profile", "text/html; charset=utf-8", PAGE),
        ("/history/00aa/bot:expert", "text/html; charset=utf-8", PAGE),
        ("/history/00aa/bot%3Aexpert", "text/html; charset=utf-8", PAGE),
        ("/boards?game=alternating", "text/html; charset=utf-8", PAGE),
        ("/calendar/2026-12", "text/html; charset=utf-8", PAGE),
        ("/js/app.js", "text/javascript; charset=utf-8", SCRIPT),
        ("/js/app.js?v=2", "text/javascript; charset=utf-8", SCRIPT),
        ("/icon.svg", "image/svg+xml", b"<svg/>"),
    ],
)
def test_files_and_pages(site: Site, path: str, kind: str, body: bytes) -> None:
    reply = site.answer("GET", path, {})
    assert (reply.status, reply.body) == (200, body)
    headers = headers_of(reply)
    assert headers["Content-Type"] == kind
    assert headers["Content-Length"] == str(len(body))
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/js/../../secret.txt",
        "/js/..%5c..%5csecret.txt",
        "/m/../../secret.txt",
        "/.hidden.js",
        "/notes.md",
        "/js",
        "/js/",
        "/js/types.d.ts",
        "//etc/passwd",
        "/nothing.js",
        "/m/",
        "/m/a/b",
        "/player",
        "/metrics",
        "/%ff",
        "/\x00",
        "*",
        "http://example.org/",
        "",
        "//[",
    ],
)
def test_anything_else_is_not_found(site: Site, path: str) -> None:
    reply = site.answer("GET", path, {})
    assert reply.status == 404
    assert b"secret" not in reply.body


def test_head_has_the_headers_of_get_and_no_body(site: Site) -> None:
    for path in ("/", "/js/app.js", "/healthz", "/nothing"):
        get, head = site.answer("GET", path, {}), site.answer("HEAD", path, {})
        assert head == Reply(status=get.status, headers=get.headers, body=b"")


def test_other_methods_are_told_which_there_are(site: Site) -> None:
    reply = site.answer("DELETE", "/", {})
    assert reply.status == 405
    assert headers_of(reply)["Allow"] == "GET, HEAD"


def test_a_known_file_is_not_sent_again(site: Site) -> None:
    etag = headers_of(site.answer("GET", "/js/app.js", {}))["ETag"]
    for condition in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        reply = site.answer("GET", "/js/app.js", {"If-None-Match": condition})
        assert (reply.status, reply.body) == (304, b"")
        assert headers_of(reply)["ETag"] == etag
    assert site.answer("GET", "/js/app.js", {"If-None-Match": '"other"'}).status == 200
    assert site.answer("GET", "/icon.svg", {"If-None-Match": etag}).status == 200


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("GZIP", True), ("gzip;q=0", False), ("br", False), ("", False)],
)
def test_long_files_are_packed_for_who_takes_it(site: Site, accepted: str, packed: bool) -> None:  # noqa: FBT001 - a row of the table
    reply = site.answer("GET", "/js/app.js", {"Accept-Encoding": accepted})
    headers = headers_of(reply)
    assert (headers.get("Content-Encoding") == "gzip") is packed
    assert (gzip.decompress(reply.body) if packed else reply.body) == SCRIPT
    assert headers["Vary"] == "Accept-Encoding"
    plain = headers_of(site.answer("GET", "/js/app.js", {}))["ETag"]
    assert (headers["ETag"] != plain) is packed


def test_the_page_runs_its_own_scripts_only_and_in_no_frame(site: Site) -> None:
    headers = headers_of(site.answer("GET", "/", {"Host": "cards.example:8765"}))
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["connect-src"] == "'self' ws://cards.example:8765 wss://cards.example:8765"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_strange_host_does_not_get_into_the_policy(site: Site) -> None:
    headers = headers_of(site.answer("GET", "/", {"Host": "x; script-src *"}))
    assert "*" not in headers["Content-Security-Policy"]


def test_health_and_readiness() -> None:
    ready = [True]
    site = Site({}, ready=lambda: ready[0], metrics=lambda: b"figures 1\n")
    assert site.answer("GET", "/healthz", {}).body == b"ok\n"
    assert site.answer("GET", "/readyz", {}).status == 200
    ready[0] = False
    assert site.answer("GET", "/readyz", {}).status == 503
    assert site.answer("GET", "/healthz", {}).status == 200
    assert site.answer("GET", "/metrics", {}).body == b"figures 1\n"


def test_the_installed_page_is_complete() -> None:
    web = load_web()
    assert b"<!doctype html>" in web["/index.html"].body.lower()


# Who may open a WebSocket.


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        (None, "cards.example", True),
        ("https://cards.example", "cards.example", True),
        ("http://Cards.Example:8765", "cards.example:8765", True),
        ("https://friend.example", "cards.example", True),
        ("https://evil.example", "cards.example", False),
        ("https://cards.example.evil.example", "cards.example", False),
        ("https://cards.example:444", "cards.example", False),
        ("null", "cards.example", False),
        ("https://evil.example, https://cards.example", "cards.example", False),  # two such headers
        ("", "", False),
        ("https://cards.example", "", False),
    ],
)
def test_which_pages_may_connect(origin: str | None, host: str, allowed: bool) -> None:  # noqa: FBT001 - a row of the table
    admission = Admission(origins=frozenset({"https://friend.example"}))
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    assert admission.allows(headers) is allowed


def test_behind_a_proxy_the_host_is_what_the_proxy_says() -> None:
    headers = {"Host": "10.0.0.2:8765", "X-Forwarded-Host": "cards.example", "Origin": "https://cards.example"}
    assert Admission(behind_proxy=True).allows(headers)
    assert not Admission().allows(headers)
    assert Admission(behind_proxy=True).allows({"Host": "cards.example", "Origin": "https://cards.example"})


def test_the_address_behind_a_proxy_is_what_the_proxy_wrote() -> None:
    headers = {"X-Forwarded-For": "203.0.113.9, 198.51.100.4"}
    assert Admission().address("10.0.0.1", headers) == "10.0.0.1"
    assert Admission(behind_proxy=True).address("10.0.0.1", headers) == "198.51.100.4"
    assert Admission(behind_proxy=True).address("10.0.0.1", {}) == "10.0.0.1"
