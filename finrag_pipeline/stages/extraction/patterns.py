"""Which words of a sentence show which relation, and where its head and tail stand around them.

Patterns are rows of `patterns.csv`. In one, `{H:…}` is the head, `{T:…}` the tail, of these types,
each a list of names (甲、乙和丙 share what is said of them), `{H}` and `{T}` whoever acts; `_` is
a short gap without marks and companies, `~` a longer one that may pass over commas; words in
capitals stand for a row of `pattern_words.csv`. The rest is a regular expression. Beside the types
of entities there are `name`, a word that may be a name, `phrase`, a noun phrase that may be one,
and `subject`, whoever a clause leaves out. A pattern that stands `alone` needs no second opinion of
the trained classifier.

How a pattern is matched belongs to `triggers`, what the relations are to `vocabulary`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from finrag_pipeline.data_files import DataRow, data_rows
from finrag_pipeline.records.graph import Confidence, EntityType
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS

#: What a slot of a pattern may hold: a type of entity, what may be a name, who is left out.
PatternType = EntityType | Literal["name", "phrase", "subject"]
PATTERN_TYPES: tuple[PatternType, ...] = (*get_args(EntityType), "name", "phrase", "subject")
#: The head or tail of a pattern, and the types that it may have.
SLOT = re.compile(r"\{([HT]):([a-z ]+)\}")


class Pattern(NamedTuple):
    """One pattern of one relation of the vocabulary, its words in capitals spelled out."""

    relation: str
    text: str
    confidence: Confidence
    alone: bool

    @property
    def noted(self) -> bool:
        """Whether it finds names that stand in brackets behind others."""
        return "[（(]" in self.text


class _Words(NamedTuple):
    kind: str
    text: str


def read_patterns(patterns: Path, words: Path) -> Iterator[Pattern]:
    """The patterns of a file in order.

    Raises:
        ValueError: a row names no relation, has no head or tail, uses words that there are not, or
            is no regular expression; with file and line.
    """
    known = _read_words(words)
    for row in data_rows(patterns, ("relation", "confidence", "alone", "pattern", "note")):
        text = _spelled(row, row["pattern"], known)
        sides = sorted(side for side, _ in SLOT.findall(text))
        if sides != ["H", "T"]:
            row.wrong(f"a pattern has one head and one tail, this has {sides}")
        try:
            re.compile(SLOT.sub(".", text))
        except re.error as error:
            row.wrong(f"no regular expression: {error}")
        relation = row.choice("relation", tuple(RELATIONS))
        confidence = row.choice("confidence", get_args(Confidence))
        alone = row.choice("alone", ("", "yes")) == "yes"
        yield Pattern(relation, text, cast(Confidence, confidence), alone)


def _read_words(path: Path) -> dict[str, _Words]:
    """The words in capitals by their names; each may use those before it."""
    known: dict[str, _Words] = {}
    for row in data_rows(path, ("name", "kind", "text", "note")):
        kind = row.choice("kind", ("types", "words"))
        spell = _spelled if kind == "words" else _typed
        known[row["name"]] = _Words(kind, spell(row, row["text"], known))
    return known


def _spelled(row: DataRow, text: str, known: Mapping[str, _Words]) -> str:
    """A pattern without words in capitals."""

    def word(match: re.Match[str]) -> str:
        found = known.get(match[1])
        if found is None or found.kind != "words":
            row.wrong(f"{{{match[1]}}} is no row of words")
        return found.text

    def slot(match: re.Match[str]) -> str:
        return f"{{{match[1]}:{_typed(row, match[2] or 'ACTOR', known)}}}"

    return re.sub(r"\{([HT])(?::([A-Za-z ]+))?\}", slot, re.sub(r"\{([A-Z_]{2,})\}", word, text))


def _typed(row: DataRow, names: str, known: Mapping[str, _Words]) -> str:
    """Types of entities, parted by spaces, without words in capitals."""
    found: list[str] = []
    for name in names.split():
        if name in known and known[name].kind == "types":
            found.append(known[name].text)
        elif name in PATTERN_TYPES:
            found.append(name)
        else:
            row.wrong(f"{name} is no type of entity")
    return " ".join(found)


_WORDS = Path(__file__).with_name("pattern_words.csv")
#: All patterns; where two find the same relation between the same names, the earlier one counts.
PATTERNS: tuple[Pattern, ...] = tuple(
    read_patterns(Path(__file__).with_name("patterns.csv"), _WORDS)
)
#: The words in capitals that are regular expressions.
SPELLED: Mapping[str, str] = {
    name: words.text for name, words in _read_words(_WORDS).items() if words.kind == "words"
}
