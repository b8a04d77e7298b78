"""Names of metrics: in questions, over statements, in the labels of rows."""

from __future__ import annotations

import pytest

from finrag_pipeline.grammar.metrics import (
    STATEMENTS,
    labelled,
    metrics,
    metrics_in,
    named_in,
    statement_of,
    with_parts,
)
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.stages.identity.synonyms import folded
from finrag_pipeline.words import fold


def concepts(text: str) -> list[str]:
    return [metric.concept for metric in metrics_in(text)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("PP&E, net", ["fixed_assets"]),
        ("Shareholders’ equity and shareholders' equity", ["equity"]),
        ("cash flows from operating activities", ["operating_cash_flow"]),
        ("days payable outstanding (DPO)", ["payables_turnover"]),
        ("归属于上市公司股东的扣除非经常性损益的净利润", ["adjusted_net_income"]),
        ("合并资产负债表中的存货", ["balance_sheet", "inventory"]),
        # no stems: who receives has no receivables, who books a gain has no bookings
        ("What will she receive, and do they book a gain?", []),
        ("2022年度利润分配预案", []),
    ],
)
def test_what_a_text_names(text: str, named: list[str]) -> None:
    assert concepts(text) == named


def test_every_wording_names_its_own_concept_and_stands_where_it_is_written() -> None:
    for metric in metrics().values():
        for wording in map(fold, metric.wordings):
            (named,) = named_in(f"x {wording} x")
            assert (named.metric, named.start, named.stop) == (metric, 2, 2 + len(wording))


def test_no_wording_stands_for_two_concepts_and_the_graph_agrees() -> None:
    borne: dict[str, set[str]] = {}
    for metric in metrics().values():
        for wording in metric.wordings:
            borne.setdefault(fold(wording), set()).add(metric.concept)
    assert [wording for wording, told in borne.items() if len(told) > 1] == []
    # names that are one entity are one metric
    for wording, told in borne.items():
        (concept,) = told
        head = folded("metric", spelling(wording))
        assert borne.get(head, {concept}) == {concept}, wording


def test_statements_are_concepts_and_parts_are_followed_to_their_end() -> None:
    assert all(metrics()[statement].statement == statement for statement in STATEMENTS)
    asked = with_parts(metrics_in("interest coverage"))
    assert [metric.concept for metric in asked] == [
        *("interest_coverage", "ebit", "operating_income", "interest_expense")
    ]


@pytest.mark.parametrize(
    ("label", "concept"),
    [
        ("其中：营业成本", "cost_of_sales"),
        ("归属于上市公司股东的净利润（元）", "net_income_attributable"),
        ("基本每股收益（元／股）", "eps"),
        ("Accounts receivable, net", "receivables"),
        ("Net cash provided by (used in) operating activities", "operating_cash_flow"),
        ("Effect of exchange rates on cash", None),
        ("营业收入增长率", None),
        ("", None),
    ],
)
def test_a_label_names_a_metric_as_a_whole_or_none(label: str, concept: str | None) -> None:
    metric = labelled(label)
    assert (metric.concept if metric else None) == concept


def test_a_table_is_a_statement_by_four_of_its_lines() -> None:
    lines = metrics_in("net sales; cost of sales; gross profit; operating income; inventories")
    assert statement_of(lines) == "income_statement"
    assert statement_of([*lines[:3], *lines[:3], lines[4]]) == ""
