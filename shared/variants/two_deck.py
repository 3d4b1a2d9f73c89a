"""Double Solitaire for one, two decks mixed (docs/rules.md, Two-deck)."""

from typing import Final

from shared import solo
from shared.ruleset import Ruleset
from shared.scoring import Scoring
from shared.terms import TwoDeckTerms

TERMS: Final = TwoDeckTerms

_NORMAL: Final = Scoring(to_foundation=10, waste_to_column=5, turned=5, recycle=-100)
_VEGAS: Final = Scoring(start=-104, to_foundation=5, floored=False, unit="dollars")


def rules(terms: TwoDeckTerms) -> Ruleset:
    """Return the rules of the two-deck game that ``terms`` describe."""
    vegas = terms.scoring == "vegas"
    return Ruleset(
        name="two_deck",
        terms=terms,
        seats=1,
        decks=2,
        columns=9,
        foundations=8,
        draw=(terms.draw,),
        may_play=solo.may_play,
        refuse_other=solo.refuse_other,
        commands=solo.commands,
        perform=solo.perform,
        passes=1 if vegas else None,
        worry_back=True,
        scoring=_VEGAS if vegas else _NORMAL,
        undo_limit=200,
    )
