"""Questions that say how their formula is worked out: one measure, as they define it."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.numbers.expressions import figures_of, parse_expression
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberQuestion
from finrag_pipeline.query.question.asides import without_asides
from finrag_pipeline_tests.query.numbers.held import catalogue

OF = "for Northwind Robotics"


def read(question: str) -> NumberQuestion:
    found = read_numbers(question, catalogue())
    assert found is not None and not found.not_understood
    return found


@pytest.mark.parametrize(
    ("question", "name", "expression"),
    [
        (
            f"What is the FY2023 dividend payout ratio {OF} (using total cash dividends paid and "
            "net income attributable to shareholders)?",
            "dividend_payout",
            "dividends_paid / net_profit_attributable",
        ),
        (
            f"What is the FY2023 retention ratio (using dividends paid and net income) {OF}?",
            "retention_ratio",
            "1 - dividends_paid / net_profit_attributable",
        ),
        (
            f"What is the FY2023 unadjusted EBITDA % margin {OF}? Define unadjusted EBITDA as "
            "unadjusted operating income + depreciation and amortization.",
            "ebitda_margin",
            "(operating_profit + depreciation) / revenue",
        ),
        (
            f"What is the FY2023 EBITDA margin {OF}? Calculate unadjusted EBITDA using unadjusted "
            "operating income and D&A (from cash flow statement).",
            "ebitda_margin",
            "(operating_profit + depreciation) / revenue",
        ),
    ],
)
def test_what_a_formula_is_worked_out_of_is_not_asked_for(
    question: str, name: str, expression: str
) -> None:
    (measure,) = read(question).measures
    assert (measure.name, measure.expression) == (name, parse_expression(expression))


def test_a_part_that_is_defined_is_worked_out_so() -> None:
    question = (
        f"What is the FY2023 cash conversion cycle (CCC) {OF}? CCC is defined as: DIO + DSO - DPO. "
        "DPO is defined as: 365 * (average accounts payable between FY2022 and FY2023) / "
        "(FY2023 COGS + change in inventory between FY2022 and FY2023)."
    )
    (measure,) = read(question).measures
    assert measure.name == "cash_conversion_cycle"
    inventories = [e for e in figures_of(measure.expression) if e.metric == "inventory"]
    assert len(inventories) == 4  # two of their mean, two of their change


def test_what_is_asked_beside_a_definition_of_something_else_is_told() -> None:
    asked = read("Northwind Robotics gross profit and gross margin in 2023")
    assert [each.name for each in asked.measures] == ["gross_profit", "gross_margin"]


@pytest.mark.parametrize(
    "question",
    [
        "Is it up? If gross margin is not a useful metric, then state that and explain why.",
        "Is the margin up? If it isn't relevant here, please say so.",
        "毛利率改善了吗？如果毛利率不适用，请说明原因。",
    ],
)
def test_asides_are_left_out(question: str) -> None:
    assert len(without_asides(question)) < 18


def test_conditions_that_are_asked_about_are_no_asides() -> None:
    question = "If demand does not recover, what does management say about margins?"
    assert without_asides(question) == question
