"""What filings and reports call a figure, in two languages, and in which statement it stands.

One row of `metrics.csv` a concept. Which passages a metric leads to is decided where they are
indexed and searched; what is always one name in the graph belongs to `stages.identity.synonyms`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold

#: The statements of a company's accounts; each is a concept of its own as well.
STATEMENTS = ("balance_sheet", "income_statement", "cash_flow_statement", "equity_statement")
#: Concepts that a table of one statement holds at least: notes and summaries name one or two.
_OF_ONE_STATEMENT = 4

_PATH = Path(__file__).with_name("metrics.csv")
_COLUMNS = ("concept", "statement", "en", "zh", "parts", "kinds")
_TOKEN = re.compile(r"[a-z0-9]+(?:&[a-z0-9]+)*(?:['’]s?(?![a-z0-9]))?")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_BRACKETED = re.compile(r"[（(\[][^（()\]）]*[)）\]]")
#: What stands before the name of a line: its number, and how it enters the sum.
_BEFORE_LABEL = re.compile(r"^(?:[一二三四五六七八九十\d]+[、.．]|其中|减|加|：|:|\s)+")


@dataclass(frozen=True, slots=True)
class Metric:
    """One concept of accounting or valuation.

    Attributes:
        concept: its name in code; a statement is a concept, too.
        statement: where it stands, one of `STATEMENTS`; empty where it is in none or computed.
        wordings: how it is written, those of one language as filings print it first.
        parts: concepts that it is computed from.
        kinds: in what it can be counted, as `kinds` names it; empty where that is open.
    """

    concept: str
    statement: str
    wordings: tuple[str, ...]
    parts: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def fingerprint() -> str:
    """Changes with the list: part of the version of what is derived by it."""
    return sha256(_PATH.read_bytes()).hexdigest()[:8]


@cache
def metrics() -> Mapping[str, Metric]:
    """Every metric by its concept.

    Raises:
        ValueError: a concept stands twice, or a part is none; with file and line.
    """
    rows = list(data_rows(_PATH, _COLUMNS))
    known = {row["concept"] for row in rows}
    found: dict[str, Metric] = {}
    for row in rows:
        if row["concept"] in found:
            row.wrong(f"{row['concept']} stands twice")
        if unknown := set(row.listed("parts")) - known:
            row.wrong(f"no concept: {', '.join(sorted(unknown))}")
        statement = row.choice("statement", ("", *STATEMENTS))
        wordings = (*row.listed("en"), *row.listed("zh"))
        parts, kinds = row.listed("parts"), row.listed("kinds")
        found[row["concept"]] = Metric(row["concept"], statement, wordings, parts, kinds)
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """A metric where a text names it, in its folded form."""

    metric: Metric
    start: int
    stop: int


def named_in(text: str) -> list[Named]:
    """Where a text names metrics, in order; of wordings that overlap the longest.

    Args:
        text: folded, see `words.fold`.
    """
    english, longest = _english()
    tokens = list(_TOKEN.finditer(text))
    spelled = [_singular(token[0]) for token in tokens]
    found: list[Named] = []
    at = 0
    while at < len(tokens):
        for size in range(min(longest, len(tokens) - at), 0, -1):
            if concept := english.get(tuple(spelled[at : at + size])):
                stop = tokens[at + size - 1].end()
                found.append(Named(metrics()[concept], tokens[at].start(), stop))
                at += size
                break
        else:
            at += 1
    pattern, chinese = _chinese()
    for match in pattern.finditer(text):
        found.append(Named(metrics()[chinese[match[0]]], *match.span()))
    return sorted(found, key=lambda each: each.start)


def metrics_in(text: str) -> list[Metric]:
    """The metrics that a text names, each once, in order.

    >>> [metric.concept for metric in metrics_in("What is the net profit margin on net sales?")]
    ['net_margin', 'revenue']
    >>> [metric.concept for metric in metrics_in("归母净利润占资产负债表里净资产的比例")]
    ['net_income_attributable', 'balance_sheet', 'equity']
    """
    return list(dict.fromkeys(each.metric for each in named_in(fold(text))))


def with_parts(asked: Iterable[Metric]) -> list[Metric]:
    """Metrics and what they are computed from, each once.

    >>> [metric.concept for metric in with_parts(metrics_in("free cash flow margin"))]
    ['free_cash_flow', 'operating_cash_flow', 'capex']
    """
    found: dict[str, Metric] = {}
    for metric in asked:
        found.setdefault(metric.concept, metric)
        for part in with_parts(metrics()[concept] for concept in metric.parts):
            found.setdefault(part.concept, part)
    return list(found.values())


@lru_cache(maxsize=50_000)
def labelled(label: str) -> Metric | None:
    """The metric that a row's label names and nothing beside it, None where it names none.

    >>> [each.concept if (each := labelled(label)) else None for label in (
    ...     "Total net sales", "二、营业总收入（元）", "Net sales growth", "减：营业成本")]
    ['revenue', 'revenue', None, 'cost_of_sales']
    """
    bare = _BEFORE_LABEL.sub("", _BRACKETED.sub(" ", fold(label)))
    concept = _chinese()[1].get("".join(_HAN.findall(bare)))
    if concept is None:
        tokens = (token[0] for token in _TOKEN.finditer(bare))
        concept = _english()[0].get(tuple(map(_singular, tokens)))
    return metrics()[concept] if concept else None


def statement_of(concepts: Iterable[Metric]) -> str:
    """The statement that a table of some metrics is: the one that most of them stand in.

    Empty where none has enough of them.
    """
    counts = Counter(
        metric.statement
        for metric in set(concepts)
        if metric.statement and metric.concept != metric.statement
    )
    best = max(STATEMENTS, key=lambda statement: counts[statement])
    return best if counts[best] >= _OF_ONE_STATEMENT else ""


@cache
def _english() -> tuple[Mapping[tuple[str, ...], str], int]:
    """Concepts by the words of their English wordings, and how many the longest has."""
    found: dict[tuple[str, ...], str] = {}
    for concept, wording in _wordings():
        spelled = tuple(_singular(token[0]) for token in _TOKEN.finditer(fold(wording)))
        if spelled and not _HAN.search(wording):
            found.setdefault(spelled, concept)
    return found, max(map(len, found))


@cache
def _chinese() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern of the Chinese wordings, longest first, and their concepts."""
    found: dict[str, str] = {}
    for concept, wording in _wordings():
        if _HAN.search(wording):
            found.setdefault(fold(wording), concept)
    ordered = sorted(found, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))), found


def _singular(word: str) -> str:
    """A word without its plural and possessive; a stem would take receive for receivables.

    >>> [_singular(word) for word in ("shareholders'", "company's", "liabilities", "loss", "gross")]
    ['shareholder', 'company', 'liability', 'loss', 'gross']
    """
    word = re.sub(r"['’]s?$", "", word)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _wordings() -> Iterator[tuple[str, str]]:
    for metric in metrics().values():
        for wording in metric.wordings:
            yield metric.concept, wording
