"""A question for figures by the grammar: whom, what, when, and what is to be done with it.

Each part is read in its own module and marked; words that nothing explains are told, so that no
answer passes over them. What the grammar does not read is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.query.numbers.conditions import mark_conditions
from finrag_pipeline.query.numbers.definitions import settled
from finrag_pipeline.query.numbers.expecting import (
    expected_measure,
    mark_apart,
    mark_houses,
    natures_of,
    read_houses,
    with_notes,
)
from finrag_pipeline.query.numbers.expressions import Expression, Nature
from finrag_pipeline.query.numbers.formulas import formulas
from finrag_pipeline.query.numbers.growths import counted_from, mark_growths, without_base
from finrag_pipeline.query.numbers.implied import (
    mark_gained,
    mark_risen,
    mark_sound,
    of_parent,
    within_staff,
)
from finrag_pipeline.query.numbers.marking import BROKER, COMPANY, MEASURE_GOES_ON, PERIOD, Marked
from finrag_pipeline.query.numbers.measuring import mark_measures
from finrag_pipeline.query.numbers.operations import read_operation
from finrag_pipeline.query.numbers.records import (
    AskedCompany,
    Condition,
    Measure,
    NumberQuestion,
)
from finrag_pipeline.query.numbers.relating import mark_related, with_whole_year
from finrag_pipeline.query.numbers.times import Times, number_of_words, read_times
from finrag_pipeline.query.numbers.wording import find, has
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.reading import in_titles, read_periods
from finrag_pipeline.stages.facts.staff import RESEARCH
from finrag_pipeline.stages.identity.places import WHOLE_NAME, place_before
from finrag_pipeline.words import is_chinese

#: Characters of a question from which the grammar does not try.
_LONG = 600
_SENTENCE_END = re.compile(r"\.\s|[?？。]")
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d", re.IGNORECASE)
_FORM = re.compile(
    r"(?:（?集团）?)?(?:股份)?(?:有限)?(?:责任)?公司|股份(?!数)|集团|"
    r"(?:,? ?(?:co|inc|incorporated|corp|corporation|ltd|limited|plc|company)\b\.?)+",
    re.IGNORECASE,
)
#: How old what is counted is: a part of a figure that has a name.
_AGED = re.compile(
    r"(?:\d+|[一二三四五六两])\s*年(?:以[内上下]|及以[上下])|"
    r"(?<!近)(?<!过去)(?:\d|[一二三四五两])\s*[-至到~]\s*(?:\d|[一二三四五两])年(?!内|间)"
)
#: What goes on with the English name of a company behind its short one.
_ENGLISH_NAME = re.compile(
    r"(?: (?:Electric|Power|Pharma\w*|Medical|Medicine|Technolog(?:y|ies)|Group|Industr(?:y|ies)|"
    r"Appliances|Bio\w+|Sciences|Holdings|Dairy|International|Semiconductor|Diagnostics|Co\.?|Inc\.?|Ltd\.?))+(?![\w-])"
)
#: What the English name of a company begins with before its short one: CR Sanjiu, Chengdu HitGen.
_ENGLISH_PREFIX = re.compile(
    r"(?<![\w.])(?!(?:In|For|At|By|Did|Does|Was|Is|What|How|Of|And|Q\d|H\d|FY)\b)"
    r"(?:[A-Z]{2,3}|[A-Z][a-z]{3,12}) $"
)
#: A name in Latin letters right before the code of its company: Yangtze Power (600900).
_NAME_BEFORE_CODE = re.compile(r"(?<![\w.])(?:[A-Z][A-Za-z&.’'-]+ ){1,4}[(（]?$")
_SPACES = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")


def read_numbers(
    question: str, catalogue: Catalogue, day: date | None = None
) -> NumberQuestion | None:
    """Read a question for figures; None where it asks for none that there is a name for.

    About 2 ms for a question.

    Args:
        catalogue: the documents whose companies and publishers it may name.
        day: from which 今年 and last year are counted where the question names no time; None: from
            the newest document.
    """
    question = _SPACES.sub("", question)
    if len(question) > _LONG or has("open", question):
        return None
    asked = question
    for start, end in in_titles(question, read_periods(question)).items():
        question = f"{question[:start]}{' ' * (end - start)}{question[end:]}"
    marked = Marked(narrow(question))
    houses = read_houses(marked, asked, catalogue, day)
    companies = _companies(marked, question, catalogue)
    every_house = mark_houses(marked, houses, companies)
    decimals = marked.take("decimals")
    _mark_definition(marked)
    named = (key for each in catalogue.companies_in(question) for key in each.keys)
    times = read_times(marked, catalogue.counted_from(day, named))
    _mark_again(marked, times)
    times = with_whole_year(marked, times)
    mark_measures(marked)
    marked.take("as_told")
    conditions = [*mark_gained(marked), *mark_conditions(marked), *mark_sound(marked)]
    conditions += mark_risen(marked)
    if has("actual", marked.text) and has("forecast", marked.text):
        marked.take("deviation")
    # 增加了多少亿元 tells of a difference and its unit
    _mark_scale(marked)
    apart = mark_apart(marked, houses, max(len(companies), 2 * every_house), times)
    relation = mark_related(marked, max(len(companies), len(times.periods)))
    unit = next((value for value, _ in find("unit", marked.text)), "")
    yearly = marked.has("cagr")
    try:
        mark_growths(marked, unit, times.base is not None, yearly)
    except ValueError:
        return None  # what is an average over a year has no quarter before
    marked.take("unit")
    conditions = _of_changed(marked, conditions)
    measures = settled(marked)
    if not measures:
        return None
    magnitude = marked.has("magnitude")
    done = read_operation(
        marked,
        yearly,
        len(companies),
        bool(conditions),
        max(len(times.periods), times.recent),
        max(len(houses), 2 * every_house),
    )
    if apart and done.operation == "value":
        done = replace(done, operation="apart")
    if relation and done.operation == "value":
        done = replace(done, operation=relation)
    natures = natures_of(marked, times, done.operation, houses, every_house)
    if natures == ("forecast",):
        measures = tuple(expected_measure(each) for each in measures)
    periods, base = times.periods, times.base
    if base is None and not yearly:
        periods, base = without_base(periods, (*measures, *(each.measure for each in conditions)))
    measures = tuple(counted_from(each, periods, base) for each in measures)
    if any(each.kind != "figure" or _is_share(each) for each in measures):
        marked.take("share")
    scope = marked.take("scope")
    if any(value == "parent" for value, _ in scope):
        measures = of_parent(measures)
    currencies = marked.take("currency")
    latest = marked.has("latest") or not (periods or times.recent)
    segments, left = _left(marked)
    left = tuple(each for each in left if not _is_of_name(each, measures))
    if of_staff := within_staff(measures, question):
        measures, segments = of_staff, (RESEARCH, *segments)
    if houses and not (companies or done.everyone) and not _expected(natures, measures):
        # whose figures nobody expects, they are the house's own: 长江证券2024年营收
        houses, left = (), (*(each.name for each in houses), *left)
    return NumberQuestion(
        text=question,
        operation=done.operation,
        companies=companies,
        measures=_once(measures),
        periods=periods,
        yearly=yearly,
        recent=times.recent,
        everyone=done.everyone,
        latest=latest,
        conditions=tuple(conditions),
        natures=natures,
        scope="parent" if any(value == "parent" for value, _ in scope) else "consolidated",
        houses=with_notes(houses) if "forecast" in natures else houses,
        every_house=every_house,
        apart=apart or (bool(houses) and done.operation in ("maximum", "minimum")),
        segments=segments,
        limit=done.limit,
        descending=done.descending,
        magnitude=magnitude,
        unit=unit,
        decimals=number_of_words(decimals[0][1]) if decimals else None,
        currency=currencies[0][0] if currencies else None,
        base=base,
        not_understood=(*left, *times.unread, *_AGED.findall(question)),
    )


def _companies(marked: Marked, question: str, catalogue: Catalogue) -> tuple[AskedCompany, ...]:
    found: dict[tuple[str, ...], AskedCompany] = {}
    for named in catalogue.companies_in(question):
        start, end = named.start, named.end
        if BROKER in marked.text[start:end]:
            continue
        if len(named.text) >= WHOLE_NAME:
            # a place before a whole name is of it, and so is the legal form behind it
            start -= place_before(question, start)
            form = _FORM.match(question, end)
            end = form.end() if form else end
        if behind := _ENGLISH_NAME.match(question, end):
            end = behind.end()
        if named.text.isdigit() and (name := _NAME_BEFORE_CODE.search(marked.text[:start])):
            start = name.start()
        elif named.text.isascii() and (before := _ENGLISH_PREFIX.search(marked.text[:start])):
            start = before.start()
        marked.mark(start, end, COMPANY)
        company = _asked(named, catalogue)
        found.setdefault(tuple(sorted(company.keys)), company)
    return tuple(found.values())


def _asked(named: Named, catalogue: Catalogue) -> AskedCompany:
    """Whom a name means; the listings of one company are one."""
    first = named.keys[0]
    listings = catalogue.listings_of(first)
    if not set(named.keys) <= set(listings):
        return AskedCompany(named.keys, named.text, catalogue.name_of(first))
    held = max(listings, key=lambda key: (len(catalogue.by_company[key]), key == first))
    also = tuple(key for key in listings if key != held)
    return AskedCompany((held,), named.text, catalogue.name_of(held), also)


def _mark_definition(marked: Marked) -> None:
    """Mark the years in a formula that a question writes out: its figures go by the one asked."""
    for _, match in find("definition", marked.text):
        end = _SENTENCE_END.search(marked.text, match.end())
        for year in _YEAR.finditer(
            marked.text, match.end(), end.start() if end else len(marked.text)
        ):
            marked.mark(*year.span(), PERIOD)


def _mark_again(marked: Marked, times: Times) -> None:
    """Mark the years of a question where it names them once more."""
    for year in {each.fiscal_year for each in times.periods if each.kind == "FY"}:
        for match in re.finditer(rf"(?:FY\s?)?(?<![\d.,]){year}(?![\d.,]*\d)", marked.text):
            marked.mark(*match.span(), PERIOD)


def _mark_scale(marked: Marked) -> None:
    """营收规模 is 营收."""
    for _, match in find("scale", marked.text):
        marked.mark(*match.span(), MEASURE_GOES_ON)


def _once(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Each measure once; of a formula the way in which the question writes it out."""
    found: dict[str, Measure] = {}
    worked_out: set[Expression] = set()
    for each in measures:
        old = found.get(each.name)
        known = formulas().get(each.name)
        if old is None and each.expression in worked_out:
            continue  # free cash flow (operating cash flow minus capex) is one
        if old is None or (known and old.expression == known.measure.expression):
            found[each.name] = each
            worked_out.add(each.expression)
    return tuple(found.values())


