"""What single figures are called, exactly: 营业收入 is not 营业总收入, 净利润 not 归母净利润.

One row of `fact_metrics.csv` a metric. What only leads to passages is looser: see `metrics`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Literal, cast, get_args

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.metrics import STATEMENTS
from finrag_pipeline.words import fold

#: What a metric is counted in: money, money per share, percent, times, people, shares, holders.
MetricKind = Literal[
    "amount", "per_share", "price", "share", "multiple", "people", "shares", "holders"
]
#: Whether it is of a span of time or stands at a point in time.
Timing = Literal["flow", "instant"]

_PATH = Path(__file__).with_name("fact_metrics.csv")
_COLUMNS = ("metric", "kind", "timing", "statement", "name_zh", "name_en", "labels", "asked")
_HAN = r"\u3400-\u9fff"
#: A line's number and how it enters the sum: 一、, （一）, 其中：, 减：.
_BEFORE = re.compile(
    r"^(?:[(（]?[一二三四五六七八九十\d]+[)）、.．]+|其中|减|加(?!权)|(?:less|add|plus)\b|[:：]|\s)+"
)
_BRACKETED = re.compile(r"[(（\[][^(（\[)）\]]*[)）\]]")
#: Brackets that make another metric of a label; others hold a unit or a sign.
_TELLING = re.compile(r"扣非|摊薄|含少数|总收入|股本|股东权益|trade")
#: What stands between two words of a name: space, and what is understood already, of which
#: characters for private use are left (sales to Alder's largest customer).
_GAP = r"[\s\ue000-\ue0ff]+"
_ON_THE_BOOKS = re.compile("账上|账面")
_POSSESSIVE = re.compile(r"(?<=[\ue000-\ue0ff])['’]s(?=\s)")
#: Characters that tell which wordings may begin at a place.
_OPENING = 2
_NOISE = re.compile(r"[\s,，、．.:：;；’'‘“”\"\-–—/*]+")


@dataclass(frozen=True, slots=True)
class FactMetric:
    """One metric that figures are stored by.

    Attributes:
        name: as facts have it.
        statement: where it stands, one of `STATEMENTS`; empty where in none.
        labels: how rows of tables print it; these and `asked` are how questions and sentences do,
            where the file writes alternatives in brackets: ``[top/first] five customers``.
    """

    name: str
    kind: MetricKind
    timing: Timing
    statement: str
    name_zh: str
    name_en: str
    labels: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric where a text names it, from `start` to `end`."""

    metric: FactMetric
    start: int
    end: int


def fingerprint() -> str:
    """Changes with the list: part of the version of what is derived by it."""
    return sha256(_PATH.read_bytes()).hexdigest()[:8]


@cache
def fact_metrics() -> Mapping[str, FactMetric]:
    """Every metric by its name.

    Raises:
        ValueError: a name or a label stands twice; with file and line.
    """
    found: dict[str, FactMetric] = {}
    labels: dict[str, str] = {}
    for row in data_rows(_PATH, _COLUMNS):
        name = row["metric"]
        if name in found:
            row.wrong(f"{name} stands twice")
        for label in row.listed("labels"):
            if labels.setdefault(bare_label(label), name) != name:
                row.wrong(f"{label} is a label of {labels[bare_label(label)]}, too")
        found[name] = FactMetric(
            name,
            cast("MetricKind", row.choice("kind", get_args(MetricKind))),
            cast("Timing", row.choice("timing", get_args(Timing))),
            row.choice("statement", ("", *STATEMENTS)),
            row["name_zh"],
            row["name_en"],
            row.listed("labels"),
            row.spelled("asked"),
        )
    return found


@lru_cache(maxsize=50_000)
def bare_label(label: str) -> str:
    """A label as labels are compared: folded, without its number, unit, signs and spaces.

    >>> [bare_label(each) for each in ("一、营业总收入（元）", "减：营业成本", "Total net sales:")]
    ['营业总收入', '营业成本', 'totalnetsales']
    """
    bare = _BEFORE.sub("", fold(label).strip())
    bare = _BRACKETED.sub(lambda match: match[0] if _TELLING.search(match[0]) else " ", bare)
    return _NOISE.sub("", bare)


@lru_cache(maxsize=50_000)
def metric_of_label(label: str) -> FactMetric | None:
    """The metric that a row's label is and nothing else; None where it is none.

    >>> [each.name if (each := metric_of_label(label)) else None for label in (
    ...     "营业收入（元）", "一、营业总收入", "归属于上市公司股东的净利润", "营业收入增长率")]
    ['revenue', 'total_revenue', 'net_profit_attributable', None]
    """
    name = _by_label().get(bare_label(label))
    return fact_metrics()[name] if name else None


def fact_metrics_in(text: str) -> Iterator[NamedMetric]:
    """The metrics that a question or sentence names, in order; of names that overlap the longest.

    >>> [each.metric.name for each in fact_metrics_in("归母净利润和营收，以及 total assets")]
    ['net_profit_attributable', 'revenue', 'total_assets']
    >>> [each.metric.name for each in fact_metrics_in("在建工程账上还有多少钱")]
    ['construction_in_progress']
    """
    patterns, by_wording = _wordings()
    text = _POSSESSIVE.sub("  ", text)
    at, named = 0, -1
    while at < len(text):
        pattern = patterns.get(text[at : at + _OPENING].lower())
        if match := pattern.match(text, at) if pattern else None:
            # 在建工程账上还有多少钱 asks for that alone
            if match.start() != named or not _ON_THE_BOOKS.match(match[0]):
                yield NamedMetric(fact_metrics()[by_wording[_key(match[0])]], *match.span())
            at = named = match.end()
        else:
            at += 1


@cache
def _by_label() -> Mapping[str, str]:
    return {
        bare_label(label): each.name for each in fact_metrics().values() for label in each.labels
    }


@cache
def _wordings() -> tuple[Mapping[str, re.Pattern[str]], Mapping[str, str]]:
    """Patterns of wordings, longest first, by how they begin, and the metric of each."""
    found: dict[str, str] = {}
    for each in fact_metrics().values():
        for wording in (*each.asked, *each.labels, each.name_zh, each.name_en):
            if len(bare := _BEFORE.sub("", wording)) >= _OPENING:
                found.setdefault(_key(bare), each.name)
    # what `asked` gives to a metric it has, whatever label of another reads alike
    found |= {_key(word): each.name for each in fact_metrics().values() for word in each.asked}
    ordered = sorted(found, key=lambda wording: (-len(wording), wording))
    by_first: dict[str, list[str]] = {}
    for wording in ordered:
        by_first.setdefault(wording[:_OPENING], []).append(_loosely(wording))
    patterns = {
        first: re.compile("|".join(each), re.IGNORECASE) for first, each in by_first.items()
    }
    return patterns, found


def _key(wording: str) -> str:
    return re.sub(_GAP, " ", fold(wording)).strip()


def _loosely(wording: str) -> str:
    """A pattern of a wording: English words whole, spaces of any width, plural or not."""
    pattern = re.escape(wording).replace(r"\ ", _GAP)
    return rf"(?<![a-zA-Z]){pattern}(?![a-zA-Z])" if wording.isascii() else pattern
