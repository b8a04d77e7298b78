"""Questions for figures through the engine: answers, refusals, what is asked back, follow-ups."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records import Place
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.store.facts.rows import BASE, add_facts

YUNLING = {
    "company_key": "600998.SH",
    "company_code": "600998.SH",
    "company_name": "云岭医药",
}


def said(metric: str, year: int, value: str, **more: Any) -> FinancialFact:
    """A figure in its row; `instant` for what stands at the year's end."""
    first = None if more.pop("instant", False) else date(year, 1, 1)
    label = more.pop("label", metric)
    text = f"{Decimal(value):,}"
    return replace(
        BASE,
        metric=metric,
        period=FactPeriod(year, "FY", date(year, 12, 31), first),
        value=Decimal(value),
        text=text,
        quote=f"项目 {year}年\n{label} {text}",
        label=label,
        place=Place(7, (10.0, 20.0, 90.0, 30.0)),
        **more,
    )


@pytest.fixture
def held(database: Database) -> None:
    """Two companies' annual reports, a broker's two views."""
    of_year = [
        said("revenue", 2024, "12196123456.78", label="营业收入"),
        said("cost_of_sales", 2024, "9000000000", label="营业成本"),
        said("net_profit_attributable", 2024, "811000000", label="归母净利润"),
        said("eps", 2024, "1.25", unit="CNY/股", label="基本每股收益"),
        said("total_assets", 2024, "30500000000", instant=True, label="总资产"),
        said("receivables", 2024, "1600000000", instant=True, label="应收账款"),
        said("dividends_per_ten", 2024, "12.2", label="每10股派息数（元）（含税）"),
        said("employees", 2024, "63414", instant=True, unit="人", label="在职员工的数量合计"),
    ]
    before = [said("revenue", 2023, "13400000000", label="营业收入")]
    other = [
        said("revenue", 2024, "5000000000", label="营业收入", **YUNLING),
        said("net_profit_attributable", 2024, "900000000", label="归母净利润", **YUNLING),
    ]
    views = [
        said("target_price", 2026, price, unit="CNY/股", nature="forecast", broker=broker)
        for broker, price in (("长风证券", "21.5"), ("海石证券", "24"))
    ]
    views = [replace(each, source="report_target_price", label="目标价") for each in views]
    with database.transaction() as connection:
        filed: dict[str, Any] = {"kind": "filing", "title": "2024年年度报告"}
        year = (date(2024, 1, 1), date(2024, 12, 31), 2024)
        add_facts(connection, "d1", of_year, period=year, **filed)
        add_facts(connection, "d0", before, published_on=date(2024, 4, 1), **filed)
        told = {"company": "云岭医药", "code": "600998.SH"}
        add_facts(connection, "d2", other, period=year, **told, **filed)
        for number, view in enumerate(views):
            add_facts(connection, f"b{number}", [view], broker=view.broker)


def first(answer: Answer) -> str:
    return answer.answer.splitlines()[0]


def test_what_is_sold_abroad_is_found_by_what_its_company_calls_it(
    database: Database, engine: QueryEngine
) -> None:
    parts = [
        said("revenue", 2024, value, label=f"{name}主营业务", segment=f"{name}-主营业务")
        for name, value in (("内销", "9000000000"), ("外销", "2000000000"))
    ]
    with database.transaction() as connection:
        add_facts(connection, "year", parts, kind="filing", title="2024年年度报告")
    for asked in ("外销", "海外", "境外"):
        answer = engine.ask(f"星河新材24年{asked}收入多少")
        assert answer.value is not None and answer.value["number"] == 2_000_000_000, answer.answer
        assert "外销" in answer.answer  # it says whose figure that is
    assert engine.ask("星河新材24年欧洲地区收入多少").status == "insufficient_evidence"


def test_a_part_that_is_called_just_so_goes_before_those_called_alike(
    database: Database, engine: QueryEngine
) -> None:
    parts = [
        said("revenue", 2024, value, label=f"{name}收入", segment=name)
        for name, value in (("其他", "9000000000"), ("其他产品", "2000000000"))
    ]
    with database.transaction() as connection:
        add_facts(connection, "year", parts, kind="filing", title="2024年年度报告")
    answer = engine.ask("星河新材24年其他产品收入多少")
    assert answer.value is not None and answer.value["number"] == 2_000_000_000, answer.answer
    assert engine.ask("星河新材24年其他业务线收入多少").status == "needs_clarification"


