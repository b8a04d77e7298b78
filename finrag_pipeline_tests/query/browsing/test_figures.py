"""Figures as they are browsed: listed, over time, in contradiction, and forecasts come true."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.query.browsing import figures, series
from finrag_pipeline.query.browsing.figures import FigureFilter
from finrag_pipeline_tests.store.facts.rows import add_facts, fact

CODE = "300999.SZ"


def printed(listed):
    return [(each.printed, each.fiscal_year, each.period) for each in listed.items]


def test_figures_have_their_cell_and_their_names(figures_held, view):
    with view() as seen:
        wanted = FigureFilter(metric="revenue", fiscal_year_from=2024, fiscal_year_to=2024)
        listed = figures.list_figures(seen, wanted, company="星河新材")
        assert [each.printed for each in listed.items] == ["1000", "960"]
        first = listed.items[0]
        assert first.place is not None
        assert (first.place.page, first.table, first.row, first.column) == (1, 0, 1, 1)
        assert (first.value, first.unit, first.printed_unit) == (Decimal(1000), "CNY", "元")
        assert (first.metric_zh, first.kind_of_source_en) == (
            "营业收入",
            "annual report: its own year",
        )
        assert figures.figure(seen, first.fact_id) == first
        believed = figures.list_figures(seen, wanted, company=CODE, believed=True)
        assert [each.printed for each in believed.items] == ["1000"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (FigureFilter(period="9M"), [("700", 2025, "9M")]),
        (FigureFilter(document_id="express"), [("960", 2024, "FY")]),
        (FigureFilter(nature="forecast"), []),
        (FigureFilter(fiscal_year_to=2023, metric="revenue"), [("800", 2023, "FY")]),
        (FigureFilter(published_from=date(2025, 10, 1), period="H1"), [("450", 2025, "H1")]),
    ],
)
def test_a_filter_leaves_what_has_all_of_it(figures_held, view, wanted, found):
    with view() as seen:
        assert printed(figures.list_figures(seen, wanted, company=CODE)) == found


def test_a_list_of_everything_is_refused(figures_held, view):
    with view() as seen:
        with pytest.raises(InvalidQuestion):
            figures.list_figures(seen, FigureFilter(period="FY"))
        with pytest.raises(NotFound):
            figures.list_figures(seen, company="没有这家")
        for unknown in ("annual/99", "annual", "", "annual/x"):
            with pytest.raises(NotFound):
                figures.figure(seen, unknown)


def test_a_formula_is_worked_out_of_its_cells(figures_held, view):
    with view() as seen:
        margin = series.series(seen, CODE, "gross_margin")
    assert [(each.fiscal_year, each.value, each.unit) for each in margin.points] == [
        (2023, Decimal(35), "%"),
        (2024, Decimal(40), "%"),
    ]
    newest = margin.points[-1]
    assert newest.workings[-1].shown == "((1000 - 600) / 1000) * 100"
    assert [each.printed for each in newest.figures] == ["1000", "600"]


def test_a_quarter_is_what_two_sums_leave(figures_held, view):
    with view() as seen:
        quarters = series.series(seen, CODE, "revenue", period="Q3")
        every = series.series(seen, CODE, "revenue", period=None)
        with pytest.raises(NotFound):
            series.series(seen, CODE, "luck")
        with pytest.raises(InvalidQuestion):
            series.series(seen, CODE, "revenue", period="Q5")
    assert [(each.fiscal_year, each.value) for each in quarters.points] == [(2025, Decimal(250))]
    assert [(each.fiscal_year, each.period) for each in every.points] == [
        (2023, "FY"),
        (2024, "FY"),
        (2025, "H1"),
        (2025, "9M"),
    ]


def test_sources_that_differ_stand_side_by_side(figures_held, view):
    with view() as seen:
        (disputed,) = figures.contradictions(seen, CODE).items
        assert (disputed.metric, disputed.fiscal_year) == ("revenue", 2024)
        assert disputed.spread_pct == pytest.approx(4)
        assert [each.kind_of_source for each in disputed.figures] == ["annual", "express"]
        assert figures.contradictions(seen, CODE, metric="cost_of_sales").total == 0
        assert figures.contradictions(seen, CODE, fiscal_year=2023).total == 0


def test_forecasts_stand_beside_what_came_true(views_held, view):
    with view() as seen:
        told = series.outcomes(seen, company=CODE)
        alone = series.outcomes(seen, broker="远山证券")
    # of each house the last one before the year was reported
    assert [(each.broker, each.forecast.printed, each.off_pct) for each in told.outcomes] == [
        ("长风证券", "8", 60.0),
        ("远山证券", "6", 20.0),
    ]
    assert [(each.broker, each.mean_off_pct, each.over) for each in told.houses] == [
        ("远山证券", 20.0, 1),
        ("长风证券", 60.0, 1),
    ]
    assert [each.broker for each in alone.outcomes] == ["远山证券"]


def test_a_series_goes_on_with_what_houses_expect(views_held, view):
    metric = "net_profit_attributable"
    with view(date(2026, 3, 1)) as before, view() as now:
        expected = series.series(before, CODE, metric).points
        reported = series.series(now, CODE, metric).points
    assert [(each.fiscal_year, each.nature, each.broker, each.value) for each in expected] == [
        (2025, "forecast", "远山证券", 6 * 10**8),
        (2025, "forecast", "长风证券", 8 * 10**8),
    ]
    assert [(each.fiscal_year, each.nature, each.value) for each in reported] == [
        (2025, "actual", 5 * 10**8)
    ]


def test_nothing_of_another_application_or_a_later_day(figures_held, database, view):
    with database.transaction() as connection:
        add_facts(connection, "theirs", [fact(1)], app_id="other", company="星河新材")
    with view(date(2025, 3, 1)) as then:
        assert printed(figures.list_figures(then, company=CODE)) == [("960", 2024, "FY")]
        assert figures.contradictions(then, CODE).total == 0
        with pytest.raises(NotFound):
            figures.figure(then, "annual/000000000")
    with view(app_id="other") as theirs:
        assert printed(figures.list_figures(theirs, company=CODE)) == [("1", 2024, "FY")]
        assert figures.contradictions(theirs, CODE).total == 0
        assert [each.value for each in series.series(theirs, CODE, "revenue").points] == [1]
        with pytest.raises(NotFound):
            figures.figure(theirs, "annual/000000000")
    with view(date(2026, 3, 1)) as before:
        assert series.outcomes(before, company=CODE).outcomes == ()
