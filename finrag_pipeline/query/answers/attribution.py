"""Whom and what a question names that no document is about: other firms, places, indices, things.

A report on one firm prints figures of its rivals, too, and leaves out those of others: a figure
answers for a name that stands with it, and for no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.contradiction import (
    contradicts,
    holds_what_is_left_out,
    is_another_rate,
    is_of_one_year,
    is_share_and_no_rate,
    is_told_of_another_time,
    leaves_out_what_is_asked,
)
from finrag_pipeline.query.answers.passages.planned import lacks_standing
from finrag_pipeline.query.answers.passages.synonyms import Text
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whose import right_before
from finrag_pipeline.query.answers.rows.writer import MEETING
from finrag_pipeline.query.answers.values import WORKED_OUT
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem
from finrag_pipeline.query.evidence.cover import COVER
from finrag_pipeline.query.evidence.fact import FACT
from finrag_pipeline.query.evidence.items import read_items
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.table import TABLE, TableItem
from finrag_pipeline.query.lanes.entities import find_seeds
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.unknown_names import names_in
from finrag_pipeline.stages.identity.names import opens_business, split_form
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.words import fold

_COMPANY = "company"
#: Kinds of evidence that say of whom and when their figures are.
VOUCHED = (COVER, FACT)
#: Indices by whose number they are told apart: 中证1000 is not 中证500.
_INDEX = re.compile(
    r"(?:中证|沪深|国证|上证|深证|标普|罗素|日经|恒生|科创|北证|MSCI|CSI)\s?\d{2,4}(?!\d|\s?年)"
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
#: What is measured, and nobody's name: 稼动率.
_MEASURED = re.compile(r"[率额量价比数值度]$")
#: What parts the heads of a table from each other.
_PARTED = re.compile(r"[\s|()（）]+")
#: Share of the neighbouring characters of a name that a text has which says it in parts.
_MOST_PARTS = 0.6
#: Letters of a name: fewer stand for what Chinese texts spell out, RMB and AI.
_LEAST_LATIN = 4


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What a question names: each with the ways to write it, as texts are folded, and single words
    that texts may say in others."""

    names: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.words)

    def lacking(self, text: str, said: Text) -> bool:
        """Whether a text has none of the ways to write one of them.

        Args:
            said: the same, as words are looked for in it.
        """
        held, heads = squeeze(fold(text)), frozenset(_PARTED.split(fold(text)))
        named = all(any(_stands(way, held, heads) for way in ways) for ways in self.names)
        return not (named and all(map(said.has_name, self.words)))


