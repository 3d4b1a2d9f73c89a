"""A player in front of the page: reads what it shows and acts with pointer and keys, never by calling its functions."""

import json
import math
import re
from typing import Any, cast

from playwright.sync_api import Browser, Page

from shared.moves import Command, Draw, Move, Recycle

_FRAME = """() => {
  const felt = document.querySelector('.felt');
  if (!felt) return null;
  const rect = (el) => { const r = el.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; };
  return {
    no: Number(felt.dataset.no), flights: Number(felt.dataset.flights), ready: felt.dataset.ready === 'yes',
    commands: felt.dataset.commands.split(' ').filter(Boolean),
    phase: document.querySelector('.table').dataset.phase, turn: document.querySelector('.table').dataset.turn,
    seat: document.querySelector('.table').dataset.seat,
    cards: [...felt.querySelectorAll('.card:not(.leaving)')].map((el) => ({
      card: el.dataset.card === undefined ? -1 : Number(el.dataset.card), pile: el.dataset.pile, at: rect(el),
      index: Number(el.dataset.index), targets: (el.dataset.targets || '').split(' ').filter(Boolean),
      tap: el.dataset.tap || '', double: el.dataset.double || '', lit: el.classList.contains('lit'),
      held: el.classList.contains('held'), drag: el.classList.contains('drag') })),
    piles: Object.fromEntries([...felt.querySelectorAll('.pile')].map((el) => [el.dataset.pile,
      { count: Number(el.dataset.count), at: rect(el), lit: el.classList.contains('lit') }])),
  };
}"""

_SETTLED = """(no) => {
  const felt = document.querySelector('.felt');
  return felt && felt.dataset.flights === '0' && felt.dataset.ready === 'yes' && Number(felt.dataset.no) > no;
}"""

# Keeps hold of the page's sockets, so that a test can cut them as a dead network would.
_SOCKETS = """
  window.sockets = [];
  window.cutOff = false;
  window.WebSocket = class extends WebSocket {
    constructor(url, protocols) {
      super(window.cutOff ? `${url}/cut` : url, protocols);
      window.sockets.push(this);
    }
  };
"""

Frame = dict[str, Any]


