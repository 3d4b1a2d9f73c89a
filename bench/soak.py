"""Many short games for a while on two nodes: what Redis keeps and what the nodes weigh, over time.

Couples play duel after duel: some cards, then one resigns; between them they begin a game alone and leave it, and seek
an opponent whom they do not wait for. Keeping times are compressed (``--keep``), so that what must go goes while
somebody looks. What grows by design, as it is kept for ever, is told apart: results, and guests (the couples are always
the same ones). ``python -m bench.soak --minutes M``.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import redis as library

from bench.seats import SEED
from client.connection import Connection, connect
from scripts.cluster import Cluster, Node
from shared.moves import Draw, Resign
from shared.protocol import FindOpponent, Leave, StopSeeking
from shared.table import Ready
from shared.terms import DuelTerms, KlondikeTerms

EVERY_SECONDS = 30.0
#: After so long without a viewer a node hosts a game no more, and its keeping time begins; and something to spare.
LET_GO_SECONDS = 60


class Couple:
    """Two players who play on and on."""

    def __init__(self, url: str, number: int) -> None:
        self._chance = random.Random(SEED + number)
        self._url = url
        self._tokens: list[str | None] = [None, None]
        self.duels = self.solos = self.faults = 0

    async def play(self, until: float) -> None:
        """Play until then; each time on new connections."""
        while time.monotonic() < until:
            lines = [connect(self._url, chance=self._chance.random, token=token) for token in self._tokens]
            try:
                async with asyncio.timeout(60), lines[0], lines[1]:
                    await self._duel(*lines)
                    await self._alone(lines[0])
                    self._tokens = [line.session.token for line in lines]
            except TimeoutError:
                self.faults += 1

    async def _duel(self, host: Connection, guest: Connection) -> None:
        await host.create(DuelTerms(game_seconds=600))
        table = host.session.table
        assert table is not None
        await guest.join(match=table.match)
        for line in (host, guest):
            await line.play(Ready(f"{self._chance.getrandbits(128):032x}"))
        for line in (host, guest):
            await line.until(lambda session: session.position is not None)
        for _ in range(10):
            await asyncio.gather(host.play(Draw()), guest.play(Draw()))
        await host.play(Resign())
        await guest.until(lambda session: session.table is not None and session.table.phase == "over")
        self.duels += 1

    async def _alone(self, line: Connection) -> None:
        line.ask(Leave())
        await line.create(KlondikeTerms())
        for _ in range(5):
            await line.play(Draw())
        line.ask(FindOpponent(DuelTerms(tempo="alternating", games=self._chance.choice((1, 3, 5)))))
        await asyncio.sleep(0.2)
        line.ask(StopSeeking())
        self.solos += 1


def weight(node: Node) -> float:
    """Resident memory of a node, MB (its search process is another)."""
    status = Path(f"/proc/{node.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def kinds(port: int) -> str:
    """How many keys there are of each kind, the commonest first."""
    with library.Redis(port=port) as client:
        found = Counter(kind(key.decode()) for key in client.scan_iter(count=1000))
    return ", ".join(f"{name} {count}" for name, count in found.most_common(12))


def kind(key: str) -> str:
    """What a key is for: its name without lane and ids."""
    parts = [part for part in key.split(":") if not part.startswith("{")]
    return ":".join(parts[:2]) or key


async def watch(cluster: Cluster, couples: Sequence[Couple], until: float) -> None:
    """Print a row every so often."""
    began = time.monotonic()
    print("| min | duels | solo | keys | Redis MB | node RSS MB |\n| --- | --- | --- | --- | --- | --- |")
    with library.Redis(port=cluster.redis.port) as client:
        while time.monotonic() < until:
            await asyncio.sleep(min(EVERY_SECONDS, max(0.1, until - time.monotonic())))
            used = client.info("memory")["used_memory"] / 2**20
            nodes = ", ".join(f"{weight(node):.1f}" for node in cluster.nodes)
            duels, solos = (sum(getattr(couple, what) for couple in couples) for what in ("duels", "solos"))
            minutes = (time.monotonic() - began) / 60
            print(f"| {minutes:.1f} | {duels} | {solos} | {client.dbsize()} | {used:.1f} | {nodes} |", flush=True)


async def run(options: argparse.Namespace) -> None:
    """Play, watch, and look at what is left when all that may go is gone."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        given = ("--keep-seconds", str(options.keep))
        async with Cluster(Path(folder), 2, options=given, main=("-m", "bench.serve")) as cluster:
            couples = [Couple(cluster.url, number) for number in range(options.couples)]
            until = time.monotonic() + options.minutes * 60
            await asyncio.gather(watch(cluster, couples, until), *(couple.play(until) for couple in couples))
            print(f"at the end: {kinds(cluster.redis.port)}")
            wait = 3 * options.keep + LET_GO_SECONDS
            await asyncio.sleep(wait)
            print(f"{wait} s later: {kinds(cluster.redis.port)}")
            nodes = ", ".join(f"{weight(node):.1f}" for node in cluster.nodes)
            print(f"nodes {nodes} MB; {sum(couple.faults for couple in couples)} rounds took more than a minute")


def main(arguments: Sequence[str] | None = None) -> None:
    """Soak."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--couples", type=int, default=40)
    parser.add_argument("--keep", type=int, default=30, help="seconds that an ended match stays, and all else thrice")
    asyncio.run(run(parser.parse_args(arguments)))


if __name__ == "__main__":
    main()
