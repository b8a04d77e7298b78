"""What a question for figures says of houses: whose forecasts, of which documents, how far apart.

How houses are named is `question.houses`; how their figures are told one beside the other
`aggregates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import cast

from finrag_pipeline.query.numbers.expressions import Nature
from finrag_pipeline.query.numbers.formulas import metric_measure
from finrag_pipeline.query.numbers.marking import BROKER, Marked
from finrag_pipeline.query.numbers.records import AskedCompany, AskedHouse, Measure, Operation
from finrag_pipeline.query.numbers.times import Times
from finrag_pipeline.query.numbers.wording import has
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.houses import find_houses, published_within
from finrag_pipeline.query.question.notes import notes_on

#: What houses' forecasts of profit are called for short.
_SHORT_PROFIT = "净利"


def read_houses(
    marked: Marked, question: str, catalogue: Catalogue, day: date | None
) -> tuple[AskedHouse, ...]:
    """The houses of a question, marked with the times of their documents."""
    found: list[AskedHouse] = []
    companies = catalogue.companies_in(question)
    keys = {key for each in companies for key in each.keys}
    for house in find_houses(question, catalogue, companies, catalogue.wrote_on(keys)):
        marked.mark(house.start, house.end, BROKER)
        published = published_within(house, catalogue, keys, day)
        on = [each.row.published_on for each in notes_on(question, catalogue, house, keys)]
        found.append(AskedHouse(house.name, published, (min(on), max(on)) if on else None))
    return tuple(dict.fromkeys(found))


def with_notes(houses: Sequence[AskedHouse]) -> tuple[AskedHouse, ...]:
    """Houses of whom forecasts are asked, of the notes that are meant by the report they are on."""
    return tuple(replace(each, published=each.published or each.notes) for each in houses)


def mark_houses(
    marked: Marked, houses: Sequence[AskedHouse], companies: Sequence[AskedCompany]
) -> bool:
    """Mark what is said of houses as such: how many they are, that all are meant; whether so."""
    every = marked.has("every_house")
    if not houses and len(companies) == 1 and has("outlook", marked.text):
        every = True  # 谁最乐观: of one company houses are compared
    if houses or every:
        marked.take("of_houses")
    if max(len(houses), len(companies), 2 * every) > 1:
        marked.take("how_many")
    return every


def mark_apart(marked: Marked, houses: Sequence[AskedHouse], others: int, times: Times) -> bool:
    """Mark what asks how far figures of the same time lie apart; whether it is asked.

    Two documents of one house also where it is asked how far the later one changes the other.
    """
    if len(times.periods) > 1 or len(marked.placed()) != 1 or max(len(houses), others) < 2:
        return False
    asked = marked.has("apart")
    revised = len({each.name for each in houses}) < len(houses) and marked.has("revised")
    return asked or revised


def natures_of(
    marked: Marked,
    times: Times,
    operation: Operation,
    houses: Sequence[AskedHouse],
    every_house: bool,
) -> tuple[Nature, ...]:
    """What is asked for: what was, or what is expected; houses that are compared expect."""
    found: list[Nature] = []
    if marked.take("actual"):
        found.append("actual")
    for role in ("forecast", "guidance"):
        if marked.take(role):
            found.append(cast("Nature", role))
    expecting = len(houses) > 1 or every_house or any(each.published for each in houses)
    if times.estimate or expecting or operation in ("consensus", "range"):
        found.append("forecast")
    return tuple(dict.fromkeys(found)) or ("actual",)


def expected_measure(measure: Measure) -> Measure:
    """净利 of what houses expect is what belongs to shareholders."""
    if measure.name != "net_profit" or measure.text != _SHORT_PROFIT:
        return measure
    return replace(metric_measure("net_profit_attributable"), text=measure.text)
