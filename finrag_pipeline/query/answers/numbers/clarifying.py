"""What is asked back where a question may mean several companies, brokers or parts of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.numbers.records import NumberQuestion, NumberRow
from finrag_pipeline.query.question.catalogue import Catalogue

Json = dict[str, Any]

#: Choices that are listed.
_LISTED = 20


@dataclass(frozen=True, slots=True)
class AskedBack:
    """What is asked, and what there is to choose from."""

    text: str
    choices: tuple[Json, ...]


def which_company(
    question: NumberQuestion, catalogue: Catalogue, chinese: bool
) -> AskedBack | None:
    """Asks whom a question means; None where that is clear or it names nobody there is."""
    for each in question.companies:
        if len(each.keys) > 1:
            choices = _companies(each.keys, catalogue)
            names = _listed(choices, chinese)
            return AskedBack(say("which_name", chinese, text=each.text, names=names), choices)
    if question.companies or question.everyone or not catalogue.by_company:
        return None
    choices = _companies(sorted(catalogue.by_company), catalogue)
    return AskedBack(say("which_company", chinese, names=_listed(choices, chinese)), choices)


def which_broker(lines: Lines, rows: Sequence[NumberRow]) -> AskedBack | None:
    """Asks whose figure is meant, where one was asked for and several brokers have others."""
    brokers = dict.fromkeys(row.broker for row in rows)
    same = len({(row.company_key, row.period, row.measure.name, row.nature) for row in rows}) == 1
    question = lines.question
    asked = question.houses or question.every_house or question.operation != "value"
    if asked or not same or len(brokers) < 2 or len({row.value for row in rows}) < 2:
        return None
    choices = tuple({"name": row.broker, "kind": "broker"} for row in rows[:_LISTED])
    told = [
        f"{row.broker}{'' if lines.chinese else ' '}{lines.short(row)}" for row in rows[:_LISTED]
    ]
    text = say("which_broker", lines.chinese, names=lines.listed(told))
    return AskedBack(text, choices)


def which_segment(lines: Lines, rows: Sequence[NumberRow]) -> AskedBack | None:
    """Asks which part of a business is meant, where words of a question fit several."""
    segments = dict.fromkeys(row.segment for row in rows if row.segment)
    asked = len(lines.question.segments)
    same = len({(row.company_key, row.period, row.measure.name) for row in rows}) == 1
    if not asked or not same or len(segments) <= asked:
        return None
    choices = tuple({"name": each, "kind": "segment"} for each in segments)
    text = "、".join(lines.question.segments)
    names = lines.listed([f"{row.segment} {lines.short(row)}" for row in rows[:_LISTED]])
    return AskedBack(say("which_segment", lines.chinese, text=text, names=names), choices)


def _companies(keys: Sequence[str], catalogue: Catalogue) -> tuple[Json, ...]:
    found: list[Json] = []
    for key in keys[:_LISTED]:
        held = catalogue.by_company.get(key, ())
        code = next((each.row.company_code for each in held if each.row.company_code), None)
        found.append({"name": catalogue.name_of(key), "company_code": code, "kind": "company"})
    return tuple(found)


def _listed(choices: Sequence[Json], chinese: bool) -> str:
    names = [
        f"{each['name']}（{each['company_code']}）" if each["company_code"] else str(each["name"])
        for each in choices
    ]
    return ("、" if chinese else ", ").join(names)
