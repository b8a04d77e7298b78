"""One answer about views: which of them are asked for, what of them is told, what is missing.

Which documents are meant is `writer`'s, how a line is written `telling`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.records.asked import RecordQuestion
from finrag_pipeline.query.answers.records.narrowing import of_kind, of_times, published_as_asked
from finrag_pipeline.query.answers.records.telling import Telling, say
from finrag_pipeline.query.answers.records.values import Value
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.clauses import figure_clauses
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.query.views.changes import Change, changes, last_with, newest_of
from finrag_pipeline.query.views.ratings import printed_change, rating_class
from finrag_pipeline.query.views.reading import View
from finrag_pipeline.words import fold, is_chinese

Json = dict[str, Any]

_REFUSED = "insufficient_evidence"
_WAY = "what covers of reports say, by company, house and day"
#: Fields that houses change.
_PLAIN = ("rating", "target_price")
#: What is told of other years than those in which reports are published.
_OF_YEARS = frozenset(("multiple", "revision"))
#: What covers print of what was before.
_BEFORE = frozenset(("price_before", "rating_before", "revision"))
_PROFIT = "net_profit_attributable"
#: Lines of the newest views, and of earlier ones.
_MOST_LINES, _MOST_EARLIER = 12, 4
#: Reports that are offered where none is named.
_OFFERED = 5


@dataclass(slots=True)
class RecordAnswer:
    """One answer about some views, the newest first."""

    asked: Asked
    question: RecordQuestion
    views: list[View]
    _tell: Telling = field(init=False)

    def __post_init__(self) -> None:
        self._tell = Telling(is_chinese(self.asked.question), ItemMarks())

    def draft(self) -> Draft | None:
        """What is told, or why not."""
        chosen = self.views
        for narrowed in (self._of_houses, self._of_times, self._of_classes, self._with_fields):
            left = narrowed(chosen)
            if isinstance(left, Draft):
                return left
            chosen = left
        if self._unnamed(chosen):
            return self._which(chosen)
        return self._told(chosen)

    def _of_houses(self, views: list[View]) -> list[View] | Draft:
        houses = self.question.houses
        kept = [each for each in views if not houses or _is_of(each, houses)]
        if kept and (left := published_as_asked(kept, self.question, self.asked)):
            return left
        if kept:
            text = say("missing_month", self._chinese, company=self._whom)
            return self._refused(text, kept)
        name = self._tell.listed(houses)
        phrase = "missing_house" if self._companies else "missing_house_everywhere"
        return self._refused(say(phrase, self._chinese, house=name, company=self._whom))

    def _of_times(self, views: list[View]) -> list[View] | Draft:
        asked = self.asked
        kept = of_times(of_kind(views, asked.question), asked)
        if kept or self.question.asks & _OF_YEARS or self._figures:
            return kept or views
        when = self._tell.listed([each.text or str(each) for each in asked.scope.reading.periods])
        text = say("missing_period", self._chinese, when=when, company=self._whom)
        return self._refused(text, views)

    def _of_classes(self, views: list[View]) -> list[View] | Draft:
        """Those whose house gives such a rating now: what it said before does not count."""
        classes, asks = self.question.classes, self.question.asks
        if {"initiated", "houses"} <= asks and not self.question.houses:
            views = [each for each in views if _initiates(each)] or views
        if not classes:
            return views
        kept = [each for each in newest_of(views) if rating_class(each.cover.rating) in classes]
        if kept or wanted_kind(self.asked.question) == "boolean":
            return kept or views
        words = self._tell.listed(sorted(classes))
        phrase = "missing_class" if self._companies else "missing_everywhere"
        text = say(phrase, self._chinese, company=self._whom, classes=words)
        return self._refused(text, newest_of(views))

    def _with_fields(self, views: list[View]) -> list[View] | Draft:
        """Those that say something of what is asked for."""
        fields = self.question.fields
        if not fields:
            return views
        kept = [each for each in views if any(map(each.says, fields))]
        if kept or self.question.asks & {"houses", "day"}:
            return kept or views  # its house and day are told, and what is not there
        what = self._tell.listed([say(f"field_{name}", self._chinese) for name in fields])
        houses = self._tell.listed(self.question.houses)
        phrase = "missing_house_field" if houses else "missing_field"
        text = say(phrase, self._chinese, house=houses, company=self._whom, what=what)
        return Draft(text, status=_REFUSED, way=_WAY)

    def _unnamed(self, views: Sequence[View]) -> bool:
        """Whether one report is meant that nothing tells from others."""
        reading = self.asked.scope.reading
        one = {"analysts", "title", "day", "this_report"} & self.question.asks
        said = reading.companies or reading.publishers or self.question.houses
        said = said or any(
            name in self.asked.question for each in views for name in each.cover.analysts
        )
        known = self.asked.where.document_ids is not None or self.asked.where.company
        return bool(one) and not (said or known) and len(views) > 1 and not self.question.classes

    def _which(self, views: Sequence[View]) -> Draft:
        choices = tuple(
            {"name": each.cover.title or each.cover.source, "document": each.cover.source}
            for each in views[:_OFFERED]
        )
        titles = self._tell.listed([str(each["name"]) for each in choices])
        text = say("which_report", self._chinese, titles=titles)
        return Draft(text, status="needs_clarification", choices=choices, way=_WAY)

    def _told(self, views: list[View]) -> Draft | None:
        tell = self._tell
        changed = self._changes(views)
        newest = self._ordered(newest_of(views))
        fields = self._fields(bool(changed))
        lines = [tell.change(each) for each in changed]
        after = {each.after.cover.document_id for each in changed}
        aside = {"day", "analysts"} & self.question.asks
        for each in newest[:_MOST_LINES]:
            if aside or each.cover.document_id not in after:
                lines.append(tell.line(each, fields, lacking=self._several))
        lines += self._earlier(views, newest, fields)
        lines += self._alone(newest)
        if not tell.marks.made:
            return None
        kind, value = Value(self.asked, self.question, newest, changed).told()
        return Draft(
            "\n".join(filter(None, lines)),
            tuple(tell.marks.made),
            tell.marks.cited_from,
            way=_WAY,
            kind=kind,
            value=value,
        )

    @property
    def _figures(self) -> bool:
        """Whether figures are asked for as well, whose times are not those of the reports."""
        scope = self.asked.scope
        return any(figure_clauses(self.asked.question, scope.reading, scope.catalogue))

    @property
    def _several(self) -> bool:
        """Whether several things are asked for, of which each is told, or told as lacking."""
        return len(self.question.fields) + len(self.question.asks & {"houses", "day"}) > 1

    def _fields(self, changed: bool) -> tuple[str, ...]:
        """What is told in each line."""
        asks = self.question.asks
        fields = (*self.question.fields, *(["day"] if "day" in asks else []))
        before = asks & {"change", "previous"}
        if before and "target_price" in fields:
            fields = (*fields, "price_before", *(() if changed else ("price_change",)))
        if "previous" in asks and "rating" in fields:
            fields = (*fields, "rating_before")
        if "multiple" in asks and "target_price" in fields:
            fields = (*fields, "price_basis")
        if "coverage" in asks and not fields:
            return ("title", "analysts")
        if "houses" in asks and self._companies and not self.question.houses:
            fields = fields or ("title",)
        return fields

    def _ordered(self, newest: list[View]) -> list[View]:
        """The newest views, by their prices where the highest or lowest is asked for."""
        asks = self.question.asks
        priced = [each for each in newest if each.price is not None]
        if not asks & {"highest", "lowest"} or not priced:
            return newest
        return sorted(priced, key=lambda each: each.price or 0, reverse="highest" in asks)

    def _earlier(self, views: list[View], newest: list[View], fields: Sequence[str]) -> list[str]:
        """Lines of earlier views, and how many are left out."""
        asks = self.question.asks
        if asks & {"highest", "lowest"} or ("change" in asks and "earlier" not in asks):
            return []
        earlier = [each for each in views if each not in newest]
        most = _MOST_EARLIER * (3 if "earlier" in asks else 1)
        lines = [self._tell.line(each, fields) for each in earlier[:most]]
        told = [say("earlier", self._chinese, line=line) for line in lines if line]
        left = len(earlier) - most
        return [*told, *([say("more", self._chinese, count=left)] if left > 0 else [])]

    def _changes(self, views: list[View]) -> list[Change]:
        """What houses changed last of the fields asked for."""
        if not self._change:
            return []
        return [
            change
            for view in newest_of(views)
            for change in changes(self.views, view)
            if self._asks_of(change)
        ]

    def _asks_of(self, change: Change) -> bool:
        """Whether a change is of what is asked for; of forecasts that of profit stands for all."""
        fields = self.question.fields
        if change.fiscal_year is not None:
            return "revision" in fields and change.field == _PROFIT and change.direction != 0
        return change.field in fields

    def _alone(self, newest: Sequence[View]) -> list[str]:
        """Houses of which nothing earlier is held, where changes are asked for."""
        if not self._change:
            return []
        compared = ["forecasts" if n == "revision" else n for n in self.question.fields]
        # who prints what it changed is compared with itself
        newest = [each for each in newest if not _BEFORE & each.shown.keys()]
        houses = [
            each.house
            for each in newest
            if each.house and not any(last_with(self.views, each, n) for n in compared)
        ]
        names = self._tell.listed(list(dict.fromkeys(houses)))
        return [say("only_one", self._chinese, houses=names)] if houses else []

    def _refused(self, text: str, near: Sequence[View] = ()) -> Draft:
        """What is missing, and what there is."""
        tell = self._tell
        told = [text]
        if near:
            fields = self.question.fields or ("rating", "target_price")
            lines = [tell.line(each, fields) for each in near[:2]]
            told += [say("nearest", self._chinese) + line for line in lines if line]
        else:
            known = {each.house: each for each in reversed(self.views) if each.house}
            names = [f"{name}（{tell.day(each)}）" for name, each in known.items()]
            if names and self._companies:
                listed = tell.listed(names[::-1][:_MOST_LINES])
                told.append(say("which_houses", self._chinese, names=listed))
        made, sources = tuple(tell.marks.made), tell.marks.cited_from
        return Draft("\n".join(told), made, sources, status=_REFUSED, way=_WAY)

    @property
    def _chinese(self) -> bool:
        return self._tell.chinese

    @property
    def _companies(self) -> bool:
        return bool(self.asked.scope.reading.companies)

    @property
    def _change(self) -> bool:
        return bool({"change", "revision"} & self.question.asks)

    @property
    def _whom(self) -> str:
        names = list(dict.fromkeys(each.name or each.title for each in self.views))
        return self._tell.listed(names[:3])


def _initiates(view: View) -> bool:
    """Whether a house rates its company for the first time, as the row of its rating says."""
    item = view.shown.get("rating")
    changed = printed_change(item.text, view.cover.rating or "") if item else ""
    return fold(changed).startswith(("首", "initiat"))


def _is_of(view: View, houses: Sequence[str]) -> bool:
    """Whether a view is of one of some houses, or of an arm of its house that its file names."""
    return view.house in houses or any(name in view.cover.source for name in houses)