def test_a_balance_within_a_year_is_held_against_its_opening(
    database: Database, engine: QueryEngine
) -> None:
    assets = said("total_assets", 2024, "20000000000", instant=True, label="总资产")
    half = FactPeriod(2025, "H1", date(2025, 6, 30), None)
    later = replace(assets, period=half, value=Decimal("25000000000"), text="25,000,000,000")
    later = replace(later, quote="项目 2025年6月30日\n总资产 25,000,000,000")
    with database.transaction() as connection:
        add_facts(connection, "year", [assets], published_on=date(2025, 3, 20), kind="filing")
        add_facts(connection, "half", [later], published_on=date(2025, 8, 20), kind="filing")
    answer = engine.ask("星河新材2025年6月末总资产多少")
    assert "较年初 25.00%" in answer.answer and "同比" not in answer.answer
    assert answer.value is not None and answer.value["number"] == 25_000_000_000
    assert all(answer.checks.values()) and len(answer.evidence) == 2


def test_a_quarter_is_told_without_its_growth_on_one_that_is_worked_out(
    database: Database, engine: QueryEngine
) -> None:
    def of(kind: Any, year: int, ends: tuple[int, int], value: str, first: int) -> FinancialFact:
        period = FactPeriod(year, kind, date(year, *ends), date(year, first, 1))
        told = f"{Decimal(value):,}"
        return replace(
            said("revenue", year, value, label="营业收入"),
            period=period,
            quote=f"项目 {year}年{kind}\n营业收入 {told}",
        )

    summed = [of("9M", 2023, (9, 30), "900", 1), of("H1", 2023, (6, 30), "500", 1)]
    with database.transaction() as connection:
        add_facts(connection, "old", summed, published_on=date(2023, 10, 20), kind="filing")
        quarter = [of("Q3", 2024, (9, 30), "480", 7)]
        add_facts(connection, "new", quarter, published_on=date(2024, 10, 20), kind="filing")
    answer = engine.ask("星河新材2024年第三季度营业收入多少")
    assert answer.value is not None and answer.value["number"] == 480, answer.answer
    assert "同比" not in answer.answer and all(answer.checks.values())
    grown = engine.ask("星河新材2024年第三季度营业收入同比增长多少")
    assert grown.value is not None and grown.value["number"] == 20, grown.answer


@pytest.mark.usefixtures("held")
def test_one_direct_line_with_the_exact_figure_its_growth_and_its_cell(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2024年营业收入是多少？")
    assert answer.status == "answered" and all(answer.checks.values())
    assert first(answer) == (
        "星河新材2024年营业收入：121.96亿元（12,196,123,456.78元，同比 -8.98%）[1][2]"
    )
    assert answer.kind == "number"
    assert answer.value == {
        "number": 12196123456.78,
        "unit": "元",
        "currency": "CNY",
        "period": "2024",
        "company_code": "300999.SZ",
        "metric": "revenue",
    }
    told = answer.evidence[0].to_dict()
    assert (told["kind"], told["source"], told["page"]) == ("fact", "d1.pdf", 7)
    assert told["bbox"] == [10.0, 20.0, 90.0, 30.0]
    assert told["quote"] == "项目 2024年\n营业收入 12,196,123,456.78"
    # nothing is said of a day on which it was not published
    early = engine.ask("星河新材2024年营业收入是多少？", Options(as_of=date(2025, 1, 1)))
    assert (early.status, early.value) == ("insufficient_evidence", None)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("星河新材2024年营业收入是多少万元？", "1,219,612.35万元（12,196,123,456.78元"),
        ("300999 2024年营收多少亿元，保留一位小数", "122.0亿元（12,196,123,456.78元"),
        ("星河新材2024年基本每股收益", "1.25元/股"),
        ("星河新材2024年总资产", "星河新材2024年末总资产：305.00亿元[1]"),
        (
            "What was the revenue of 300999 in 2024 in million?",
            "CNY 12,196.12 million (CNY 12,196,123,456.78; -8.98% year on year) [1][2]",
        ),
    ],
)
def test_it_is_told_in_the_unit_and_language_asked(
    engine: QueryEngine, question: str, says: str
) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered" and says in first(answer)


