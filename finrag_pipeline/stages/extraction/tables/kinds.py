"""The kinds of tables whose rows state a relation: which columns name the two ends.

What headings are called stands in `headings.csv`, which of them state what in `kinds.csv`. Where
such columns are found in a table belongs to `sections`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import DataRow, data_rows
from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS
from finrag_pipeline.words import fold

#: Ends of a relation that no heading names: whom the document is about, and the first column.
OWN, LABEL = "@own", "@label"
#: Who may hold a share: a company or a person, as the row tells.
HOLDER = "holder"
_COLUMNS = (
    *("relation", "head", "tail", "head_type", "tail_type", "title", "unless", "beside"),
    *("if_column", "if_cell"),
)
_TYPES: dict[str, EntityType | None] = {
    "": "company",
    "product": "product",
    "industry": "industry",
    HOLDER: None,
}
_HAN = r"\u3400-\u9fff"
_NOTE = re.compile(r"[（(\[【][^（）()\[\]【】]*[)）\]】]?")
_BESIDE_HAN = re.compile(rf"(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])")
#: 公司名称24/4/30, 客户名称：, *股东名称
_EDGES = re.compile(r"^[\s*#|·•]+|[\s:：*|]+$|(?<=[^\d\s])\s*\d[\d/.\-]*$")


@dataclass(frozen=True, slots=True)
class Kind:
    """One way in which a table states a relation between two columns, or a column and its company.

    `head` and `tail` are names of headings, `OWN` or `LABEL`; a type of None is told by the row.
    It holds where the words around the table have `title` and not `unless`, another column is
    called `beside`, and the row's cell under `if_column` has `if_cell`; each if given.
    """

    relation: str
    head: str
    tail: str
    head_type: EntityType | None
    tail_type: EntityType | None
    title: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    beside: str
    if_column: str
    if_cell: re.Pattern[str] | None


@lru_cache(maxsize=1 << 16)
def heading(text: str) -> str:
    """What a heading says, without notes in brackets, days, and spaces of wrapped lines.

    >>> heading("股东名称 （全称）"), heading("公司 名称24/4/30"), heading("Name of Unit (1)")
    ('股东名称', '公司名称', 'name of unit')
    """
    return _EDGES.sub("", one_line(_NOTE.sub("", fold(text)))).strip()


def one_line(text: str) -> str:
    """Folded text without the spaces that wrapping leaves between Chinese characters."""
    return _BESIDE_HAN.sub("", " ".join(fold(text).split()))


@lru_cache(maxsize=1 << 16)
def is_called(text: str, name: str) -> bool:
    """Whether a normalised heading is one of those that go by a name of `headings.csv`."""
    return _HEADINGS[name].fullmatch(text) is not None


@lru_cache(maxsize=1 << 16)
def is_party(text: str) -> bool:
    """Whether a normalised heading may name an end of a relation."""
    return any(is_called(text, name) for name in _PARTIES)


def _read_headings() -> Iterator[tuple[str, re.Pattern[str]]]:
    for row in data_rows(Path(__file__).with_name("headings.csv"), ("name", "pattern")):
        yield row["name"], re.compile(row["pattern"])


def _pattern(row: DataRow, column: str) -> re.Pattern[str] | None:
    return re.compile(row[column]) if row[column] else None


def _read_kinds() -> Iterator[Kind]:
    for row in data_rows(Path(__file__).with_name("kinds.csv"), _COLUMNS):
        row.choice("relation", tuple(RELATIONS))
        for column in ("head", "tail", "beside", "if_column"):
            row.choice(column, ("", OWN, LABEL, *_HEADINGS))
        yield Kind(
            row["relation"],
            row["head"],
            row["tail"],
            _TYPES[row.choice("head_type", tuple(_TYPES))],
            _TYPES[row.choice("tail_type", tuple(_TYPES))],
            _pattern(row, "title"),
            _pattern(row, "unless"),
            row["beside"],
            row["if_column"],
            _pattern(row, "if_cell"),
        )


_HEADINGS: Mapping[str, re.Pattern[str]] = MappingProxyType(dict(_read_headings()))
#: Every kind; of two that fit the same two names of a row the first one counts.
KINDS: tuple[Kind, ...] = tuple(_read_kinds())
#: What columns are called that name one end of a relation.
_PARTIES: tuple[str, ...] = tuple(
    sorted({name for kind in KINDS for name in (kind.head, kind.tail)} - {OWN, LABEL})
)
