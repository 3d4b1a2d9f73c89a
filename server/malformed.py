"""The words for a frame that is no message: which field, and what was expected there."""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import inspect

from shared.codec import Malformed
from shared.protocol import Failed, ToServer

_AT: Final = re.compile(r" - at `\$\.?(?P<path>[^`]*)`")
_NAMED: Final = re.compile(r"(?:unknown|required) field `(?P<name>[^`]*)`")
_INVALID: Final = re.compile(r"^Invalid (?:enum )?value (?P<got>.*)$", re.DOTALL)
_STEP: Final = re.compile(r"[^.\[\]]+")
_MAX_FIELD: Final = 80
_MAX_GOT: Final = 40

_SCHEMA: Final = inspect.type_info(ToServer)


def failed_of(error: Malformed, frame: bytes | str = b"") -> Failed:
    """Return the answer to ``frame``: ``field`` is the path of the culprit (``do.card``), absent if it is the whole
    frame; the message says what was expected there.
    """
    text = str(error)
    at = _AT.search(text)
    named = _NAMED.search(text)
    path = at["path"] if at else ""
    message = _AT.sub("", text)
    invalid = _INVALID.match(message)
    if invalid:
        allowed = _allowed(path, frame)
        if allowed:
            message = f"Expected one of {allowed}, got {invalid['got'][:_MAX_GOT]}"
    field = ".".join(part for part in (path, named["name"] if named else "") if part)
    return Failed(code="malformed", message=message[:500], field=field[:_MAX_FIELD] or None)


def _allowed(path: str, frame: bytes | str) -> str:
    """The values that the schema has at ``path`` of this frame, quoted; empty where they cannot be told."""
    try:
        value: Any = msgspec.json.decode(frame) if isinstance(frame, str) else msgspec.msgpack.decode(frame)
        kinds = _members(_SCHEMA)
        for step in _STEP.findall(path):
            structs = [kind for kind in kinds if isinstance(kind, inspect.StructType)]
            if any(struct.tag_field == step for struct in structs):
                return ", ".join(f"`{struct.tag}`" for struct in structs)
            kinds = [found for kind in kinds for found in _step(kind, value, step)]
            value = value[step] if isinstance(value, dict) else value[int(step)]
    except (msgspec.MsgspecError, UnicodeError, LookupError, ValueError, TypeError, RecursionError):
        return ""
    values = [value for kind in kinds if isinstance(kind, inspect.LiteralType) for value in kind.values]
    return ", ".join(f"`{value}`" for value in values)


def _members(kind: inspect.Type) -> list[inspect.Type]:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [member.type if isinstance(member, inspect.Metadata) else member for member in kinds]


def _step(kind: inspect.Type, value: Any, step: str) -> Iterable[inspect.Type]:
    """The kinds that ``step``, a field or an index, leads to from a ``value`` of this kind."""
    if isinstance(kind, inspect.StructType) and (kind.tag_field is None or value[kind.tag_field] == kind.tag):
        return [found for field in kind.fields if field.encode_name == step for found in _members(field.type)]
    if isinstance(kind, inspect.TupleType):
        return _members(kind.item_types[int(step)])
    return []
