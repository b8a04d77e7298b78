"""Arithmetic on figures: exact, with units, and refused where it would be a guess."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.numbers.aggregates import made_of_all
from finrag_pipeline.query.numbers.arithmetic import (
    Unavailable,
    Worked,
    mean,
    measured,
    median,
    rounded,
    work_out,
    yearly_growth,
)
from finrag_pipeline.query.numbers.expressions import Figure, parse_expression
from finrag_pipeline.query.numbers.formulas import formulas, metric_measure
from finrag_pipeline.query.numbers.growths import changed_measure
from finrag_pipeline.query.numbers.operands import Held, Point
from finrag_pipeline.query.numbers.records import (
    AskedPeriod,
    HeldFact,
    NumberQuestion,
    NumberRow,
)

_MONEY = st.decimals(
    min_value=Decimal("-1e13"), max_value=Decimal("1e13"), places=2, allow_nan=False
)
_OVER_NOTHING = st.decimals(min_value=Decimal("0.01"), max_value=Decimal("1e13"), places=2)


def _of(**figures: Decimal) -> dict[str, Worked]:
    return {name: Worked(value, "CNY", f"{value:f}") for name, value in figures.items()}


@given(_MONEY, _OVER_NOTHING)
def test_growth_is_what_was_added_over_what_was(now: Decimal, before: Decimal) -> None:
    measure = changed_measure(metric_measure("revenue"), "year_on_year", "year")
    values = {"": Worked(now, "CNY", f"{now:f}"), "year": Worked(before, "CNY", f"{before:f}")}

    told = measured(measure, work_out(measure.expression, lambda each: values[each.shift]))

    exact = (Fraction(now) - Fraction(before)) / Fraction(before) * 100
    assert abs(Fraction(told.value) - exact) <= abs(exact) * Fraction(1, 10**35)
    assert told.unit == "%"


@given(_OVER_NOTHING, _OVER_NOTHING, st.integers(1, 12))
def test_yearly_growth_leads_from_the_first_to_the_last(
    first: Decimal, last: Decimal, years: int
) -> None:
    grown = yearly_growth(Worked(first, "CNY", ""), Worked(last, "CNY", ""), years).value

    back = first * (1 + grown / 100) ** years
    assert abs(back - last) <= max(abs(first), abs(last)) * Decimal("1e-15")


@given(st.lists(_MONEY, min_size=1, max_size=30))
def test_means_and_medians_lie_between_the_ends(values: list[Decimal]) -> None:
    for made in (mean(values), median(values)):
        assert min(values) - Decimal("1e-20") <= made <= max(values) + Decimal("1e-20")
    below = sum(each < median(values) for each in values)
    assert below <= len(values) / 2
    assert median(values) == median(values[::-1])


@given(_MONEY, st.integers(0, 6))
def test_rounding_goes_up_at_half_and_no_further(value: Decimal, decimals: int) -> None:
    told = rounded(value, decimals)

    assert abs(told - value) <= Decimal(5).scaleb(-decimals - 1)
    assert rounded(-value, decimals) == -told
    assert rounded(told, decimals) == told


@pytest.mark.parametrize(
    ("left", "right", "sign", "unit"),
    [
        ("CNY", "CNY", "/", ""),
        ("CNY", "人", "/", "CNY/人"),
        ("CNY/股", "股", "*", "CNY"),
        ("CNY", "", "*", "CNY"),
        ("CNY", "USD", "/", None),
        ("CNY", "USD", "+", None),
        ("CNY", "%", "-", None),
        ("CNY", "CNY/股", "+", None),
    ],
)
def test_units_go_together_or_are_refused(
    left: str, right: str, sign: str, unit: str | None
) -> None:
    values = {
        "revenue": Worked(Decimal(6), left, "6"),
        "net_profit": Worked(Decimal(3), right, "3"),
    }
    expression = parse_expression(f"revenue {sign} net_profit")

    def worked() -> Worked:
        return work_out(expression, lambda each: values[each.metric])

    if unit is None:
        with pytest.raises(Unavailable) as refused:
            worked()
        assert refused.value.status == "units_differ"
    else:
        assert worked().unit == unit


def test_nothing_divides() -> None:
    values = _of(revenue=Decimal(0), net_profit=Decimal(3))

    with pytest.raises(Unavailable):
        work_out(parse_expression("net_profit / revenue"), lambda each: values[each.metric])


def test_a_missing_operand_leaves_no_value() -> None:
    held = Held([_fact("net_profit_attributable", 2024, 9), _fact("equity_attributable", 2024, 80)])
    roe = formulas()["roe"].measure

    # what the year opened with is not held: no average of one
    with pytest.raises(Unavailable) as refused:
        work_out(
            roe.expression,
            lambda each: held.work_out(each, Point("k", AskedPeriod(2024, "FY"))),
        )
    assert refused.value.status == "missing"


@given(*[st.integers(1, 50)] * 5)
def test_a_return_on_average_equity_is_compared_with_that_of_the_year_before(
    first: int, second: int, third: int, before: int, now: int
) -> None:
    equity = {2022: first, 2023: second, 2024: third}
    profit = {2023: before, 2024: now}
    held = Held(
        [_fact("equity_attributable", year, value) for year, value in equity.items()]
        + [_fact("net_profit_attributable", year, value) for year, value in profit.items()]
    )
    changed = changed_measure(formulas()["roe"].measure, "difference", "year")

    at = Point("k", AskedPeriod(2024, "FY"))
    worked = work_out(changed.expression, lambda each: held.work_out(each, at))

    shares = Fraction(2 * now, second + third), Fraction(2 * before, first + second)
    assert float(worked.value) == pytest.approx(float(shares[0] - shares[1]))


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12), st.integers(1, 6))
def test_equal_figures_share_a_place(values: list[int], limit: int) -> None:
    measure = metric_measure("revenue")
    rows = [
        NumberRow(f"c{at}", None, None, measure, AskedPeriod(2024, "FY"), Decimal(each), "CNY")
        for at, each in enumerate(values)
    ]
    question = NumberQuestion(
        "", "rank", (), (measure,), (AskedPeriod(2024, "FY"),), everyone=True, limit=limit
    )

    told = made_of_all(question, rows, Held([])).rows

    for row in told:
        assert row.rank == 1 + sum(each > (row.value or 0) for each in values)
    assert len(told) == sum(1 + sum(o > v for o in values) <= limit for v in values)


@given(_MONEY, _MONEY, st.booleans(), st.booleans(), st.booleans())
def test_a_quarter_is_a_rest_only_of_sums_that_go_together(
    whole: Decimal, part: Decimal, restated: bool, other_start: bool, per_share: bool
) -> None:
    metric = "eps" if per_share else "revenue"
    held = Held(
        [
            _fact(metric, 2024, whole, period="9M"),
            replace(
                _fact(metric, 2024, part, period="H1"),
                restated=restated,
                first_on=date(2023, 12, 1) if other_start else date(2024, 1, 1),
            ),
        ]
    )

    def worked() -> Worked:
        return held.work_out(Figure(metric), Point("k", AskedPeriod(2024, "Q3")))

    if restated or other_start or per_share:
        with pytest.raises(Unavailable) as refused:
            worked()
        assert refused.value.status == "not_derivable"
    else:
        assert worked().value == whole - part
        assert len(worked().facts) == 2


def test_every_formula_names_metrics_that_there_are() -> None:
    assert len(formulas()) > 40
    for name in ("gross_margin", "debt_to_assets"):
        assert formulas()[name].measure.kind == "percent"
    assert formulas()["current_ratio"].measure.kind == "plain"


def _fact(metric: str, year: int, value: Decimal | int, period: str = "FY") -> HeldFact:
    return HeldFact(
        fact_id=f"{metric}{year}{period}",
        company_key="k",
        company_code=None,
        company_name="星河",
        metric=metric,
        segment="",
        fiscal_year=year,
        period=period,  # pyright: ignore[reportArgumentType]
        first_on=date(year, 1, 1),
        last_on=date(year, 12, 31),
        value=Decimal(value),
        unit="CNY",
        currency="CNY",
        scope="consolidated",
        nature="actual",
        restated=False,
        broker=None,
        source="annual",
        source_rank=1,
        checked=None,
        published_on=None,
        document_id="d",
    )
