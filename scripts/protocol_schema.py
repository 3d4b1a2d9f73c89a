"""Writes docs/protocol.schema.json, the schema of all messages as JSON Schema, from shared/protocol/."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "protocol.schema.json"


def schema() -> dict[str, Any]:
    """Both directions, as `$defs` with a union for each."""
    from shared.protocol import ToClient, ToServer  # noqa: PLC0415 - found by the path set below

    (to_server, to_client), definitions = msgspec.json.schema_components(
        [ToServer, ToClient], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Double Solitaire, messages",
        "$defs": {"ToServer": to_server, "ToClient": to_client, **definitions},
    }


def without_words(value: Any) -> Any:
    """`value` without its descriptions: they are those of the code, and change with every word there."""
    if isinstance(value, dict):
        return {key: without_words(inner) for key, inner in value.items() if key != "description"}
    return [without_words(inner) for inner in value] if isinstance(value, list) else value


def text() -> str:
    """What the file holds."""
    return json.dumps(without_words(schema()), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    TARGET.write_text(text(), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(ROOT)}")
