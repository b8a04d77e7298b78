"""What came as sections of cited lines: a morning note, whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from finrag_pipeline.query.answers.digest.collecting import Came, NewRisk, Surprise
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.numbers.wording import day_told, metric_told
from finrag_pipeline.query.answers.phrasing import Phrasebook
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.views.reading import View

Json = dict[str, Any]

say = Phrasebook(Path(__file__).with_name("phrases.csv"))
#: Kinds of documents in the order in which they are told; every other kind is `other`.
_KINDS = ("company", "industry", "filing", "other")
_FIELDS = ("rating", "target_price", "title")


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a note.

    Attributes:
        name: of `phrases.csv`.
        lines: with marks, but for files that were not read.
    """

    name: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """A morning note: sections that are not empty, and what their marks stand for."""

    first_on: date
    last_on: date
    chinese: bool
    documents: int
    title: str
    lead: str
    sections: tuple[Section, ...]
    citations: tuple[Citation, ...]
    sources: tuple[EvidenceItem, ...]

    def to_dict(self) -> Json:
        """As it is written as JSON."""
        return {
            "first_day": self.first_on.isoformat(),
            "last_day": self.last_on.isoformat(),
            "documents": self.documents,
            "title": self.title,
            "lead": self.lead,
            "sections": [
                {"name": each.name, "title": each.title, "lines": list(each.lines)}
                for each in self.sections
            ],
            "evidence": [each.to_dict() for each in self.citations],
        }


def compose(came: Came, chinese: bool, most: int | None = None) -> Digest:
    """A note of what came.

    Args:
        most: lines of a section; None: all.
    """
    tell = Telling(chinese, ItemMarks())
    lines: dict[str, list[str]] = {name: [] for name in ("changes", "figures", "risks")}
    for name in (*lines, *_KINDS, "quarantined"):
        told = list(_lines(name, came, tell, most))
        lines[name] = told
    when = _when(came.first_on, came.last_on, chinese)
    companies = {each.company for each in came.views if each.company}
    counts = {"documents": len(came.views), "companies": len(companies)}
    lead = say("counted", chinese, day=when, **counts) if came.views else ""
    return Digest(
        came.first_on,
        came.last_on,
        chinese,
        len(came.views),
        say("title", chinese, day=when),
        lead or say("nothing", chinese, day=when),
        tuple(Section(name, say(name, chinese), tuple(own)) for name, own in lines.items() if own),
        tuple(tell.marks.made),
        tell.marks.cited_from,
    )


def _lines(name: str, came: Came, tell: Telling, most: int | None) -> Iterator[str]:
    every = _of_section(name, came)
    for each in every[:most]:
        if line := _line(name, each, tell):
            yield line
    if most is not None and len(every) > most:
        yield say("more", tell.chinese, count=len(every) - most)


def _of_section(name: str, came: Came) -> Sequence[Any]:
    match name:
        case "changes":
            return came.changes
        case "figures":
            return came.surprises
        case "risks":
            return came.risks
        case "quarantined":
            return came.quarantined
        case _:
            return [each for each in came.views if _kind(each) == name]


def _line(name: str, each: Any, tell: Telling) -> str:
    match name:
        case "changes":
            return tell.change(each)
        case "figures":
            return _surprise(each, tell)
        case "risks":
            return _risk(each, tell)
        case "quarantined":
            reason = f"{each.reason} {each.detail}".strip()
            return say("unread", tell.chinese, source=each.source, reason=reason)
        case _:
            return tell.line(each, _FIELDS)


def _kind(view: View) -> str:
    kind = "industry" if view.cover.kind in ("industry", "strategy", "macro") else view.cover.kind
    return kind if kind in _KINDS else "other"


def _surprise(surprise: Surprise, tell: Telling) -> str:
    actual = surprise.actual
    values = [each.value for each in surprise.expected]
    below, above = actual.value < min(values), actual.value > max(values)
    how = "above" if above else "below" if below else "between"
    parts = [f"{each.broker} {tell.amount(each)}{tell.mark([each])}" for each in surprise.expected]
    told = say(
        "actual",
        tell.chinese,
        company=surprise.name,
        year=actual.fiscal_year,
        metric=metric_told(actual.metric, tell.chinese),
        value=tell.amount(actual),
    )
    expected = say("expected", tell.chinese, parts=tell.listed(parts), how=say(how, tell.chinese))
    return tell.joined([f"{told}{tell.mark([actual])}", expected])


def _risk(new: NewRisk, tell: Telling) -> str:
    view = new.view
    told = say(
        "risk",
        tell.chinese,
        company=view.name,
        house=view.house or view.cover.source,
        day=tell.day(view),
        risks=tell.listed(new.risks),
    )
    mark = tell.marks.quote(new.found.item, new.found.said.quote, new.found.said.places)
    return f"{told}{mark if tell.chinese else f' {mark}'}"


def _when(first_on: date, last_on: date, chinese: bool) -> str:
    if first_on == last_on:
        return day_told(first_on, chinese)
    first, last = day_told(first_on, chinese), day_told(last_on, chinese)
    return say("days", chinese, first=first, last=last)
