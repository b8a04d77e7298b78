"""Figures asked for in words that no text has: the closest row or sentence answers, if any is."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument, told_number

YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
STAFF = simple_table(
    "员工情况",
    [
        ["项目", "人数（人）"],
        ["母公司在职员工的数量", "1,204"],
        ["需承担费用的离退休职工人数", "46"],
    ],
)
CUSTOMERS = simple_table(
    "主要客户销售情况（万元）",
    [
        ["客户名称", "销售额", "占年度销售总额比例"],
        ["东海电网有限责任公司", "54,654", "7.15%"],
        ["南山超高压输电公司", "96,528", "12.63%"],
    ],
)
STATIONS = (
    "白鹿坝电站发电设备利用小时数为6675.11小时，同比减少8.47%；"
    "金溪渡电站发电设备利用小时数为4609.46小时，同比增加4.36%。"
)
GOODS = "多肽固相合成产能30000L，预计2024年底多肽固相合成总产能将达44000L。"


@pytest.fixture
def filing(add: AddDocument) -> None:
    add(
        "year",
        [STATIONS, GOODS],
        tables=[STAFF, CUSTOMERS],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        company="星河新材",
        code="300999.SZ",
        period=YEAR,
    )


@pytest.mark.usefixtures("filing")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材24年底要公司负担费用的退休人员有几个", 46),
        ("在星河新材2024年年报的大客户名单里，东海电网全年贡献的销售额是多少亿元？", 546_540_000),
        ("请问星河新材2024年年报中披露的金溪渡水电站全年机组利用小时数具体是多少小时？", 4609.46),
        ("星河新材24年底固相合成多肽的产能能做到多少升", 44_000),
    ],
)
def test_the_closest_figure_answers(engine: QueryEngine, question: str, number: float) -> None:
    assert told_number(engine, question) == pytest.approx(number)


@pytest.mark.usefixtures("filing")
def test_words_that_the_quote_lacks_are_told(engine: QueryEngine) -> None:
    answer = engine.ask("请问星河新材2024年金溪渡水电站全年机组利用小时数具体是多少小时？")
    assert any("机组" in each for each in answer.warnings), answer.warnings


@pytest.mark.usefixtures("filing")
@pytest.mark.parametrize(
    "question",
    [
        "星河新材24年底公司的研发外包人员有几个",
        "星河新材2023年金溪渡水电站全年机组利用小时数是多少小时？",
        "星河新材2024年金溪渡水电站机组检修了多少天？",
        "星河新材2024年东海电网欠公司的应收账款是多少亿元？",
        "星河新材2024年金溪渡和白鹿坝两座水电站机组利用小时数合计多少小时？",
    ],
)
def test_what_is_not_close_answers_nothing(engine: QueryEngine, question: str) -> None:
    assert engine.ask(question).status != "answered", engine.ask(question).answer


NOTE = ["2025H1公司销售净利率为30.0%，同比提升3.4pp，费用率优化。"]
FORECASTS = simple_table(
    "财务预测（百万元）",
    [["项目", "2024A", "2025E"], ["存货", "980", "1,130"], ["其他长期负债", "139", "128"]],
)


@pytest.fixture
def research(add: AddDocument) -> None:
    add(
        "note",
        NOTE,
        tables=[FORECASTS],
        published_on=date(2025, 8, 27),
        title="在手订单储备充足，盈利能力稳步提升",
        company="星河新材",
        code="300999.SZ",
        broker="东海证券",
    )


@pytest.mark.usefixtures("research")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        # no document has 净值
        ("星河新材2025E存货净值多少百万元", 1_130_000_000),
        # 物值 is a slip of the segmentation
        ("题为“在手订单储备充足”的点评估计星河新材2025年底存货物值多少百万元？", 1_130_000_000),
        # no fact is held of it, and a sentence says it
        ("星河新材2025年上半年销售净利率同比提升几个点", 3.4),
    ],
)
def test_what_is_said_in_other_words_is_found(
    engine: QueryEngine, question: str, number: float
) -> None:
    assert told_number(engine, question) == pytest.approx(number)


@pytest.mark.usefixtures("research")
@pytest.mark.parametrize(
    "question",
    ["星河新材2025年票房收入多少百万元", "星河新材2017年存货多少百万元", "星河新材2024年商誉多少"],
)
def test_what_nothing_says_is_not_found_in_other_words(engine: QueryEngine, question: str) -> None:
    assert engine.ask(question).status != "answered", engine.ask(question).answer


@pytest.mark.usefixtures("research")
@pytest.mark.parametrize("question", ["星河新材25E", "星河新材2024年", "东海证券 星河新材 2025E"])
def test_who_names_only_whom_and_when_is_told_no_figure(engine: QueryEngine, question: str) -> None:
    assert not (engine.ask(question).value or {}).get("number"), engine.ask(question).answer


MARKET = "2024年国内热管理市场规模约682亿元，预计2027年达到1,046亿元，三年复合增速15.3%。"
PLEDGES = {
    "沐野": "沐野智能起家于线上渠道，控股股东累计质押 2,150 万股，占其所持股份的25.9%。",
    "澄光": "截至2025年5月，控股股东累计质押10,338.72万股，占其所持股份的72.40%。",
}


@pytest.fixture
def papers(add: AddDocument) -> None:
    for n, (key, text) in enumerate([("market", MARKET), *PLEDGES.items()]):
        add(
            f"paper{n}",
            [text],
            published_on=date(2025, 9, 12),
            title=f"行业深度报告之{n}",
            kind="industry",
            broker="东海证券" if key == "market" else "云麓证券",
        )


@pytest.mark.usefixtures("papers")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        # what its own words say is of another year is not what is asked for
        ("国内热管理市场规模2027年将达到多少亿元", 104_600_000_000),
        # a document that does not name the firm says nothing of it
        ("沐野智能的控股股东累计质押了多少股", 21_500_000),
    ],
)
def test_figures_are_of_the_time_and_of_whom_is_asked(
    engine: QueryEngine, question: str, number: float
) -> None:
    assert told_number(engine, question) == pytest.approx(number)


def test_a_document_that_lacks_a_name_which_another_has(
    engine: QueryEngine, papers: None, add: AddDocument
) -> None:
    judged = Judge(engine.tools)(engine.passages("沐野智能的控股股东累计质押了多少股")[0])
    titles = {each.document.row.title for _, each in judged if each.document is not None}
    assert titles == {"行业深度报告之1"}


CLAUSES = {
    "央行": "央行本周开展8,672亿元逆回购，到期7,891亿元，净投放781亿元。",
    "流感": "流感中心第45周监测显示，南方省份哨点医院流感样病例比例为5.1%，北方为6.7%。",
    "银屑": "三期研究第16周PASI75应答率71.3%，安慰剂组12.6%。",
}


@pytest.fixture
def clauses(add: AddDocument) -> None:
    for n, text in enumerate(CLAUSES.values()):
        add(f"week{n}", [text], title=f"周报之{n}", kind="strategy", broker="东海证券")


@pytest.mark.usefixtures("clauses")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("央行本周逆回购净投放多少亿元", 78_100_000_000),
        ("第45周北方哨点医院流感样病例占比是多少", 6.7),
    ],
)
def test_a_later_clause_that_says_more_is_meant(
    engine: QueryEngine, question: str, number: float
) -> None:
    judged = Judge(engine.tools)(engine.passages(question)[0])
    assert judged[0][1].value["number"] == pytest.approx(number)


@pytest.mark.usefixtures("clauses")
def test_what_is_called_by_letters_and_digits_is_said_with_its_figure(engine: QueryEngine) -> None:
    judge = Judge(engine.tools)
    assert judge(engine.passages("三期研究第16周PASI75应答率是多少")[0])
    assert not judge(engine.passages("三期研究第16周PASI90应答率是多少")[0])
