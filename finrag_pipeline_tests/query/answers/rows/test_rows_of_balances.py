"""Balances where a period begins and ends stand under one year, and multiples under one company."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

FLOWS = simple_table(
    "现金流量表（百万元）",
    [
        ["项目", "2024A", "2025E"],
        ["货币资金的期初余额", "910", "1,040"],
        ["货币资金的期末余额", "1,040", "1,230"],
    ],
)
MULTIPLES = simple_table(
    "估值指标", [["指标", "2024A", "2025E"], ["EV/EBITDA（倍）", "25.4", "21.3"]]
)


@pytest.fixture(autouse=True)
def note(add: AddDocument) -> None:
    add(
        "note",
        ["公司薄膜业务保持增长，我们维持买入评级。"],
        tables=[FLOWS, MULTIPLES],
        published_on=date(2025, 8, 28),
        title="薄膜业务稳步增长",
        kind="company",
        company="星河新材",
        code="300999.SZ",
        broker="长风证券",
    )


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材2025年货币资金的余额预计是多少百万元？", 1230e6),
        ("星河新材2025年货币资金的期末余额预计是多少百万元？", 1230e6),
        ("星河新材2025年货币资金的期初余额预计是多少百万元？", 1040e6),
    ],
)
def test_an_opening_balance_answers_only_who_asks_for_it(
    engine: QueryEngine, question: str, number: float
) -> None:
    answer = engine.ask(question)
    assert answer.value is not None, answer.answer
    assert answer.value["number"] == pytest.approx(number)


def test_no_multiple_is_an_amount(engine: QueryEngine) -> None:
    assert engine.ask("星河新材2025年EBITDA是多少百万元？").status != "answered"
    answer = engine.ask("星河新材2025年EV/EBITDA是多少倍？")
    assert answer.value is not None, answer.answer
    assert answer.value["number"] == pytest.approx(21.3)
