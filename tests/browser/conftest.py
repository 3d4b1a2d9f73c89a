"""The real server in a process of its own, and Chromium with one context a player."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.driver import Player
from tests.chromium import FLAGS

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """``double-solitaire serve`` on a free port; ``restart`` brings it back on the same one."""

    def __init__(self, data: Path | None = None) -> None:
        self.data = data
        self.port = 0
        self.start()

    def start(self) -> None:
        keep = ["--memory"] if self.data is None else ["--data", str(self.data)]
        command = [sys.executable, "-m", "server", "serve", "--port", str(self.port), *keep]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://[\w.]+:(\d+)", line)
            if found:
                self.url, self.port = found[0], int(found[1])
                return
        raise AssertionError(f"the server did not start: {self.process.wait()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.kill()


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """Gone after the last test here: Playwright's event loop would stand in the way of asynchronous tests."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, headless=True, args=list(FLAGS))
        yield launched
        launched.close()


NewPlayer = Callable[..., Player]


@pytest.fixture
def player(browser: Browser, server: Server) -> Iterator[NewPlayer]:
    """Makes players: ``player("Ann", width=390, height=844, touch=True)``. An error that a page logs fails the test."""
    made: list[Player] = []

    def make(name: str = "Ann", *, url: str = server.url, **look: Any) -> Player:
        new = Player(browser, url, name, **look)
        made.append(new)
        return new

    yield make
    errors = [error for one in made for error in one.errors]
    for one in made:
        one.context.close()
    assert errors == []
