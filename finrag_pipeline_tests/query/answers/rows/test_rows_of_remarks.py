"""A remark beside a row is no name of it; what is left out is said by the label of a row."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
CHANGES = simple_table(
    "主要会计数据发生变动的情况、原因",
    [
        ["项目名称", "变动比例（%）", "主要原因"],
        [
            "营业收入",
            "54.35",
            "主要由于软件平台业务的里程碑收入增加，剔除里程碑影响后收入同比增长8%。",
        ],
        ["研发费用", "12.10", "主要由于项目增加。"],
    ],
)


@pytest.fixture(autouse=True)
def filing(add: AddDocument) -> None:
    add(
        "year",
        ["公司经营平稳。"],
        tables=[CHANGES],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        company="星河新材",
        code="300999.SZ",
        period=YEAR,
    )


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材2024年研发费用变动比例是多少", 12.1),
        ("星河新材2024年软件平台业务的里程碑收入变动比例是多少", None),
        ("星河新材2024年剔除里程碑影响后营业收入变动比例是多少", None),
    ],
)
def test_a_remark_is_no_name_of_its_row(
    engine: QueryEngine, question: str, number: float | None
) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer
