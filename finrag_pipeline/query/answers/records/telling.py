"""Views as lines of an answer: company, house, day and what is asked for, each with its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.numbers.amounts import told
from finrag_pipeline.query.answers.numbers.wording import day_told, metric_told
from finrag_pipeline.query.answers.phrasing import Phrasebook
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.fact import FactItem
from finrag_pipeline.query.views.changes import Change
from finrag_pipeline.query.views.ratings import printed_change
from finrag_pipeline.query.views.reading import View

say = Phrasebook(Path(__file__).with_name("phrases.csv"))
#: Fields that are sentences of a report: they are told in their own words on a line of their own.
_QUOTED = ("price_change", "price_before", "rating_before", "price_basis", "revision")
#: Fields that are told as lacking where others of a document are told.
_LACKING = ("rating", "target_price", "analysts", "revision")


@dataclass(frozen=True, slots=True)
class Telling:
    """How views are told in one answer.

    Attributes:
        chinese: the language of the answer.
        marks: numbers what is cited.
    """

    chinese: bool
    marks: ItemMarks

    def line(self, view: View, fields: Sequence[str], *, lacking: bool = False) -> str:
        """A view in one line; empty where nothing of its document can be cited.

        Args:
            fields: that are told, as far as the view has them.
            lacking: whether what it has not is told as lacking.
        """
        parts: list[str] = []
        cited: list[DocumentItem] = []
        quoted: list[DocumentItem] = []
        # what is about no company is known by its title
        for name in fields if view.name or not fields else (*fields, "title"):
            if name in _QUOTED and (item := view.shown.get(name)):
                quoted += [item] if all(item.text not in each.text for each in quoted) else []
                continue
            if name == "day":  # it stands in every line
                cited += [item for item in [view.shown.get("published_on")] if item]
                continue
            said, items = self._field(view, name)
            if said:
                parts.append(said)
                cited += items
            elif lacking and name in _LACKING:
                parts.append(say(f"no_{name}", self.chinese))
        if not cited:
            cited = self.identity(view)
        if not cited:
            return ""
        if not parts:
            said, items = self._field(view, "title")
            parts = [say("told_by", self.chinese) + said]
            cited += items
        said = self.joined(parts)
        text = say(
            "line" if view.name else "line_on_nobody",
            self.chinese,
            company=view.name,
            house=view.house or view.cover.source,
            day=self.day(view),
            said=said,
        )
        lines = [f"{text}{self.mark(cited)}"]
        lines += [f"{' '.join(item.text.split())}{self.mark([item])}" for item in quoted]
        return "\n".join(lines)

    def change(self, change: Change) -> str:
        """What a house changed, in one line."""
        before, after = change.before, change.after
        if change.figures:
            one, other = change.figures
            values = self.amount(one), self.amount(other)
            cited: list[DocumentItem] = [one, other]
        else:
            values = before.cover.rating or "", after.cover.rating or ""
            cited = [*self._rating_items(before), *self._rating_items(after)]
        if change.fiscal_year is not None:
            return self._forecast_change(change, values) + self.mark(cited)
        how = {1: "raised", -1: "lowered", 0: "kept"}[change.direction]
        if change.field == "rating" and not change.direction and values[0] != values[1]:
            how = "reworded"
        text = say(
            how,
            self.chinese,
            house=after.house,
            company=after.name,
            what=say(f"what_{change.field}", self.chinese),
            before=values[0],
            after=values[1],
            first=self.day(before),
            second=self.day(after),
        )
        return f"{text}{self.mark(cited)}"

    def _forecast_change(self, change: Change, values: tuple[str, str]) -> str:
        return say(
            "forecast_raised" if change.direction > 0 else "forecast_lowered",
            self.chinese,
            house=change.after.house,
            company=change.after.name,
            year=change.fiscal_year,
            metric=metric_told(change.field, self.chinese),
            before=values[0],
            after=values[1],
            first=self.day(change.before),
            second=self.day(change.after),
        )

    def forecasts(self, view: View, metric: str = "net_profit_attributable") -> str:
        """What a view expects of a metric, year by year; empty where it expects nothing of it."""
        own = {year: item for (name, year), item in view.forecasts.items() if name == metric}
        years = sorted(year for year in own if year >= view.day.year)[:3]
        if not years:
            return ""
        parts = [
            say(
                "forecast",
                self.chinese,
                year=year,
                metric=metric_told(metric, self.chinese),
                value=self.amount(own[year]),
            )
            + self.mark([own[year]])
            for year in years
        ]
        text = self.joined(parts)
        return say(
            "line",
            self.chinese,
            company=view.name,
            house=view.house,
            day=self.day(view),
            said=text,
        )

    def identity(self, view: View) -> list[DocumentItem]:
        """The row by which a document is known, the best of those that are printed."""
        for name in ("title", "rating", "broker", "published_on", "analysts"):
            if item := view.shown.get(name):
                return [item]
        return list(view.prices[:1])

    def amount(self, item: FactItem) -> str:
        """A figure as it is told."""
        return told(item.value, item.unit, self.chinese).text

    def day(self, view: View) -> str:
        """The day of a view, and whether it is only that of its arrival."""
        day = day_told(view.day, self.chinese)
        if view.cover.known_by_arrival:
            return say("arrived", self.chinese, day=day)
        return day

    def mark(self, items: Sequence[DocumentItem]) -> str:
        """The marks of some items."""
        marks = self.marks.of(items)
        return marks if self.chinese or not marks else f" {marks}"

    def joined(self, parts: Sequence[str]) -> str:
        """Parts of one line."""
        return ("，" if self.chinese else ", ").join(parts)

    def listed(self, names: Sequence[str]) -> str:
        """Names, one behind the other."""
        return ("、" if self.chinese else ", ").join(names)

    def _field(self, view: View, name: str) -> tuple[str, list[DocumentItem]]:
        """What a view says in a field and where; empty where it says nothing."""
        cover = view.cover
        match name:
            case "rating" if cover.rating:
                items = self._rating_items(view)
                said = say("rating", self.chinese, value=self._rating(view))
                return (said, items) if items else ("", [])
            case "target_price" if view.prices:
                return self._price(view.own_prices), list(view.own_prices)
            case "target_price" if (item := view.shown.get(name)) and cover.target_price:
                value = f"{cover.target_price:g}"
                return say("target_price", self.chinese, value=value), [item]
            case "analysts" if (item := view.shown.get(name)) and cover.analysts:
                names = self.listed(cover.analysts)
                return say("analysts", self.chinese, names=names), [item]
            case "title" if (item := view.shown.get(name)) and cover.title:
                return say("title", self.chinese, title=cover.title), [item]
            case _:
                return "", []

    def _rating(self, view: View) -> str:
        """A rating as it is printed, with what is printed of its change."""
        item = view.shown.get("rating")
        rating = view.cover.rating or ""
        changed = printed_change(item.text, rating) if item else ""
        if not changed:
            return rating
        return f"{rating}（{changed}）" if self.chinese else f"{rating} ({changed})"

    def _price(self, prices: Sequence[FactItem]) -> str:
        ends = {each.metric: each for each in prices}
        low, high = ends.get("target_price_low"), ends.get("target_price_high")
        if low and high:
            values = {"low": self.amount(low), "high": self.amount(high)}
            return say("target_range", self.chinese, **values)
        values = self.listed([self.amount(each) for each in prices])
        return say("target_price", self.chinese, value=values)

    def _rating_items(self, view: View) -> list[DocumentItem]:
        item = view.shown.get("rating")
        return [item] if item else []