def _of_changed(marked: Marked, conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions on measures that turned out to be growths."""
    places = marked.placed()
    kept: list[Condition] = []
    for each in conditions:
        grown = [
            measure
            for _, _, measure in places
            if measure.change and measure.name.startswith(f"{each.measure.name}_")
        ]
        there = [measure for _, _, measure in places if measure.name == each.measure.name]
        if grown and not there:
            value, unit = each.value, each.unit
            if value is not None and not unit and grown[0].kind == "percent" and abs(value) > 1:
                unit = "%"
            each = replace(each, measure=grown[0], value=value, unit=unit)
        if each.other is not None:
            others = [
                measure
                for _, _, measure in places
                if measure.change and measure.name.startswith(f"{each.other.name}_")
            ]
            plain = [measure for _, _, measure in places if measure.name == each.other.name]
            if others and not plain:
                each = replace(each, other=others[0])
        kept.append(each)
    return kept


def _expected(natures: Sequence[Nature], measures: Sequence[Measure]) -> bool:
    """Whether figures are of what houses say of others."""
    prices = (fact_metrics().get(each.name) for each in measures)
    return natures != ("actual",) or any(each and each.kind == "price" for each in prices)


def _is_share(measure: Measure) -> bool:
    metric = fact_metrics().get(measure.name)
    return metric is not None and metric.kind in ("share", "multiple")


def _is_of_name(word: str, measures: Sequence[Measure]) -> bool:
    """Whether a Chinese word is a part of what a measure is called, and says no more of it: 现金 of
    购建固定资产支付的现金."""
    metrics = filter(None, (fact_metrics().get(each.name) for each in measures))
    return len(word) > 1 and is_chinese(word) and any(word in each.name_zh for each in metrics)


def _left(marked: Marked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What nothing explains: parts of a company, and the rest."""
    segments: list[str] = []
    rest: list[str] = []
    for _, _, word in marked.left():
        (segments if has("segment", word) else rest).append(word)
    return tuple(segments), tuple(rest)
