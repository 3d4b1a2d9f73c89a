"""docs/protocol.md and the JSON Schema say what shared/protocol/ says, no more and no less."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from server.limits import Limits
from shared import moves, position, sheet, table, terms
from shared.codec import CODECS
from shared.protocol import JSON, MAX_FRAME, Device, Failed, OpenSeek, QrCode, ToClient, ToServer, Wish, answers

ROOT = Path(__file__).resolve().parents[2]
DOC = (ROOT / "docs" / "protocol.md").read_text()

VALUES = (
    table.Table,
    table.Player,
    table.Said,
    table.GameResult,
    table.Race,
    table.StuckProof,
    table.LossProof,
    position.Position,
    position.Seat,
    position.Turn,
    position.Tally,
    position.Outcome,
    moves.Legal,
    moves.Refusal,
    OpenSeek,
    answers.DuelRecord,
    answers.SoloRecord,
    answers.Rating,
    answers.DayStreak,
    answers.HistoryRow,
    answers.Person,
    answers.Against,
    answers.BoardRow,
    answers.DailyDay,
    answers.GameNote,
    sheet.SheetLine,
    Device,
    QrCode,
)


def section(title: str) -> str:
    """The text under a heading of the second level."""
    parts = re.split(r"^## (.+)$", DOC, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[title]


def subsections(title: str) -> dict[str, str]:
    parts = re.split(r"^### `(.+)`$", section(title), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows but heads and rules."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0].startswith("`")]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


def struct(cls: type) -> inspect.StructType:
    found = inspect.type_info(cls)
    assert isinstance(found, inspect.StructType)
    return found


def cases() -> Iterator[Any]:
    unions = {
        "Messages to the server": get_args(ToServer),
        "Messages to the client": get_args(ToClient),
        "Terms": get_args(terms.Terms),
        "Values": VALUES,
    }
    for title, classes in unions.items():
        yield pytest.param(title, classes, id=title)


@pytest.mark.parametrize(("title", "classes"), list(cases()))
def test_each_type_has_its_words_and_all_its_fields(title: str, classes: tuple[type, ...]) -> None:
    texts = subsections(title)
    assert list(texts) == [struct(cls).tag or cls.__name__ for cls in classes]
    for cls in classes:
        text = texts[str(struct(cls).tag or cls.__name__)]
        assert re.match(r"\s+[A-Z][^\n]+", text), f"{cls.__name__} has no sentence"
        told = {next(iter(names(row[0]))): (row[2], row[3]) for row in rows(text) if len(row) == 4}
        real = {
            field.encode_name: "required" if field.required else f"`{json.dumps(msgspec.to_builtins(field.default))}`"
            for field in struct(cls).fields
        }
        assert {name: default for name, (default, _) in told.items()} == real, cls.__name__


@pytest.mark.parametrize(("title", "union"), [("Plays", Wish), ("Events", moves.Event)])
def test_each_play_and_event_is_told_with_its_fields(title: str, union: Any) -> None:
    told = {next(iter(names(row[0]))): names(row[1]) for row in rows(section(title))}
    assert told == {struct(cls).tag: {field.encode_name for field in struct(cls).fields} for cls in get_args(union)}


def literals(cls: type, name: str) -> set[str]:
    (kind,) = (field.type for field in struct(cls).fields if field.name == name)
    assert isinstance(kind, inspect.LiteralType)
    return set(map(str, kind.values))


@pytest.mark.parametrize(
    ("title", "cls", "field"),
    [("Refusals", moves.Refusal, "code"), ("Failures", Failed, "code"), ("Values", position.Outcome, "reason")],
)
def test_each_code_is_told(title: str, cls: type, field: str) -> None:
    told = {name for row in rows(section(title)) if len(row) == 2 for name in names(row[0])}
    assert told == literals(cls, field)


def examples(title: str) -> list[str]:
    return re.findall(r"^```json\n(.*?)^```", section(title), flags=re.MULTILINE | re.DOTALL)


def same(message: ToServer | ToClient, text: str) -> bool:
    """Nothing in the text is ignored, and nothing in it is at its default."""
    found: bool = json.loads(CODECS[JSON].encode(message)) == json.loads(text)
    return found


@pytest.mark.parametrize("title", ["Messages to the server", "Plays"])
def test_examples_to_the_server_are_messages(title: str) -> None:
    assert examples(title)
    assert all(same(CODECS[JSON].read_client(text), text) for text in examples(title))


def test_examples_to_the_client_are_messages() -> None:
    texts = examples("Messages to the client")
    assert all(same(CODECS[JSON].read_server(text), text) for text in texts)


@pytest.mark.parametrize(
    ("title", "union"), [("Messages to the server", ToServer), ("Messages to the client", ToClient)]
)
def test_each_message_has_an_example_of_its_type(title: str, union: Any) -> None:
    for tag, text in subsections(title).items():
        found = re.findall(r"^```json\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
        assert {json.loads(example)["t"] for example in found} == {tag}
    assert len(subsections(title)) == len(get_args(union))


def test_the_dialogue_is_made_of_messages() -> None:
    lines = re.findall(r"^([→←]) (\{.*\})$", DOC, flags=re.MULTILINE)
    assert len(lines) >= 5
    for arrow, text in lines:
        codec = CODECS[JSON]
        assert same(codec.read_client(text) if arrow == "→" else codec.read_server(text), text)


def test_the_limits_are_those_of_the_server() -> None:
    limits = Limits()
    text = section("Limits") + section("Frames that are no message")
    for words in (
        f"{limits.messages_burst} at once, {limits.messages_per_second} a second on",
        f"after {limits.flood} of them",
        f"| {limits.waiting} |",
        f"{limits.creates_burst} at once, one in {1 / limits.creates_per_second:.0f} s on",
        f"{limits.seeks_burst} at once, one a second on",
        f"{limits.hints_burst} at once, {limits.hints_per_second} a second on",
        f"{limits.questions_burst} at once, {limits.questions_per_second} a second on",
        f"{limits.identities_burst} at once, {limits.identities_per_second} a second on",
        f"{limits.connections_per_address}, {limits.connections // 1000} 000",
        f"{limits.outbox_bytes // 1024} KiB",
        f"the {limits.malformed + 1}st such frame",
        f"{MAX_FRAME} bytes",
    ):
        assert words in text, words
    assert limits.seeks_per_second == 1
    assert f"{limits.hello_ms // 1000} s" in section("The life of a connection")


def test_the_schema_file_is_fresh() -> None:
    spec = importlib.util.spec_from_file_location("protocol_schema", ROOT / "scripts" / "protocol_schema.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.TARGET.read_text() == script.text(), "run python scripts/protocol_schema.py"
