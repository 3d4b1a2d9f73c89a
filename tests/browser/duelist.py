"""Duels through two pages: what a sensible player would do, read off the page alone."""

from typing import Any

from tests.browser.driver import Frame, Player


def begin(host: Player, guest: Player, **choices: str) -> str:
    """Both sit down, are ready, and see their cards. Returns the path of the invitation."""
    path = host.host(**choices)
    guest.open(path)
    guest.page.wait_for_selector("[data-act=ready]")
    guest.ready()
    host.page.wait_for_selector(".seats .ready")
    host.ready()
    host.page.wait_for_selector(".countdown .digits")
    host.wait_for_cards()
    guest.wait_for_cards()
    return path


def best(frame: Frame) -> tuple[int, str] | None:
    """The card to play and where: up, else a move that turns a card or frees the waste."""
    down: dict[str, int] = {}
    for card in frame["cards"]:
        if card["card"] < 0:
            down[card["pile"]] = down.get(card["pile"], 0) + 1
    options: list[tuple[float, int, str]] = []
    for card in frame["cards"]:
        for to in card["targets"]:
            worth = _worth(card, to, down)
            if worth:
                options.append((worth, card["card"], to))
    chosen = max(options, default=None)
    return chosen and (chosen[1], chosen[2])


def _worth(card: dict[str, Any], to: str, down: dict[str, int]) -> float:
    rank: int = card["card"] % 13 + 1
    if to == "f":
        return 100 - rank
    if card["pile"].endswith(":w"):
        return 20
    return 50.0 + int(card["index"]) if card["index"] == down.get(card["pile"], 0) > 0 else 0


def turn_stock(player: Player, frame: Frame) -> bool:
    """Draw or recycle; false if neither is possible."""
    if not {"draw", "recycle"} & set(frame["commands"]):
        return False
    player.tap_pile(f"{frame['seat']}:s", frame)
    return True


def resign(player: Player) -> None:
    for act in ("menu", "resign", "yes"):
        player.act(act)


def over(player: Player) -> bool:
    return player.page.locator(".panel[data-reason]").count() > 0


def result(player: Player) -> dict[str, Any]:
    """What the page says at the end."""
    panel = player.page.locator(".panel[data-reason]")
    panel.wait_for()
    return {
        "winner": panel.get_attribute("data-winner"),
        "reason": panel.get_attribute("data-reason"),
        "counts": [player.page.inner_text(f".panel [data-count='{deck}']") for deck in (0, 1)],
        "title": player.page.inner_text(".panel h2"),
    }
