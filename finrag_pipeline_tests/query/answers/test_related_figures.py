"""What nothing prints, worked out of two figures: differences, growths, shares; sides looked up."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
RENTS = simple_table(
    "经营数据",
    [
        ["指标", "单位", "2024年", "2023年"],
        ["年末冷库总容积", "万立方米", "162.4", "128.6"],
        ["全年平均出租率", "%", "71.3", "79.8"],
    ],
)
COSTS = simple_table(
    "销售费用（元）",
    [
        ["项目", "2024年", "2023年"],
        ["售后服务费", "24,000,000.00", "20,000,000.00"],
        ["业务招待费", "6,000,000.00", "5,000,000.00"],
        ["展会推广费", "120,000,000.00", "80,000,000.00"],
    ],
)
REGIONS = simple_table(
    "Revenue by region (in thousands)",
    [
        ["", "Three months ended Sept. 30, 2025", "Three months ended Sept. 30, 2024"],
        ["North America", "98,400", "82,000"],
        ["Asia Pacific", "36,600", "30,000"],
        ["Total revenue", "135,000", "112,000"],
    ],
)
POOLS = "因子在小市值股票池更有效：中证1000 内 RankIC 为 7.52%，沪深300 内仅 3.18%。"


@pytest.fixture
def related(add: AddDocument) -> None:
    add(
        "rents",
        ["报告期内公司经营正常。"],
        tables=[RENTS, COSTS],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        company="星河新材",
        code="300999.SZ",
        period=YEAR,
    )
    add(
        "quarter",
        ["Galdera Systems reported results for the third quarter of 2025."],
        tables=[REGIONS],
        published_on=date(2025, 11, 4),
        title="Galdera Systems third quarter 2025 results",
        kind="filing",
        company="Galdera Systems",
        period=(date(2025, 7, 1), date(2025, 9, 30), 2025),
    )
    add("pools", [POOLS], title="尾盘因子研究", kind="strategy", broker="云麓证券")


@pytest.mark.usefixtures("related")
@pytest.mark.parametrize(
    ("question", "number", "unit", "shown"),
    [
        (
            "星河新材2024年末冷库总容积较上年末净增加多少立方米",
            338_000,
            "立方米",
            "162.4万立方米 − 128.6万立方米 = 33.8万立方米",
        ),
        (
            "云麓尾盘因子在中证1000内的RankIC比沪深300高多少个百分点",
            4.34,
            "个百分点",
            "7.52% − 3.18% = 4.34个百分点",
        ),
        (
            "星河新材2024年业务招待费占展会推广费的比重是多少",
            5,
            "%",
            "(6,000,000 / 120,000,000) × 100 = 5.00%",
        ),
        (
            "星河新材2024年售后服务费和业务招待费加起来是多少元",
            30_000_000,
            "元",
            "2,400万元 + 600万元 = 3,000万元",
        ),
        (
            "星河新材24年末冷库总容积比年初涨了多少立方米",
            338_000,
            "立方米",
            "162.4万立方米 − 128.6万立方米 = 33.8万立方米",
        ),
        (
            "How fast did Galdera's revenue in Asia Pacific grow year on year in the third quarter "
            "of 2025?",
            22,
            "%",
            "((36,600,000 − 30,000,000) / 30,000,000) × 100 = 22.00%",
        ),
        (
            "What share of Galdera's third-quarter 2025 revenue came from Asia Pacific?",
            27.11,
            "%",
            "(36,600,000 / 135,000,000) × 100 = 27.11%",
        ),
    ],
)
def test_what_nothing_prints_is_worked_out_of_two_figures(
    engine: QueryEngine, question: str, number: float, unit: str, shown: str
) -> None:
    answer = engine.ask(question)
    assert shown in answer.answer
    value = answer.value or {}
    assert (value.get("number"), value.get("unit")) == (pytest.approx(number), unit)


@pytest.mark.usefixtures("related")
def test_what_is_more_than_a_whole_is_no_part_of_it(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2024年展会推广费占业务招待费的比重是多少")
    assert (answer.value or {}).get("number") != 2000, answer.answer


@pytest.mark.usefixtures("related")
def test_sides_of_a_comparison_are_looked_up_one_by_one(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2024年售后服务费和业务招待费两项金额哪个高")
    assert answer.status == "answered"
    assert "24,000,000" in answer.answer and "6,000,000" in answer.answer


def test_another_rate_is_no_share(add: AddDocument, engine: QueryEngine) -> None:
    add(
        "staff",
        ["一线仓储作业人员年度流失率34.6%，较上年上升5.2个百分点，夜班岗位尤甚。"],
        published_on=date(2025, 4, 28),
        title="沧海冷链2024年年度报告",
        kind="filing",
        company="沧海冷链",
        code="605999.SH",
        period=YEAR,
    )
    answer = engine.ask("沧海冷链24年底仓储作业员工占全员比例")
    assert (answer.value or {}).get("number") != 34.6, answer.answer


def test_a_part_and_a_whole_of_nobody_in_particular_stand_in_one_document(
    add: AddDocument, engine: QueryEngine
) -> None:
    add("plant", ["被收购的云杉工厂现有员工286人，其中研发人员71人。"], title="收购资产公告")
    add("other", ["期末在职员工总数5,218人，较年初净增424人。"], title="半年度经营简报")
    answer = engine.ask("云杉工厂研发人员占员工总数多少比例")
    assert (answer.value or {}).get("number") != pytest.approx(1.36, abs=0.01), answer.answer
