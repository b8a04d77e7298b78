"""What the `value` of an answer from covers is: a price, houses, authors, yes or no."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from finrag_pipeline.query.answers.records.asked import RecordQuestion
from finrag_pipeline.query.answers.values import plain_number, unit_told
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.query.views.changes import Change
from finrag_pipeline.query.views.ratings import changed_to, price_changed_to, rating_class
from finrag_pipeline.query.views.reading import View
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.words import fold, is_chinese

Json = dict[str, Any]

#: Words that ask whether something went down.
_DOWN = ("下调", "调低", "降", "cut", "lower", "downgrad")


def _several(newest: Sequence[View]) -> str:
    """The kind of an answer that is the authors of the newest report."""
    return "names" if len(newest[0].cover.analysts) > 1 else "name"


#: The kind of an answer by what is asked for, the first that fits.
_KINDS: Mapping[str, Callable[[Sequence[View]], str]] = MappingProxyType(
    {
        "analysts": _several,
        "houses": lambda newest: "names",
        "title": lambda newest: "text",
        "target_price": lambda newest: "number",
    }
)


@dataclass(frozen=True, slots=True)
class Value:
    """What an answer comes to.

    Attributes:
        newest: the last view of each house, in the order in which they are told.
        changes: that houses made, as far as they are asked for.
    """

    asked: Asked
    question: RecordQuestion
    newest: Sequence[View]
    changes: Sequence[Change]

    def told(self) -> tuple[str, Json | None]:
        """The kind of the answer, and the answer itself as far as it is one."""
        asks, question = self.question.asks, self.asked.question
        kind = self.asked.options.kind or ""
        if not kind:
            kind = wanted_kind(question)
            counted = kind == "number" and "count" in asks
            meant = next((each for name, each in _KINDS.items() if name in asks), None)
            several = len(self.question.fields) > 1 and "houses" not in asks
            if asks & {"highest", "lowest"} and "houses" in asks:
                kind = "name"
            elif meant and kind != "boolean" and not counted:
                kind = "text" if several else meant(self.newest)
        match kind:
            case "number" if "count" in asks:
                return kind, {"number": len({each.house for each in self.newest})}
            case "number":
                return kind, _price_value(self.newest, is_chinese(question))
            case "boolean":
                return kind, self._whether()
            case "name" | "names":
                found = self._names()
                value = {"name": found[0]} if kind == "name" and found else {"names": found}
                return kind, value if found else None
            case _:
                return kind, None

    def _names(self) -> list[str]:
        asks = self.question.asks
        if "analysts" in asks:
            found = [name for each in self.newest[:1] for name in each.cover.analysts]
        elif "houses" in asks and ("companies" not in asks or self.asked.scope.reading.companies):
            # of a company that is named the companies that rate it are houses
            found = [each.house for each in self.newest]
        elif not self.asked.scope.reading.companies:
            found = [each.name for each in self.newest]
        elif "title" in asks:
            found = [each.cover.title for each in self.newest]
        else:
            found = [each.cover.rating for each in self.newest]
        return list(dict.fromkeys(filter(None, found)))

    def _whether(self) -> Json | None:
        question = self.asked.question
        if classes := self.question.classes:
            return {"boolean": any(rating_class(e.cover.rating) in classes for e in self.newest)}
        wanted = -1 if any(word in fold(question) for word in _DOWN) else 1
        if self.changes:
            return {"boolean": any(each.direction == wanted for each in self.changes)}
        rows = [
            (each.shown["rating"].text, each.cover.rating or "")
            for each in self.newest
            if "rating" in each.shown
        ]
        ways = [changed_to(*row) for row in rows] if "rating" in self.question.fields else []
        if "target_price" in self.question.fields:
            said = [
                each.shown["price_change"].text
                for each in self.newest
                if "price_change" in each.shown
            ]
            ways += [price_changed_to(text) for text in said]
        if any(way is not None for way in ways):
            return {"boolean": any(way == wanted for way in ways)}
        return None


def _price_value(newest: Sequence[View], chinese: bool) -> Json | None:
    """The newest price as JSON has it."""
    for view in newest:
        for item in view.own_prices:
            return {
                "number": plain_number(item.value),
                "unit": unit_told(item.unit, chinese),
                "currency": FinancialFact.currency_of(item.unit),
                "period": view.day.isoformat(),
                "company_code": item.company_code,
                "metric": item.metric,
            }
    return None
