"""Winning lines of known deals, found anew by a plain policy over the engine: what the browser then plays by hand."""

from collections.abc import Iterator

from shared.cards import HIDDEN, KING, RANK
from shared.deals import deck_for_code, parse_code
from shared.engine import apply, legal, start
from shared.evolve import Step
from shared.moves import Command, Draw, Move, Recycle, Target
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import KlondikeTerms, TwoDeckTerms
from shared.view import view

#: Codes whose deals the policy wins; kept short by choice.
KLONDIKE = "KL1-D1S-AAAAACH"
TWO_DECK = "DS1-D1N-AAAAAAR"


def rules_of(code: str) -> Ruleset:
    deal = parse_code(code)
    if deal.game == "KL":
        return ruleset(KlondikeTerms(draw=deal.draw, scoring="standard", code=code))
    return ruleset(TwoDeckTerms(draw=deal.draw, scoring="normal", code=code))


def opening(code: str) -> Position:
    return start(rules_of(code), (deck_for_code(parse_code(code)),))


def choose(rules: Ruleset, position: Position) -> Move | None:
    """The policy's next card, or none: it sees what a player sees."""
    seen = view(rules, position, 0)
    seat = seen.seats[0]
    moves = legal(rules, seen, 0).moves
    place = {card: (i, j) for i, column in enumerate(seat.columns) for j, card in enumerate(column) if card != HIDDEN}
    up = {card: "f" for card, targets in moves.items() if "f" in targets}
    lowest = min((len(pile) for pile in seen.foundations), default=0)

    def worth(card: int, to: str) -> float:
        if to == "f":
            bares = card in place and place[card][1] == seat.down[place[card][0]]
            return 90 - RANK[card] if RANK[card] <= lowest + 2 else 60 - RANK[card] + 20 * bares
        if card in place:
            i, j = place[card]
            if j != seat.down[i]:
                return -1
            if j == 0:
                return -1 if RANK[card] == KING or not kings_wait(card) else 30
            return 50 + j
        if seat.waste and card == seat.waste[-1]:
            return 40 if RANK[card] != KING else 45
        return -1

    def kings_wait(card: int) -> bool:
        return any(RANK[other] == KING and other != card and place[other][1] > 0 for other in place) or bool(
            seat.waste and RANK[seat.waste[-1]] == KING
        )

    options = [(worth(card, to), card, to) for card, targets in moves.items() for to in targets]
    nothing: tuple[float, int, Target] = (-1, 0, "f")
    best = max(options, default=nothing)
    return Move(best[1], best[2]) if best[0] >= 0 and (up or best[0] > 0) else None


def play(code: str, most: int = 900) -> Iterator[tuple[Command, Position]]:
    """The policy's commands with the position after each, until the game is won, or the policy is at its end."""
    rules, position, idle = rules_of(code), opening(code), 0
    for _ in range(most):
        command: Command | None = choose(rules, position)
        if command is None:
            seat = position.seats[0]
            command = Draw() if seat.stock else Recycle()
            idle += 1
            if idle > len(seat.stock) + len(seat.waste) + 2 or not (seat.stock or seat.waste):
                return
        else:
            idle = 0
        step = apply(rules, position, 0, command, 0)
        if not isinstance(step, Step):
            return
        position = step.position
        yield command, position
        if position.outcome is not None:
            return


def winning_line(code: str) -> list[Command]:
    """The line that wins ``code``; fails if the policy does not."""
    line = list(play(code))
    assert line, code
    assert line[-1][1].outcome is not None, f"{code}: no win after {len(line)} actions"
    return [command for command, _ in line]
