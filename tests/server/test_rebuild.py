"""Books made anew from the results are the same; results are held to the replays."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.archive import decode_archive, decode_result, encode
from server.books.keeper import Keeper
from server.rebuild import rebuild, result_of_replay
from server.settings import STORE_FILE
from server.storage.sqlite import open_sqlite
from shared.moves import Draw, Resign
from shared.table import Abandon, Restart
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.browser import lines
from tests.server.house import House
from tests.server.test_cli import cli


async def played() -> House:
    """A node on which a duel was resigned, games were given up, one after a restart."""
    house = await House().start()
    room, ann, bob = await house.duel()
    await house.play(room, ann, Draw())
    await house.play(room, bob, Resign())
    terms: tuple[Terms, ...] = (
        KlondikeTerms(),
        KlondikeTerms(scoring="vegas", cumulative=True),
        TwoDeckTerms(draw=3, scoring="vegas"),
    )
    for one in terms:
        room, ann = await house.create(one)
        await house.play(room, ann, Draw())
        await house.play(room, ann, Restart())
        await house.play(room, ann, Draw())
        await house.play(room, ann, Abandon())
    await house.settle()
    return house


async def test_the_books_are_the_same_byte_for_byte() -> None:
    house = await played()
    records = house.store.records
    await Keeper(records).catch_up()
    before = dict(records._books)
    assert before
    found = await rebuild(house.store, lambda _: None)
    assert (found.results, found.checked, found.missing, found.wrong) == (4, 4, 0, [])
    assert records._books == before


async def test_a_result_is_what_its_replay_tells() -> None:
    house = await played()
    for _, match, data in await house.store.records.results(0):
        packed = await house.store.log.archived(match)
        assert packed is not None
        result = decode_result(data)
        told = result_of_replay(decode_archive(packed))
        assert replace(told, ended_ms=result.ended_ms, offset=result.offset) == result


async def test_a_replay_without_a_result_gets_one_and_a_wrong_result_is_told() -> None:
    house = await played()
    records = house.store.records
    first, *_, last = records._results
    del records._results[last]
    records._results[first] = encode(replace(decode_result(records._results[first]), sums=(1, 2), rules=1))
    records._results["broken"] = b"\x00"
    found = await rebuild(house.store, lambda _: None)
    assert found.missing == 1
    assert found.wrong == [
        f"{first}: its replay tells another rules, sums",
        "broken: its result cannot be read, and counts for nothing",
    ]
    assert last in records._results


async def test_a_win_is_kept_though_the_game_is_played_again_at_once() -> None:
    """The end and the restart come in one breath: nobody looks in between."""
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(code=lines.KLONDIKE))
    *line, last = lines.winning_line(lines.KLONDIKE)
    for command in line:
        await house.play(room, ann, command)
    house.send(room, ann, last)
    house.send(room, ann, Restart(), seen=10**9)
    await house.settle()
    assert room.state.table.phase == "playing"
    ((_, match, data),) = await house.store.records.results(0)
    assert (match, decode_result(data).outcome.reason) == (room.match, "won")
    assert (await rebuild(house.store, lambda _: None)).wrong == []


def test_the_command_on_a_folder(tmp_path: Path) -> None:
    async def fill() -> None:
        store = open_sqlite(tmp_path / STORE_FILE, lambda: 5)
        await store.records.add_result("broken", b"\x00")
        await store.close()

    asyncio.run(fill())
    done = cli("rebuild", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "WRONG: broken" in done.stdout
    assert "1 results, 0 held to their replays, 0 added" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--data", "{empty}"), "expected a folder with games"),
        (("--store", "redis://127.0.0.1:1/0", "--data", "{empty}"), "expected one of --store and --data"),
    ],
)
def test_bad_options_get_a_sentence(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    done = cli("rebuild", *(option.replace("{empty}", str(tmp_path)) for option in options))
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_folder_whose_server_runs_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert any("Open" in line for line in server.stdout)
            done = cli("rebuild", "--data", str(tmp_path))
        finally:
            server.terminate()
    assert done.returncode == 1
    assert "another" in done.stderr