@pytest.mark.usefixtures("held")
def test_what_is_worked_out_shows_how(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2024年毛利率是多少？")
    assert answer.answer.splitlines() == [
        "星河新材2024年毛利率：26.21%[1][2]",
        "毛利率 = (营业收入 − 营业成本) / 营业收入 = ((12,196,123,456.78 − 9,000,000,000) "
        "/ 12,196,123,456.78) × 100 = 26.21%[1][2]",
    ]
    assert answer.value is not None and answer.value["number"] == 26.21
    assert answer.value["unit"] == "%"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "number", "line"),
    [
        ("星河新材2024年营收是2023年的百分之几", 91.02, "2024年相当于2023年的91.02%"),
        ("星河新材2024年营收是云岭医药的几倍", 2.44, "星河新材相当于云岭医药的2.44倍"),
        ("星河新材营收2024年减2023年差多少", -1203876543.22, "-12.04亿元"),
    ],
)
def test_one_figure_is_held_against_another(
    engine: QueryEngine, question: str, number: float, line: str
) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered" and all(answer.checks.values()), answer.answer
    assert answer.value is not None and answer.value["number"] == number
    assert line in first(answer)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "kind", "value"),
    [
        ("星河新材2024年营业收入是否超过100亿元？", "boolean", {"boolean": True}),
        ("星河新材2024年营业收入是否超过200亿元？", "boolean", {"boolean": False}),
        ("星河新材2024年归母净利润是赚钱的吗？", "boolean", {"boolean": True}),
        ("星河新材2024年归母净利润亏了吗", "boolean", {"boolean": False}),
        ("星河新材和云岭医药2024年归母净利润谁更高？", "name", {"name": "云岭医药"}),
        ("2024年营业收入最高的公司是哪家？", "name", {"name": "星河新材"}),
        ("2024年归母净利润超过8.5亿元的公司有哪些？", "names", {"names": ["云岭医药"]}),
    ],
)
def test_kinds_of_answers_have_their_values(
    engine: QueryEngine, question: str, kind: str, value: Any
) -> None:
    answer = engine.ask(question)
    assert (answer.status, answer.kind, answer.value) == ("answered", kind, value)
    assert answer.evidence


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材2024年每10股派多少", 12.2),
        ("星河新材24年分红方案，10派几（含税）", 12.2),
        ("星河新材2024年每股分红多少", 1.22),
        ("星河新材2024年末员工有多少人", 63414),
        ("星河新材2024年底一共有多少员工", 63414),
        ("星河新材2024年应收账款前五名合计", None),  # of one figure there is no order
    ],
)
def test_figures_that_are_asked_for_in_everyday_words(
    engine: QueryEngine, question: str, number: float | None
) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("星河新材2015年营业收入", "没有星河新材2015年营业收入。"),
        ("星河新材2024年净利润", "（指标不同）：星河新材2024年归母净利润：8.11亿元"),
        ("澄光重工2024年营业收入", "没有关于“澄光重工”的公告或研报"),
        ("星河新材2024年营业收入是多少美元？", "没有USD口径，不作换算。"),
        ("云岭医药2024年空调业务收入", "没有"),
        ("2024 revenue of Zyntrex", "no document is about Zyntrex"),
    ],
)
def test_what_is_not_held_is_refused_and_names_what_comes_near(
    engine: QueryEngine, question: str, says: str
) -> None:
    answer = engine.ask(question)
    assert (answer.status, answer.value) == ("insufficient_evidence", None)
    assert says in answer.answer


@pytest.mark.usefixtures("held")
def test_forecasts_of_houses_are_told_with_their_days_and_how_far_they_lie_apart(
    database: Database, engine: QueryEngine
) -> None:
    with database.transaction() as connection:
        for broker, day, value in (
            ("长风证券", date(2025, 8, 4), "900000000"),
            ("海石证券", date(2025, 11, 3), "1050000000"),
        ):
            figure = said(
                "net_profit_attributable",
                2026,
                value,
                label="归母净利润",
                nature="forecast",
                broker=broker,
                source="report_forecast",
            )
            more: dict[str, Any] = {"broker": broker, "published_on": day}
            add_facts(connection, f"view {broker}", [figure], **more)

    answer = engine.ask("长风和海石对星河新材2026年归母净利的预测差多少？")
    assert answer.status == "answered" and all(answer.checks.values())
    assert answer.answer.splitlines() == [
        "海石证券比长风证券高1.50亿元[1][2]",
        "· 星河新材2026年归母净利润（海石证券预测）：10.50亿元（发布于2025年11月3日）[1]",
        "· 星河新材2026年归母净利润（长风证券预测）：9.00亿元（发布于2025年8月4日）[2]",
        "差额 = 1,050,000,000 − 900,000,000 = 1.50亿元[1][2]",
    ]
    first = engine.ask("星河新材2026年归母净利，长风8月那份和海石谁更乐观")
    assert first.answer.startswith("最高的是海石证券") and first.value == {"name": "海石证券"}
    other = engine.ask("远山证券对星河新材2026年归母净利润的预测")
    assert other.status == "insufficient_evidence"