class Player:
    """One browser context with a page. ``errors``: what the page logged as errors."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str,
        *,
        width: int = 1280,
        height: int = 800,
        touch: bool = False,
        zone: str | None = None,
        **settings: Any,
    ) -> None:
        self.url = url
        self.name = name
        self.errors: list[str] = []
        self._tapped = (-1.0, -1.0)
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
            timezone_id=zone,
        )
        kept = json.dumps({"name": name, "language": "en", **settings})
        self.context.add_init_script(
            f"if (!localStorage.getItem('ds.settings')) localStorage.setItem('ds.settings', {json.dumps(kept)})"
        )
        self.context.add_init_script(_SOCKETS)
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{self.name}: {error}"))
        page.on("console", lambda message: self._log(message.type, message.text))
        return page

    def _log(self, kind: str, text: str) -> None:
        if kind == "error" and not re.search(r"WebSocket connection|ERR_CONNECTION", text):  # lines that tests cut
            self.errors.append(f"{self.name}: {text}")

    # --- getting there

    def open(self, path: str = "/") -> None:
        self.page.goto(self.url + path)

    def act(self, name: str) -> None:
        """Press the button called ``name`` in the page's own list of acts."""
        self.page.click(f"[data-act={name}]")

    def deal(self, code: str) -> None:
        """Start the deal of a code by its address."""
        self.open(f"/?deal={code}")
        self.page.wait_for_selector(".felt[data-ready=yes]")

    def host(self, **choices: str) -> str:
        """Set up a table for two; ``choices``: field -> number of the choice. Returns the link's path."""
        self.open()
        self.act("duel")
        for field, value in choices.items():
            self.choose(field.replace("__", "."), value)
        self.act("start")
        link = self.page.inner_text("[data-out=link]")
        return link.removeprefix(self.url)

    def choose(self, field: str, value: str) -> None:
        if self.page.locator(f"select[name='{field}']").count():
            self.page.select_option(f"select[name='{field}']", value)
        else:
            self.page.locator(f"input[name='{field}'][value='{value}'] + span").click()

    def ready(self) -> None:
        self.act("ready")

    def wait_for_cards(self) -> None:
        self.page.wait_for_selector(".felt[data-ready=yes] .card[data-card]", timeout=15000)

    # --- seeing

    def see(self) -> Frame:
        frame = self.page.evaluate(_FRAME)
        assert frame is not None, "no table on the page"
        return cast("Frame", frame)

    def card(self, card: int, frame: Frame | None = None) -> dict[str, Any]:
        return next(c for c in (frame or self.see())["cards"] if c["card"] == card)

    def out(self, name: str) -> str:
        return self.page.inner_text(f"[data-out={name}]")

    def count_cards(self, frame: Frame | None = None) -> int:
        return sum(pile["count"] for pile in (frame or self.see())["piles"].values())

    def settle(self, after: int = -1, timeout: float = 10000) -> None:
        """Wait until every play is answered and entry ``after`` is passed."""
        self.page.wait_for_function(_SETTLED, arg=after, timeout=timeout)

    # --- acting

    @staticmethod
    def grip(card: dict[str, Any]) -> tuple[float, float]:
        """Where a card is taken hold of: near its upper edge, which the card on it leaves free."""
        x, y, width, _ = card["at"]
        return x + width / 2, y + 5

    def drag(self, card: int, to: str, frame: Frame | None = None, *, near: str | None = None) -> None:
        """Drag ``card`` to target ``to`` (``t3``, ``f``)."""
        frame = frame or self.see()
        x, y = self.grip(self.card(card, frame))
        tx, ty = self.landing(card, to, frame, near)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + (tx - x) / 2, y + (ty - y) / 2)
        mouse.move(tx, ty)
        mouse.up()

    def landing(self, card: int, to: str, frame: Frame, near: str | None = None) -> tuple[float, float]:
        """Where the pointer lets go so that the card lies on its target."""
        gx, gy = self.grip(self.card(card, frame))
        sx, sy = self.card(card, frame)["at"][:2]
        if to == "f":
            count = sum(name[0] == "f" for name in frame["piles"])
            pile = f"f{card % 52 // 13 * count // 4}"
        else:
            pile = f"{near or frame['seat'] or 0}:{to}"
        on = [c for c in frame["cards"] if c["pile"] == pile]
        tx, ty = max(on, key=lambda c: c["index"])["at"][:2] if on else frame["piles"][pile]["at"][:2]
        return gx + tx - sx, gy + ty - sy + 6

    def tap(self, card: int, frame: Frame | None = None) -> None:
        x, y = self.grip(self.card(card, frame))
        if math.dist(self._tapped, (x, y)) < 25:
            self.page.wait_for_timeout(260)  # sooner, the page takes it for the hand's tremble
        self._tapped = (x, y)
        self.page.mouse.click(x, y)

    def tap_pile(self, pile: str, frame: Frame | None = None) -> None:
        x, y, width, height = (frame or self.see())["piles"][pile]["at"]
        self.page.mouse.click(x + width / 2, y + height / 2)

    def perform(self, command: Command, *, by_tap: bool = False) -> None:
        """Carry ``command`` out by hand and wait for its answer."""
        frame = self.see()
        seat = frame["seat"] or "0"
        if isinstance(command, Draw | Recycle):
            self.tap_pile(f"{seat}:s", frame)
        elif isinstance(command, Move):
            if by_tap and self.card(command.card, frame)["tap"] == command.to:
                self.tap(command.card, frame)
            else:
                self.drag(command.card, command.to, frame)
        self.settle(frame["no"])
