"""Files of company records as plain objects, each with the place that a person finds it at.

JSON, JSON lines and CSV say the same; what an object may say is `checking`'s.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError

Json = dict[str, Any]
#: Lists of a JSON file, and what its objects are.
_LISTS = ("companies", "relations")
SUFFIXES = (".json", ".jsonl", ".csv")


@dataclass(frozen=True, slots=True)
class Placed:
    """An object of a file, and where it stands: ``companies.json, companies[2]``."""

    file: str
    place: str
    values: Json


def read_files(path: Path) -> list[Placed]:
    """All objects of a file, or of every file of a folder, in order.

    Raises:
        ConfigurationError: a file cannot be read or is of no known form; one line.
    """
    files = (
        sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES)
        if (path.is_dir())
        else [path]
    )
    if not files:
        raise ConfigurationError(f"{path}: the folder holds no {', '.join(SUFFIXES)} file")
    return [each for file in files for each in _read(file)]


def _read(path: Path) -> Sequence[Placed]:
    readers = {".json": _json, ".jsonl": _json_lines, ".csv": _csv}
    read = readers.get(path.suffix.lower())
    if read is None:
        raise ConfigurationError(
            f"{path.name}: {path.suffix or 'no suffix'} is no format of company records: save it "
            f"as {', '.join(SUFFIXES)}"
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path.name}: it is not written in UTF-8 (byte {error.start}): save it as UTF-8"
        ) from None
    return [Placed(path.name, place, values) for place, values in read(path.name, text)]


def _json(name: str, text: str) -> Iterator[tuple[str, Json]]:
    try:
        read = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"{name}: it is no JSON: {error.msg} in line {error.lineno}"
        ) from None
    if isinstance(read, list):
        read = {"companies": read}
    if not isinstance(read, dict) or not any(each in read for each in _LISTS):
        raise ConfigurationError(f"{name}: it has no list `companies` or `relations`")
    common = {"watermark": read["source"]} if isinstance(read.get("source"), str) else {}
    for key in _LISTS:
        held = read.get(key, [])
        if not isinstance(held, list):
            raise ConfigurationError(f"{name}: `{key}` is no list")
        for number, each in enumerate(held):
            values = {**common, **each} if isinstance(each, dict) else {"": each}
            yield f"{key}[{number}]", values


def _json_lines(name: str, text: str) -> Iterator[tuple[str, Json]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            read = json.loads(line)
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"{name}: line {number} is no JSON: {error.msg}") from None
        yield f"line {number}", read if isinstance(read, dict) else {"": read}


def _csv(name: str, text: str) -> Iterator[tuple[str, Json]]:
    mark = max(",\t;", key=text.partition("\n")[0].count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        head = [each.strip() for each in next(rows, [])]
        if not any(head):
            raise ConfigurationError(f"{name}: it has no line of headings")
        for cells in rows:
            filled = {
                heading: cell.strip()
                for heading, cell in zip(head, cells, strict=False)
                if heading and cell.strip()
            }
            if filled:
                yield f"line {rows.line_num}", filled
    except csv.Error as error:
        raise ConfigurationError(f"{name}: line {rows.line_num} is no CSV: {error}") from None
