"""The duel: two seats, a deck each, eight foundations between them (docs/rules.md, Duel)."""

from typing import Final

from shared import contest
from shared.ruleset import Ruleset
from shared.terms import DuelTerms

TERMS: Final = DuelTerms


def rules(terms: DuelTerms) -> Ruleset:
    """Return the rules of the duel that ``terms`` agree on."""
    simultaneous = terms.tempo == "simultaneous"
    return Ruleset(
        name="duel",
        terms=terms,
        seats=2,
        decks=1,
        columns=7,
        foundations=8,
        draw=terms.draw,
        may_play=contest.may_play,
        refuse_other=contest.refuse_other,
        commands=contest.commands,
        perform=contest.perform,
        passes=1 if terms.passes == "one" else None,
        tempo=terms.tempo,
        clear_bonus=terms.clear_bonus,
        play_on=terms.play_on,
        penalty=terms.penalty and simultaneous,
        turn_ms=None if simultaneous or terms.turn_seconds is None else terms.turn_seconds * 1000,
        game_ms=terms.game_seconds * 1000 if simultaneous and terms.game_seconds is not None else None,
    )
