"""Klondike for one (docs/rules.md, Klondike)."""

from typing import Final

from shared import solo
from shared.ruleset import Ruleset
from shared.scoring import Scoring
from shared.terms import KlondikeTerms

TERMS: Final = KlondikeTerms

_HINTS: Final = 3


def rules(terms: KlondikeTerms) -> Ruleset:
    """Return the rules of the Klondike that ``terms`` describe."""
    return Ruleset(
        name="klondike",
        terms=terms,
        seats=1,
        decks=1,
        columns=7,
        foundations=4,
        draw=(terms.draw,),
        may_play=solo.may_play,
        refuse_other=solo.refuse_other,
        commands=solo.commands,
        perform=solo.perform,
        passes=_passes(terms),
        worry_back=terms.worry_back,
        any_to_empty=terms.empty_column == "any",
        open_deal=terms.open_deal,
        tap_to_column=True,
        scoring=_scoring(terms),
        undo_limit=None,
        hints=None if terms.unlimited_hints else _HINTS,
        finish=terms.finish,
    )


def _passes(terms: KlondikeTerms) -> int | None:
    if terms.scoring == "vegas" or terms.passes == "strict":
        return terms.draw
    return None if terms.passes == "unlimited" else terms.passes


def _scoring(terms: KlondikeTerms) -> Scoring | None:
    if terms.scoring == "none":
        return None
    if terms.scoring == "vegas":
        return Scoring(start=-52, to_foundation=5, worry_back=-5, floored=False, unit="dollars")
    return Scoring(
        to_foundation=10,
        waste_to_column=5,
        turned=5,
        worry_back=-15,
        recycle=-100 if terms.draw == 1 else -20,
        free_recycles=0 if terms.draw == 1 else 2,
        bonus=True,
        time_penalty=terms.time_penalty,
    )
