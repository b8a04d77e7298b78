"""Changes on the year before that are spelled out are read as they are printed."""

import pytest

from finrag_pipeline.query.question.asides import without_asides
from finrag_pipeline.query.question.changes import as_printed
from finrag_pipeline.query.question.typed import as_read


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("星河2024年营收较上年增长了百分之几", "星河2024年营收同比增长百分之几"),
        ("星河2024年营收，与2023年同期相比，变动幅度是多少", "星河2024年营收同比变动多少"),
        (
            "星河2024年毛利率相较于2023年提升了几个点？",
            "星河2024年毛利率相比2023年提升几个百分点？",
        ),
        ("星河2024年末存货比上一年年末减少了多少百分比", "星河2024年末存货同比减少百分之几"),
        ("与去年同期相比，星河的净利润下滑了百分之多少", "星河的净利润同比下滑百分之几"),
        ("星河2025H1回款同上年同期比较上升或下降了百分之几", "星河2025H1回款同比上升百分之几"),
    ],
)
def test_a_change_is_said_as_it_is_printed(question: str, printed: str) -> None:
    assert as_printed(question) == printed


@pytest.mark.parametrize(
    "question",
    [
        "星河2024年营收较2021年增长了百分之几",  # three years
        "星河2023年和2024年营收相比2022年增长多少",  # of two years
        "星河2024年营收同比增长百分之几",
        "星河的毛利率比同行高几个点",
        "星河2024年比2023年多赚多少亿元",  # an amount
    ],
)
def test_another_comparison_stays(question: str) -> None:
    assert as_printed(question) == question


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("星河2022年头三个月的营收", "星河2022年第一季度的营收"),
        ("星河2022年最后三个月的营收", "星河2022年第四季度的营收"),
        ("星河2022年前6个月的营收", "星河2022年上半年的营收"),
        ("星河三季报说，前九个月营收多少", "星河三季报说，前三季度营收多少"),
        ("三个月期国债，前三个月涨了多少", "三个月期国债，前三个月涨了多少"),
        ("revenue in the first six months of 2025", "revenue in the first half of 2025"),
        ("Nebula FY27E profit", "Nebula 2027E profit"),
    ],
)
def test_months_are_read_as_quarters_and_halves(question: str, read: str) -> None:
    assert as_read(question) == read


def test_what_a_figure_is_printed_for_is_an_aside() -> None:
    assert (
        without_asides("作为2024年三季报的对比期，星河2023年营收多少？") == "星河2023年营收多少？"
    )
    assert without_asides("作为龙头，星河2023年营收多少？") == "作为龙头，星河2023年营收多少？"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("星河2024年所得税这项费用是多少", "星河2024年所得税是多少"),
        ("星河2024年的毛利率这一指标，较上年提升了吗", "星河2024年的毛利率，较上年提升了吗"),
        ("星河这项业务2024年收入多少", "星河这项业务2024年收入多少"),
    ],
)
def test_what_a_figure_is_called_once_more_is_an_aside(question: str, read: str) -> None:
    assert without_asides(question) == read
