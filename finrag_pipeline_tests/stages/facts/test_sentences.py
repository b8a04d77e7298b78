"""Sentences that carry a figure: taken where company, metric, time and unit are sure, else not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline_tests.stages.facts.made_reports import REPORT, facts, sentence, table


def read(*texts: str, page: int = 1) -> list[str]:
    """Metric, year, part of it and value in short."""
    found = facts(regions=[sentence("".join(texts), page)])
    return [
        f"{f.metric} {f.period.fiscal_year} {f.period.kind} {f.value.normalize():f} {f.nature}"
        for f in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "公司2025年前三季度实现营收54.21亿元，同比+12.3%；归母净利润3.05亿元（+8.1%）。",
            [
                "revenue 2025 9M 5421000000 actual",
                "net_profit_attributable 2025 9M 305000000 actual",
            ],
        ),
        (
            "2024 年，星河科技实现营业总收入33,235.31 万元。",
            ["total_revenue 2024 FY 332353100 actual"],
        ),
        (
            "25Q1，公司归母净利润亏损0.52亿元。",
            ["net_profit_attributable 2025 Q1 -52000000 actual"],
        ),
        ("2025H1公司毛利率为43.5%（yoy+1.3pp）。", ["printed_gross_margin 2025 H1 43.5 actual"]),
        (
            "我们预计公司2026-2027年归母净利润分别为3.80/4.66亿元，对应EPS为0.95/1.16元。",
            [
                "net_profit_attributable 2026 FY 380000000 forecast",
                "net_profit_attributable 2027 FY 466000000 forecast",
                "eps 2026 FY 0.95 forecast",
                "eps 2027 FY 1.16 forecast",
            ],
        ),
        (
            "预计公司26/27年收入分别为12.0亿元、14.5亿元。",
            ["revenue 2026 FY 1200000000 forecast", "revenue 2027 FY 1450000000 forecast"],
        ),
        ("公司预计2025年资本开支达到55亿元。", ["capex 2025 FY 5500000000 guidance"]),
    ],
)
def test_what_is_sure(text: str, expected: list[str]) -> None:
    published = replace(REPORT, published_on=date(2025, 11, 6))
    found = facts(regions=[sentence(text)], metadata=published)

    assert [
        f"{f.metric} {f.period.fiscal_year} {f.period.kind} {f.value.normalize():f} {f.nature}"
        for f in found
    ] == expected


@pytest.mark.parametrize(
    "text",
    [
        "公司小分子业务2025H1实现收入24.29亿元。",
        "2025H1公司化学业务收入7.4亿元。",
        "子公司云帆股份2024年实现营业收入5.6亿元。",
        "2024年行业实现营业收入2911.4亿元。",
        "单季度实现归母净利润2.9亿元。",
        "公司2024年净利润3.1亿元。",
        "公司2024年归母净利润同比增长47.8%。",
        "公司预计2025年营业收入415-430亿元。",
        "公司2024年营业收入约10亿元。",
        "公司2024年营业收入10亿元左右。",
        "公司2024年经调整Non-IFRS归母净利润3.6亿元。",
        "公司2024年营业收入3.32元。",
        "2024H1/2024/2025H1公司销售净利率分别为17.9%/18.6%/21.5%。",
        "我们预计公司2025-2027年归母净利润分别为3.05/3.80亿元。",
        "2025年营业收入目标值10.9亿元。",
        "预计2024年公司营业收入10亿元。",
        "海外2024年实现营业收入5.2亿元。",
    ],
)
def test_what_is_unsure(text: str) -> None:
    assert read(text) == []


def test_a_sentence_leans_on_the_one_before() -> None:
    assert read("2024年公司实现营业收入10亿元；", "归母净利润1.2亿元。") == [
        "revenue 2024 FY 1000000000 actual",
        "net_profit_attributable 2024 FY 120000000 actual",
    ]
    assert read("2024年化学业务实现营业收入10亿元；", "归母净利润1.2亿元。") == []


def test_two_sentences_that_contradict_are_none() -> None:
    assert read("2024年公司营业收入10亿元。", "2024年公司营业收入12亿元。") == []
    assert len(read("2024年公司营业收入10.02亿元。", "2024年公司营业收入10.0亿元。")) == 1


def test_what_a_table_prints_is_not_taken_again() -> None:
    said = sentence("我们预计公司2025年营业收入12.0亿元。")
    (fact,) = facts(table("|2025E", "营业收入(百万元)|1,201"), regions=[said])

    assert fact.value == 1_201_000_000


def test_further_on_the_company_may_be_any() -> None:
    assert read("公司2024年实现营业收入10亿元。", page=9) == []


def test_the_quote_is_the_sentence() -> None:
    text = "公司2024年实现营业收入10亿元，同比增长5%。"
    (fact,) = facts(regions=[sentence(text)])

    assert (fact.quote, fact.text, fact.place.bbox) == (text, "10", (50, 50, 500, 90))
    assert fact.printed_unit == "亿元"
    assert (fact.table, fact.broker, fact.source) == (None, None, "report_actual_sentence")


@given(
    st.text(
        alphabet="公司星河科技实现营业收入归母净利润分别为年0123456789./亿万元%，。、预计同比-（）",
        max_size=60,
    )
)
def test_any_words_are_read_without_a_fault(text: str) -> None:
    for fact in facts(regions=[sentence(text or "。")]):
        assert fact.quote in text
