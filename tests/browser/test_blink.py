"""A server of several is stopped while somebody plays: the page is on another before anything is told of it."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from shared.engine import start
from shared.protocol import Failed
from shared.ruleset import ruleset
from shared.terms import DuelTerms
from tests.browser.conftest import ROOT, Server
from tests.browser.driver import Player
from tests.browser.test_verdicts import Script
from tests.shared.made import easy_decks

#: Keeps what the page ever said about its line.
_WATCH = """
  window.told = [];
  new MutationObserver(() => {
    const line = document.getElementById('line');
    if (!line.hidden && line.textContent) window.told.push(line.textContent);
  }).observe(document.getElementById('line'), {attributes: true, childList: true, characterData: true, subtree: true});
"""


@pytest.fixture
def cluster() -> Iterator[tuple[str, dict[int, int]]]:
    """The address of a balancer, and the ports of the nodes behind it with their processes."""
    command = [sys.executable, "-m", "scripts.cluster", "--nodes", "2", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url, nodes = "", {}
            for line in process.stdout:
                if found := re.search(r"Open (http://\S+)", line):
                    url = found[1]
                elif found := re.search(r"Node: +process (\d+), http://[^:]+:(\d+)", line):
                    nodes[int(found[2])] = int(found[1])
                elif line.startswith("Kill"):
                    break
            yield url, nodes
        finally:
            process.send_signal(signal.SIGTERM)


def connections(port: int) -> int:
    """How many connections to `port` of this machine are open."""
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def lasting(port: int) -> int:
    """How many of them stay: the balancer's questions come and go."""
    seen: list[int] = []
    for _ in range(20):
        time.sleep(0.02)
        seen.append(connections(port))
    return min(seen)


@pytest.mark.chaos
def test_a_deploy_is_a_blink(browser: Browser, cluster: tuple[str, dict[int, int]]) -> None:
    url, nodes = cluster
    ann = Player(browser, url, "Ann")
    try:
        ann.open()
        ann.act("klondike")
        ann.act("start")
        ann.page.wait_for_selector(".felt[data-ready=yes]")
        ann.page.evaluate(_WATCH)
        before = ann.page.evaluate("window.sockets.length")
        os.kill(nodes[max(nodes, key=lasting)], signal.SIGTERM)
        ann.page.wait_for_function(
            "(before) => window.sockets.length > before && window.sockets.at(-1).readyState === 1", arg=before
        )
        for _ in range(3):
            frame = ann.see()
            ann.tap_pile("0:s", frame)
            ann.settle(frame["no"])
        assert ann.out("moves") == "3"
        time.sleep(1.5)
        assert ann.page.evaluate("window.told") == []
        assert ann.page.locator(".toast").count() == 0
        assert ann.errors == []
    finally:
        ann.context.close()


class Away(Script):
    """A server whose store is away: joins fail. ``joins``: how often somebody tried."""

    away = False
    joins = 0

    def _read(self, frame: str | bytes) -> None:
        joins = '"t":"join"' in str(frame)
        self.joins += joins
        if joins and self.away:
            self.say(Failed("unavailable", "the store is away, try again"))
        else:
            super()._read(frame)


@pytest.mark.browser
def test_a_way_back_that_is_closed_is_tried_again_elsewhere(browser: Browser, server: Server) -> None:
    rules = ruleset(DuelTerms())
    script = Away(browser, server.url, start(rules, easy_decks(rules, random.Random(1)), first=0))
    page = script.ann.page
    try:
        script.away = True
        script.line.close(code=1012)
        page.wait_for_selector("#line:not([hidden])")
        page.wait_for_function("() => document.getElementById('line').textContent.includes('save')")
        tried = script.joins
        for _ in range(80):
            if script.joins > tried:
                break
            page.wait_for_timeout(100)
        script.away = False
        page.wait_for_selector("#line[hidden]", state="attached", timeout=15000)
        assert script.joins > tried
    finally:
        script.ann.context.close()
