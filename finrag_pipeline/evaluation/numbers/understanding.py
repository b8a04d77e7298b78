"""Questions on annual reports with the figures that their answers are made of: FinGLM's A list.

Each company, year and metric must be read as it is, and the answer follow from the figures. Which
questions ask for no figure at all must be left to others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics_in, metric_of_label
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.numbers.arithmetic import rounded
from finrag_pipeline.query.numbers.execute import worked_out
from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import HeldFact, NumberQuestion
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.store.documents.catalogue import Catalogued

#: What a prompt has beside figures.
_NO_FIGURES = frozenset(("ent_short_name", "ent_name", "year", "key_word", "prom_answer", "公式"))
_BEFORE = "上年"
#: The first of the keys of a question that its makers hold no report for.
_NOT_HELD = "无"
#: Parts of values of one kind of questions that is asked in prose.
_PROSE = ("3-1", "3-2")
_UNITS = {"per_share": "CNY/股", "price": "CNY/股", "people": "人", "shares": "股", "holders": "户"}
_DAY = date(2022, 12, 31)


@dataclass(frozen=True)
class _Gold:
    """One question and what it is known to mean."""

    id: int
    question: str
    kind: str
    company: str
    year: int
    keys: tuple[str, ...]
    answer: str
    figures: dict[str, Decimal]

    @property
    def metrics(self) -> frozenset[str]:
        return frozenset(
            metric.name for key in self.keys if (metric := _metric(key.removeprefix(_BEFORE)))
        )

    @property
    def asks_figures(self) -> bool:
        return bool(self.metrics) and self.kind not in _PROSE


def measure(path: Path, parity: str = "") -> Report:
    """Read each question, and answer those that ask for figures from the figures of all.

    Args:
        path: one JSON object a line with question, prompt and type.
        parity: `even` or `odd` to take only questions with such numbers.

    Raises:
        ConfigurationError: the file is missing or holds something else.
    """
    golds = [each for each in _golds(path) if not parity or each.id % 2 == (parity == "odd")]
    catalogue = _catalogue(_names(path))
    facts = [fact for each in _golds(path) for fact in _facts(each)]
    by_company: dict[str, list[HeldFact]] = {}
    for fact in facts:
        by_company.setdefault(fact.company_key, []).append(fact)
    counted: Counter[str] = Counter()
    misses: list[str] = []
    for each in golds:
        read = read_numbers(each.question, catalogue)
        if not each.asks_figures:
            kind = "prose" if each.kind in _PROSE else "attribute"
            if _NOT_HELD in each.keys:
                continue
            counted[kind] += 1
            # what names no company is no question to figures either
            other = read is None or not (read.companies or read.everyone)
            counted[f"{kind} left"] += other
            if not other:
                misses.append(f"{each.id} read as a figure: {each.question}")
            continue
        counted["asked"] += 1
        whom = read is not None and [c.key for c in read.companies] == [each.company]
        when = read is not None and [str(p) for p in read.periods] == [str(each.year)]
        what = read is not None and _metrics_of(read) == each.metrics
        whole = read is not None and not read.not_understood and not read.segments
        counted["company"] += whom
        counted["year"] += when
        counted["metric"] += what
        counted["whole"] += whole
        counted["understood"] += whom and when and what and whole
        right = read is not None and _right(each, read, by_company)
        counted["right"] += right
        if not (whom and when and what and whole and right):
            failed = [
                name
                for name, well in {
                    "company": whom,
                    "year": when,
                    "metric": what,
                    "words left": whole,
                    "answer": right,
                }.items()
                if not well
            ]
            misses.append(f"{each.id} {', '.join(failed)}: {each.question} | {each.answer}")
    asked = counted["asked"]
    return Report(
        title=f"Questions for figures understood: {len(golds)} questions {parity}".strip(),
        columns=("measure", "reached"),
        rows=(
            ("company", percent(counted["company"], asked)),
            ("year", percent(counted["year"], asked)),
            ("metric or formula", percent(counted["metric"], asked)),
            ("no word left", percent(counted["whole"], asked)),
            ("all of them", percent(counted["understood"], asked)),
            ("answer right", percent(counted["right"], asked)),
            (
                "attributes in words left to others",
                percent(counted["attribute left"], counted["attribute"]),
            ),
            ("questions in prose left to others", percent(counted["prose left"], counted["prose"])),
        ),
        notes=("Answers are made of the figures of all questions together.",),
        misses=tuple(misses),
    )


def _metrics_of(question: NumberQuestion) -> frozenset[str]:
    return frozenset(
        figure.metric for each in question.measures for figure in figures_of(each.expression)
    )


def _right(gold: _Gold, question: NumberQuestion, facts: dict[str, list[HeldFact]]) -> bool:
    """Whether every figure of the gold answer is told as it is there, in order."""
    held = [fact for each in question.companies for fact in facts.get(each.key or "", [])]
    best = sorted(held, key=lambda fact: fact.source_rank)
    rows = worked_out(question, best, held).rows
    wanted = [match for match in re.findall(r"-?\d[\d.,]*", gold.answer.replace("小数点", ""))]
    if len(rows) != len(wanted):
        return False
    for row, text in zip(rows, wanted, strict=True):
        number = number_of(text)
        if row.value is None or number is None:
            return False
        decimals = (
            -int(number.as_tuple().exponent) if question.decimals is None else (question.decimals)
        )
        if rounded(row.value, max(decimals, 0)) != rounded(number, max(decimals, 0)):
            return False
    return True


def _metric(key: str) -> FactMetric | None:
    named = [each.metric for each in fact_metrics_in(key)]
    return metric_of_label(key) or (named[0] if len(named) == 1 else None)


def _golds(path: Path) -> Iterator[_Gold]:
    for row in _rows(path):
        prompt: dict[str, str] = row["prompt"]
        keys = tuple(filter(None, re.split("[、|]", prompt.get("key_word") or "")))
        figures: dict[str, Decimal] = {}
        for key, text in prompt.items():
            number = number_of(str(text).removesuffix("元")) if key not in _NO_FIGURES else None
            if number is not None:
                figures[key] = number
        year = prompt.get("year") or "0"
        yield _Gold(
            row["id"],
            row["question"],
            row["type"],
            company_key(prompt.get("ent_name"), None),
            int(year) if year.isdigit() else 0,
            keys,
            prompt.get("prom_answer") or "",
            figures,
        )


def _facts(gold: _Gold) -> Iterator[HeldFact]:
    """The figures of a question as a report of its year tells them."""
    for key, value in gold.figures.items():
        before = key.startswith(_BEFORE)
        metric = _metric(key.removeprefix(_BEFORE))
        if metric is None:
            continue
        year = gold.year - before
        unit = _UNITS.get(metric.kind, "CNY")
        document = f"{gold.company}-{gold.year}"
        yield HeldFact(
            fact_id=f"{document}/{key}",
            company_key=gold.company,
            company_code=None,
            company_name=gold.company,
            metric=metric.name,
            segment="",
            fiscal_year=year,
            period="FY",
            first_on=date(year, 1, 1) if metric.timing == "flow" else None,
            last_on=date(year, 12, 31),
            value=value,
            unit=unit,
            currency="CNY",
            scope="consolidated",
            nature="actual",
            restated=False,
            broker=None,
            source="annual_prior" if before else "annual",
            source_rank=2 if before else 1,
            checked=None,
            published_on=_DAY,
            document_id=document,
        )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in filter(None, lines):
            row: dict[str, Any] = json.loads(line)
            _ = row["question"], row["prompt"], row["type"]
            yield row
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{path} holds no questions with gold: {error}") from error


def _names(path: Path) -> dict[str, set[str]]:
    """Short names by full names."""
    found: dict[str, set[str]] = {}
    for row in _rows(path):
        if full := row["prompt"].get("ent_name"):
            found.setdefault(full, set()).add(row["prompt"].get("ent_short_name") or full)
    return found


def _catalogue(names: dict[str, set[str]]) -> Catalogue:
    """A catalogue with one annual report of each company."""
    documents: dict[str, DocumentFacts] = {}
    known: dict[str, tuple[str, ...]] = {}
    for at, (full, short) in enumerate(sorted(names.items())):
        row = Catalogued(f"d{at}", full, None, [], None, "filing", _DAY, True)
        key = company_key(full, None)
        documents[row.document_id] = DocumentFacts(row, full, key, frozenset({f"known{at}"}))
        known[f"known{at}"] = tuple(sorted(short))
    return Catalogue(documents, known)