class Attribution:
    """Reads what a question names beside whom documents are about.

    Args:
        reader: whose graph knows other firms.
        absent: what the whole store does not know, which is refused elsewhere.
    """

    def __init__(self, reader: Reader, absent: Absence) -> None:
        self._reader = reader
        self._absent = absent

    def is_of_another(self, asked: Asked, draft: Draft) -> bool:
        """Whether a draft answers a question for a figure by rows or sentences that are of another
        time, in another unit, or of somebody else."""
        value = draft.value or {}
        told = bool(draft.citations) and not draft.status and draft.way not in (MEETING, WORKED_OUT)
        if not told or draft.numbers is not None or not asks_figure(asked.question):
            return False
        if any(each.kind in VOUCHED for each in draft.citations):
            return False
        if holds_what_is_left_out(asked.question, draft.text):
            return True
        wanted = Wanted(asked)
        if len(draft.citations) == 1 and leaves_out_what_is_asked(wanted, draft.text):
            return True
        if all(each.kind == TABLE for each in draft.citations) and (
            is_share_and_no_rate(asked.question, draft.text)
            or is_another_rate(asked.question, draft.text)
            or is_of_one_year(asked.question, draft.text)
        ):
            return True
        number = value.get("number")
        if isinstance(number, int | float) and (
            contradicts(wanted, value)
            or any(
                each.kind == CHUNK and is_told_of_another_time(wanted, each.quote, number)
                for each in draft.citations
            )
        ):
            return True
        mentioned = self(asked, wanted)
        if not (mentioned or lacks_standing(asked.question, "")):
            return False  # nothing has to stand with it
        text = self._stands_with(asked, draft)
        return lacks_standing(asked.question, text) or mentioned.lacking(text, wanted.text(text))

    def _stands_with(self, asked: Asked, draft: Draft) -> str:
        """What a draft tells and quotes, with what stands over that or right before it."""
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            items = read_items(connection, [each.key for each in draft.citations], asked)
        told = [draft.text]
        for each in draft.citations:
            told += [each.quote, *_around(items.get(each.key), each.quote)]
        return "\n".join(told)

    def __call__(self, asked: Asked, wanted: Wanted) -> Mentioned:
        """What stands with a figure that answers; nothing where the store cannot be asked."""
        absent = set(self._absent(asked))
        held: list[tuple[str, ...]] = [
            (name, *ways)
            for name, ways in names_in(asked.question, asked.scope.catalogue)
            if name not in absent
            and not _only_where(name, wanted.places)
            and not _MEASURED.search(name)
            and not (name.isascii() and len(name) < _LEAST_LATIN)
        ]
        held += ((each,) for each in _INDEX.findall(asked.question))
        try:
            held += self._firms(asked)
        except FinragError:
            return Mentioned()
        names = tuple(dict.fromkeys(tuple(squeeze(fold(each)) for each in ways) for ways in held))
        gone = "\n".join(map(fold, absent))
        return Mentioned(names, tuple(each for each in wanted.places if each not in gone))

    def _firms(self, asked: Asked) -> Iterator[tuple[str, ...]]:
        """Firms of the graph that a question names, and no document is about or by."""
        where, reading = asked.where, asked.scope.reading
        known = (*reading.companies, *reading.publishers, *reading.outsiders)
        with self._reader.reading(where.app_id, where.as_of) as connection:
            seeds = [each for each in find_seeds(connection, asked) if each.type == _COMPANY]
            seeds = [each for each in seeds if not _is_within(each.spelling, known)]
            ids = [each.entity_id for each in seeds]
            rows = graph_search.describe(connection, where.app_id, ids, where.as_of) if ids else {}
        ways: dict[str, list[str]] = {}
        for seed in seeds:
            own = rows.get(seed.entity_id)
            aliases = [each["name"] for each in own["aliases"]] if own else []
            ways.setdefault(seed.spelling, [seed.spelling]).extend(aliases)
        yield from map(tuple, ways.values())


def _stands(name: str, text: str, heads: Set[str]) -> bool:
    """Whether a squeezed text has a name, most of one in parts that begin with its own beginning,
    or a head that is the beginning of one: 泰国工厂 of 泰国罗勇府工厂, 华厦 over 华厦眼科's column.

    >>> [_stands("泰国工厂", each, set()) for each in ("泰国罗勇府工厂", "上海工厂", "泰国市场")]
    [True, False, False]
    >>> _stands("华厦眼科", "单价华厦", {"单价", "华厦"})
    True
    """
    if name in text:
        return True
    if not _HAN.fullmatch(name):
        return False  # 中证1000 is not 中证500
    pairs = [name[at : at + 2] for at in range(len(name) - 1)]
    said = [each in text for each in pairs]
    in_parts = bool(said) and said[0] and sum(said) >= _MOST_PARTS * len(said)
    return in_parts or any(name.startswith(each) and len(each) > 1 for each in heads)


def _around(item: EvidenceItem | None, quote: str) -> Iterator[str]:
    """What stands over a quote, and right before it."""
    if item is None:
        return
    yield item.identity
    if isinstance(item, TableItem):
        yield item.caption or ""
    elif isinstance(item, ChunkItem):
        yield right_before(item, max(0, item.text.find(quote)))


def _only_where(name: str, places: Sequence[str]) -> bool:
    """Whether a name is that of a place and what stands there, and no firm's: 海南冷库 may be a row
    海南 of a table of stores."""
    place = next((each for each in places if name.startswith(each)), "")
    return bool(place) and not split_form(name)[1] and not opens_business(name[len(place) :])


def _is_within(name: str, known: Sequence[Named]) -> bool:
    """Whether a spelling is, or is a part of, what is known by another."""
    others = [spelling(each.text) for each in known]
    return any(name in each or each in name for each in others)
