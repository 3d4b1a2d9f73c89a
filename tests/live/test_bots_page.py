"""The example of docs/bots.md is a bot that plays."""

import asyncio
import random
import re
from typing import Any

import pytest

from client.player import RandomPlayer, take_part
from shared.protocol import MSGPACK, DuelTerms
from tests.live.node import ROOT, node_here
from tests.live.table import Guest


@pytest.mark.live
async def test_the_example_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "bots.md").read_text(), re.DOTALL)
    async with node_here(speed=30) as node:
        chance = random.Random(1)
        host = Guest(node.url, MSGPACK, chance)
        async with host.connection:
            await host.connection.create(DuelTerms(game_seconds=None))
            assert host.session.table is not None
            for there, here in (
                ("ws://127.0.0.1:8765/ws", node.url),
                ("KQJTA", host.session.table.code or ""),
                ("asyncio.run(main())", ""),
            ):
                assert there in example
                example = example.replace(there, here)
            names: dict[str, Any] = {}
            exec(example, names)
            mine = take_part(host.connection, RandomPlayer(chance.random, longest=50), nonce=lambda: "0" * 32)
            await asyncio.wait_for(asyncio.gather(names["main"](), mine), 60)
            assert host.session.table.result is not None
    assert "Outcome(" in capsys.readouterr().out
