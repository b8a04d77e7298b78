"""Replies as pydantic models: the schema that is asked for, and the reading of what comes back.

Whether a reply of the right form is right belongs to who asked.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar, cast

from pydantic import BaseModel

M = TypeVar("M", bound=BaseModel)

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model as strict servers want it: all fields, and no others."""
    return cast(dict[str, Any], _strict(model.model_json_schema()))


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(each) for each in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    known = cast(dict[str, Any], schema)
    # defaults and titles are not of the strict subset; `properties` may hold fields so named
    kept = {
        name: {field: _strict(value) for field, value in each.items()}
        if name in ("properties", "$defs")
        else _strict(each)
        for name, each in known.items()
        if name not in ("default", "title")
    }
    if "properties" in kept:
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept


def read_reply(text: str, model: type[M]) -> M:
    """A reply as the model that was asked for.

    Fences and prose around the JSON, comments, single quotes and trailing commas are repaired; an
    object that is cut off is none.

    Raises:
        ValueError: it is no JSON, or not of the model; the message says where, for the next try.

    >>> class Answer(BaseModel):
    ...     names: list[str]
    >>> read_reply("Here you are: ```json\\n{'names': ['衡宇',],}\\n```", Answer)
    Answer(names=['衡宇'])
    >>> read_reply('{"names": ["衡宇"', Answer)
    Traceback (most recent call last):
    ValueError: its JSON is cut off
    """
    from json_repair import loads

    try:
        return model.model_validate_json(text)
    except ValueError:
        body = _longest_object(text)
    try:
        return model.model_validate_json(body)
    except ValueError:
        return model.model_validate(loads(body))


def _longest_object(text: str) -> str:
    """The longest whole object in a text.

    Raises:
        ValueError: there is none.
    """
    # braces in strings do not count
    plain = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    found = ""
    depth = start = 0
    for at, character in enumerate(plain):
        if character == "{":
            start = start if depth else at
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if not depth:
                found = max(found, text[start : at + 1], key=len)
    if depth:
        raise ValueError("its JSON is cut off")
    if not found:
        raise ValueError("there is no JSON object in it")
    return found


def complaint(error: ValueError) -> str:
    """What is wrong with a reply, in one line that a model can act on; at most 500 characters."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())[:500]
    lines = (
        f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg']}" for one in error.errors()[:5]
    )
    return "; ".join(lines)[:500]
