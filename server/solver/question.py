"""One line of input of ``double-solitaire solve``: JSON to a problem, every fault named (docs/solver.md, Command)."""

from collections import Counter
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from server.solver.problem import Problem, check, from_deck, from_position
from shared.cards import parse_card
from shared.deals import deck_for_code, parse_code
from shared.notation import parse_position, position_text
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import DrawCount, KlondikeTerms, PassCount, TwoDeckTerms

Passes = PassCount | Literal["strict", "unlimited"] | None


class Question(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of input. One of ``deck``, ``code`` and ``position`` is given; what is left out is as the game has it.

    ``passes``: those of the whole game; a position counts the ones that are over (``pass:2``). ``null`` is unlimited.
    """

    id: str | int | None = None
    variant: Literal["klondike", "two_deck"] | UnsetType = UNSET
    draw: DrawCount | UnsetType = UNSET
    passes: Passes | UnsetType = UNSET
    worry_back: bool | UnsetType = UNSET
    empty_column: Literal["king", "any"] | UnsetType = UNSET
    open_deal: bool | UnsetType = UNSET
    deck: tuple[str, ...] | UnsetType = UNSET
    code: str | UnsetType = UNSET
    position: str | UnsetType = UNSET


_QUESTION: Final = msgspec.json.Decoder(Question)
_ID: Final = msgspec.json.Decoder(dict[str, object])


def parse_question(line: str | bytes) -> Question:
    """Return the question that a line of JSON asks.

    Raises:
        ValueError: it is no JSON, or a field is unknown, missing or not what it should be.
    """
    question = _QUESTION.decode(line)
    given = [name for name in ("deck", "code", "position") if getattr(question, name) is not UNSET]
    if len(given) != 1:
        raise ValueError(f"deck, code, position: expected one of them, got {' and '.join(given) or 'none'}")
    return question


def id_of(line: str | bytes) -> str | int | None:
    """The id on a line that may be malformed, if it can be read at all."""
    try:
        found = _ID.decode(line).get("id")
    except ValueError:
        return None
    return found if isinstance(found, str | int) else None


def problem_of(question: Question) -> Problem:
    """Return the problem that ``question`` poses.

    Raises:
        ValueError: its cards or its rules make no game; the field is named.
    """
    if isinstance(question.code, str):
        return _from_code(question)
    if isinstance(question.position, str):
        return _from_position(question)
    names = question.deck
    assert isinstance(names, tuple), "parse_question has seen to it"  # noqa: S101
    problem = from_deck(_rules(question, 2 if len(names) > 52 else 1), _deck(question, names))
    return _checked(question, problem)


def _deck(question: Question, names: tuple[str, ...]) -> list[int]:
    """The cards of ``names``: the second of two equal names is the card of deck 1."""
    expected = {"klondike": (52,), "two_deck": (104,)}.get(str(question.variant), (52, 104))
    if len(names) not in expected:
        raise ValueError(f"deck: expected {' or '.join(map(str, expected))} cards, got {len(names)}")
    seen: Counter[int] = Counter()
    deck = []
    for name in names:
        card = parse_card(name.upper()) if name else -1
        if card < 0:
            raise ValueError(f"deck: expected names of cards, got {name!r}")
        deck.append(card + 52 * min(seen[card], 1))
        seen[card] += 1
    return deck


def _from_code(question: Question) -> Problem:
    code = parse_code(str(question.code))
    variant: Literal["klondike", "two_deck"] = "klondike" if code.game == "KL" else "two_deck"
    for field, given, fixed in (("variant", question.variant, variant), ("draw", question.draw, code.draw)):
        if given is not UNSET and given != fixed:
            raise ValueError(f"{field}: the code {code} fixes it as {fixed}, got {given}")
    asked = replace(question, variant=variant, draw=code.draw)
    if code.scoring == "vegas" and question.passes is UNSET:
        asked = replace(asked, passes="strict" if variant == "klondike" else 1)
    problem = from_deck(_rules(asked, 1 if variant == "klondike" else 2), deck_for_code(code))
    return _checked(asked, problem)


def _from_position(question: Question) -> Problem:
    position = parse_position(str(question.position))
    if len(position.seats) != 1:
        raise ValueError("position: expected a game of one seat")
    decks = len(position.foundations) // 4
    rules = _rules(question, decks)
    if len(position.seats[0].columns) != rules.columns:
        raise ValueError(f"position: expected {rules.columns} columns, got {len(position.seats[0].columns)}")
    if rules.passes is not None and position.seats[0].pass_number > rules.passes:
        raise ValueError(f"position: pass {position.seats[0].pass_number} of {rules.passes}")
    return _checked(question, from_position(rules, position))


def _rules(question: Question, decks: int) -> Ruleset:
    """The rules that the question names, those of the game where it names none."""
    variant = "klondike" if decks == 1 else "two_deck"
    if question.variant not in (UNSET, variant):
        raise ValueError(f"variant: expected {variant} for {decks * 52} cards, got {question.variant}")
    draw = 1 if question.draw is UNSET else question.draw
    passes = "unlimited" if question.passes in (UNSET, None) else question.passes
    worry_back = question.worry_back is not False
    if variant == "klondike":
        terms = KlondikeTerms(
            draw=draw,
            passes=passes,
            worry_back=worry_back,
            empty_column="king" if question.empty_column is UNSET else question.empty_column,
            open_deal=question.open_deal is True,
        )
        return ruleset(terms)
    if question.empty_column == "any" or question.open_deal is True:
        raise ValueError("empty_column, open_deal: house rules of Klondike only")
    if passes == "strict":
        passes = 1
    rules = ruleset(TwoDeckTerms(draw=draw))
    return replace(rules, passes=None if passes == "unlimited" else int(passes), worry_back=worry_back)


def _checked(question: Question, problem: Problem) -> Problem:
    if question.variant is not UNSET and (problem.decks == 2) != (question.variant == "two_deck"):
        raise ValueError(f"variant: the cards are not those of {question.variant}")
    check(problem)
    return problem


def position_question(rules: Ruleset, position: Position) -> str:
    """The line of input that asks whether ``position`` can be won under ``rules``."""
    question = Question(
        variant="klondike" if rules.decks == 1 else "two_deck",
        draw=1 if rules.draw[0] == 1 else 3,
        passes=rules.passes,
        worry_back=rules.worry_back,
        empty_column="any" if rules.any_to_empty else "king",
        position=position_text(replace(position, tally=None, outcome=None)).replace("\n", " "),
    )
    return msgspec.json.encode(question).decode()