@pytest.mark.usefixtures("held")
def test_words_that_nothing_explains_are_named_with_what_comes_near(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2024年水下机器人营业收入是多少？")
    assert answer.status == "insufficient_evidence"
    lines = answer.answer.splitlines()
    assert lines[0] == "资料不足：没有查到与“水下机器人”有关的星河新材营业收入。"
    assert lines[1].startswith("最接近的是（不作此区分）：星河新材2024年营业收入：121.96亿元")


@pytest.mark.usefixtures("held")
def test_what_may_mean_several_is_asked_back(engine: QueryEngine) -> None:
    whose = engine.ask("2024年营业收入是多少？").to_dict()
    assert whose["status"] == "needs_clarification"
    assert [each["name"] for each in whose["choices"]] == ["星河新材", "云岭医药"]
    view = engine.ask("星河新材的目标价是多少？").to_dict()
    assert view["status"] == "needs_clarification"
    assert {each["name"] for each in view["choices"]} == {"长风证券", "海石证券"}
    assert engine.ask("长风证券给星河新材的目标价是多少？").value is not None


@pytest.mark.usefixtures("held")
def test_a_word_for_several_figures_is_asked_back_with_each_of_them(
    engine: QueryEngine, database: Database
) -> None:
    alone = engine.ask("星河新材2024年利润多少？")
    assert first(alone).startswith("星河新材2024年归母净利润：8.11亿元")
    with database.transaction() as connection:
        more = [said("operating_profit", 2024, "950000000", label="营业利润")]
        period = (date(2024, 1, 1), date(2024, 12, 31), 2024)
        add_facts(connection, "d9", more, period=period, kind="filing")
    asked = engine.ask("星河新材2024年利润多少？").to_dict()
    assert asked["status"] == "needs_clarification"
    assert [each["name"] for each in asked["choices"]] == ["归母净利润", "营业利润"]
    assert "· 星河新材2024年营业利润：9.50亿元[2]" in asked["answer"]
    meant = engine.ask(asked["choices"][1]["question"])
    assert (meant.value or {})["number"] == 950000000


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("question", "history", "says"),
    [
        (
            "它的归母净利润呢？",
            ["星河新材2024年营业收入是多少？"],
            "星河新材2024年归母净利润：8.11",
        ),
        ("那2023年呢？", ["星河新材2024年营业收入是多少？"], "星河新材2023年营业收入：134.00"),
        ("云岭医药呢？", ["星河新材2024年营业收入是多少？"], "云岭医药2024年营业收入：50.00"),
        (
            "那2023年呢？",
            ["云岭医药2024年归母净利润", "星河新材呢？", "营业收入是多少？"],
            "星河新材2023年营业收入：134.00",
        ),
        ("and total assets?", ["revenue of 300999 in 2024"], "total assets: CNY 30.50 billion"),
    ],
)
def test_a_follow_up_takes_what_it_leaves_out(
    engine: QueryEngine, question: str, history: list[str], says: str
) -> None:
    answer = engine.ask(question, Options(history=tuple(history)))
    assert answer.status == "answered" and says in answer.answer
    assert answer.question == question and answer.route["read_as"] != question


@pytest.mark.usefixtures("held")
def test_other_sources_of_the_same_are_told_beside_it(
    engine: QueryEngine, database: Database
) -> None:
    restated = said("revenue", 2024, "12500000000", source="annual_prior", restated=True)
    with database.transaction() as connection:
        add_facts(connection, "d3", [restated], kind="filing", published_on=date(2026, 4, 1))
    answer = engine.ask("星河新材2024年营业收入")
    assert answer.value is not None and answer.value["number"] == 12196123456.78
    assert "另有不同披露：d3.pdf" in answer.answer and "125.00亿元" in answer.answer
    assert answer.evidence[-1].source == "d3.pdf"


@pytest.mark.usefixtures("held")
def test_modes_and_options_decide_where_is_looked(engine: QueryEngine) -> None:
    question = "星河新材2024年营业收入是多少？"
    assert engine.ask(question, Options(mode="number")).status == "answered"
    assert not any(
        each.kind == "fact" for each in engine.ask(question, Options(mode="text")).evidence
    )
    assert engine.ask("星河新材做什么？", Options(mode="number")).status == "insufficient_evidence"
    own = engine.ask("2024年营业收入是多少？", Options(company="600998"))
    assert own.value is not None and own.value["company_code"] == "600998.SH"
    with pytest.raises(InvalidQuestion, match="--mode text"):
        Options(mode="number", document="d1")
    with pytest.raises(InvalidQuestion, match="there is no kind"):
        Options(kind="poem")


@pytest.mark.usefixtures("held")
def test_a_search_shows_the_figure_before_passages(engine: QueryEngine) -> None:
    first, *_ = engine.search("星河新材2024年营业收入是多少？").to_dict()["results"]
    assert (first["kind"], first["page"], first["lanes"]) == ("fact", 7, {"fact": 1})
    assert "12,196,123,456.78" in first["text"]
    for question, options in (
        ("星河新材的主要产品", Options()),  # no figure is asked for
        ("星河新材2024年营业收入", Options(company="600998.SH")),
        ("星河新材2024年营业收入", Options(as_of=date(2023, 1, 1))),
        ("2024年营业收入最高的公司", Options()),  # of all of them
    ):
        found = engine.search(question, options).to_dict()["results"]
        assert all(each["kind"] != "fact" for each in found), question
