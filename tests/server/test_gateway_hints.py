"""Hints cost the solver's time: an address gets so many, over all its games."""

from shared.moves import Refusal
from shared.protocol import AskHint, Create, Hint, Refused
from shared.terms import KlondikeTerms
from tests.server.gateway_fakes import Bench


async def test_hints_are_counted_by_address_over_all_its_games() -> None:
    """Who opens many games gets no more of the solver's time; other addresses notice nothing."""
    bench = Bench(hints_per_second=1, hints_burst=3)
    one, other = await bench.guest(), await bench.guest()
    elsewhere = await bench.guest(address="192.0.2.9")
    for client in (one, other, elsewhere):
        await client.ask(Create(terms=KlondikeTerms()))
    answers = [await client.ask(AskHint()) for client in (one, other, one, other, elsewhere)]
    assert [type(answer) for answer in answers] == [Hint, Hint, Hint, Refused, Hint]
    assert answers[3] == Refused(n=0, refusal=Refusal(code="too_fast"))
    bench.clock.ms += 1000
    assert isinstance(await other.ask(AskHint()), Hint)
