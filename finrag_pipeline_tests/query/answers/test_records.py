"""What covers say, asked for: by company, house and day, what changed, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finrag_pipeline.query.answers.closest.drafts import may_be_doubted
from finrag_pipeline.query.answers.records.writer import RecordsWriter
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.conftest import AddDocument
from finrag_pipeline_tests.query.covers import add_report

OTHER: dict[str, Any] = {"company": "云岭医药", "code": "600998.SH"}


@pytest.fixture
def covered(database: Database) -> None:
    """Two houses on one company, one of them twice; one on another."""
    with database.transaction() as connection:
        first: dict[str, Any] = {
            "broker": "华泰证券",
            "published_on": date(2025, 4, 2),
            "title": "首次覆盖报告",
        }
        add_report(connection, "a1", rating="增持", change="首次", price="40", **first)
        add_report(
            connection,
            "a2",
            broker="华泰证券",
            published_on=date(2025, 10, 28),
            title="三季报点评：加工费修复",
            rating="买入",
            change="上调",
            price="52.5",
            analysts=("顾清野", "卓闻溪"),
        )
        later: dict[str, Any] = {
            "broker": "海石证券",
            "published_on": date(2026, 1, 9),
            "title": "年度展望",
        }
        add_report(connection, "b1", rating="中性", price="44", **later)
        add_report(connection, "c1", rating="买入", price=None, title="深度报告", **OTHER)


def lines(answer: Answer) -> list[str]:
    assert answer.status == "answered" and all(answer.checks.values()), answer
    return answer.answer.splitlines()


@pytest.mark.usefixtures("covered")
def test_houses_stand_side_by_side_the_newest_first(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材最新评级")
    assert lines(answer) == [
        "星河新材：海石证券（2026年1月9日）评级中性（维持）[1]",
        "星河新材：华泰证券（2025年10月28日）评级买入（上调）[2]",
        "此前：星河新材：华泰证券（2025年4月2日）评级增持（首次）[3]",
    ]
    first = answer.evidence[0].to_dict()
    assert (first["kind"], first["source"], first["page"]) == ("cover", "b1.pdf", 1)
    assert first["quote"] == "投资评级：中性（维持）" and first["bbox"] == [50, 100, 200, 115]


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize(
    ("question", "says", "kind", "value"),
    [
        (
            "哪家券商给星河新材买入评级？",
            "华泰证券（2025年10月28日）评级买入",
            "names",
            ["华泰证券"],
        ),
        (
            "哪些公司给了星河新材买入评级",
            "华泰证券（2025年10月28日）评级买入",
            "names",
            ["华泰证券"],
        ),
        ("which brokers rate 星河新材 a hold?", "海石证券 (2026-01-09)", "names", ["海石证券"]),
        ("Who covers 300999?", "海石证券 (2026-01-09)", "names", ["海石证券", "华泰证券"]),
        ("华泰三季报点评的作者是谁，写星河新材的", "顾清野、卓闻溪", "names", ["顾清野", "卓闻溪"]),
        ("哪些公司获得买入评级？", "云岭医药：长风证券", "names", ["云岭医药", "星河新材"]),
        (
            "谁给星河新材的目标价最高？",
            "华泰证券（2025年10月28日）目标价52.5元/股",
            "name",
            "华泰证券",
        ),
    ],
)
def test_who_says_it_is_the_value(
    engine: QueryEngine, question: str, says: str, kind: str, value: Any
) -> None:
    answer = engine.ask(question)
    assert says in lines(answer)[0]
    assert (answer.kind, answer.value) == (kind, {kind: value})


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize("house", ["华泰", "华泰证券", "Huatai Securities"])
def test_a_house_asked_for_is_enforced_however_it_is_written(
    engine: QueryEngine, house: str
) -> None:
    answer = engine.ask(f"{house}对星河新材的目标价是多少，什么时候给的？")
    assert lines(answer) == [
        "星河新材：华泰证券（2025年10月28日）目标价52.5元/股[1][2]",
        "此前：星河新材：华泰证券（2025年4月2日）目标价40元/股[3][4]",
    ]
    assert answer.value is not None
    assert (answer.value["number"], answer.value["currency"]) == (52.5, "CNY")


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("中金对星河新材的目标价是多少？", "没有中国国际金融关于星河新材的报告。"),
        ("天问证券对星河新材的评级是什么？", "没有天问证券关于星河新材的报告。"),
        ("云岭医药的目标价是多少？", "已入库的云岭医药报告没有给出目标价。"),
        ("星河新材2023年的评级", "2023年没有关于星河新材的报告。"),
        ("哪家券商给星河新材卖出评级？", "没有机构给星河新材"),
    ],
)
def test_what_is_missing_is_said_and_what_there_is(
    engine: QueryEngine, question: str, says: str
) -> None:
    answer = engine.ask(question)
    assert (answer.status, answer.value) == ("insufficient_evidence", None)
    assert answer.answer.startswith(says)


@pytest.mark.usefixtures("covered")
def test_who_has_reports_is_named_where_the_house_asked_for_has_none(engine: QueryEngine) -> None:
    answer = engine.ask("中金对星河新材的目标价是多少？")
    assert "海石证券（2026年1月9日）" in answer.answer and "52.5" not in answer.answer


@pytest.mark.usefixtures("covered")
def test_what_changed_is_told_from_what_to_what(engine: QueryEngine) -> None:
    answer = engine.ask("华泰证券有没有上调星河新材的目标价？")
    assert lines(answer)[0] == (
        "华泰证券对星河新材的目标价由40元/股（2025年4月2日）上调至52.5元/股（2025年10月28日）[1][2]"
    )
    assert (answer.kind, answer.value) == ("boolean", {"boolean": True})
    rating = engine.ask("星河新材评级变化")
    assert "评级由增持（2025年4月2日）上调至买入（2025年10月28日）" in lines(rating)[0]


@pytest.mark.usefixtures("covered")
def test_by_a_day_only_what_was_published_by_then(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材最新评级", Options(as_of=date(2025, 6, 30)))
    assert lines(answer) == ["星河新材：华泰证券（2025年4月2日）评级增持（首次）[1]"]


@pytest.mark.usefixtures("covered")
def test_a_report_is_asked_back_where_nothing_tells_which(engine: QueryEngine) -> None:
    answer = engine.ask("写这篇报告的分析师是谁？")
    assert answer.status == "needs_clarification" and len(answer.choices) == 4
    named = engine.ask("《三季报点评：加工费修复》的分析师是谁？")
    assert "分析师顾清野、卓闻溪" in lines(named)[0]
    of_one = engine.ask("这篇报告的分析师是谁？", Options(document="c1"))
    assert of_one.value == {"name": "林望舒"}


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("华泰对星河新材的日期、分析师、评级", "评级买入（上调），分析师顾清野、卓闻溪"),
        ("星河新材，华泰的评级、目标价和分析师都给我", "目标价52.5元/股，分析师顾清野、卓闻溪"),
        ("海石证券对星河新材的作者和评级，是首次覆盖吗？", "评级中性（维持），分析师林望舒"),
        ("Huatai on 星河新材: rating, and who are the analysts?", "analysts 顾清野, 卓闻溪"),
    ],
)
def test_each_of_several_things_is_told(engine: QueryEngine, question: str, says: str) -> None:
    assert says in lines(engine.ask(question))[0]


@pytest.mark.usefixtures("covered")
def test_a_report_is_meant_by_its_month(engine: QueryEngine) -> None:
    spring = engine.ask("华泰4月那份星河新材报告的评级和目标价")
    assert lines(spring) == [
        "星河新材：华泰证券（2025年4月2日）评级增持（首次），目标价40元/股[1][2]"
    ]
    none = engine.ask("华泰7月那份星河新材报告的评级")
    assert none.status == "insufficient_evidence" and none.answer.startswith("那个月没有")


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize(
    "question",
    ["远山格物的评级是什么？", "哪些券商给远山格物买入评级？", "华泰证券对远山格物的评级"],
)
def test_an_opinion_on_whom_no_research_is_on_is_refused(
    engine: QueryEngine, question: str
) -> None:
    answer = engine.ask(question)
    assert answer.status == "insufficient_evidence"
    assert answer.answer.startswith("已入库的资料中没有关于远山格物的研究报告。")
    assert "星河新材" in answer.answer and "云岭医药" in answer.answer


@pytest.mark.parametrize(
    ("opening", "question", "says"),
    [
        (
            "我们上调目标价至60元（前值：45元），维持评级。",
            "长风证券把星河新材目标价从多少提到多少？",
            "我们上调目标价至60元（前值：45元）[2]",
        ),
        (
            "给予2026年30倍PE，对应目标价60元。",
            "长风证券给星河新材的目标价对应几倍PE？",
            "给予2026年30倍PE，对应目标价60元[2]",
        ),
        (
            "预计2026年归母净利润5.0亿元（前值为4.2亿元）。",
            "长风证券对星河新材的盈利预测怎么调的？",
            "预计2026年归母净利润5.0亿元（前值为4.2亿元）[2]",
        ),
    ],
)
def test_what_a_report_prints_of_before_and_why_is_quoted(
    database: Database, engine: QueryEngine, opening: str, question: str, says: str
) -> None:
    with database.transaction() as connection:
        add_report(connection, "a1", price="60", opening=opening)
    assert says in lines(engine.ask(question))


def test_reports_on_no_company_are_meant_by_their_titles(
    database: Database, engine: QueryEngine
) -> None:
    industry: dict[str, Any] = {"company": None, "code": None, "kind": "industry", "rating": None}
    with database.transaction() as connection:
        add_report(connection, "i1", title="智慧物流行业洞察", analysts=("顾清野",), **industry)
        add_report(connection, "i2", title="跨境电商白皮书", analysts=(), **industry)
    answer = engine.ask("智慧物流洞察那份报告谁写的，哪家机构出的？")
    assert lines(answer) == ["长风证券（2026年3月1日）分析师顾清野，《智慧物流行业洞察》[1][2]"]
    nobody = engine.ask("跨境电商白皮书是哪个机构写的，作者有谁？")
    assert lines(nobody) == ["长风证券（2026年3月1日）未列作者，《跨境电商白皮书》[1]"]


def test_a_target_price_is_told_beside_the_reason_of_its_change(
    database: Database, engine: QueryEngine, add: AddDocument
) -> None:
    with database.transaction() as connection:
        add_report(connection, "a1", rating="增持", change="下调", price="31")
    add("p1", ["评级下调的主要原因是加工费假设由每吨16,200元下调至15,700元。"])
    answer = engine.ask("星河新材的目标价是多少，评级为什么下调？")
    told = "\n".join(lines(answer))
    assert "加工费假设" in told and "目标价31元/股" in told.replace("31.0", "31"), told


def test_figures_beside_what_covers_say_are_told_or_said_to_be_missing(
    database: Database, engine: QueryEngine
) -> None:
    with database.transaction() as connection:
        add_report(connection, "a1", profit={2026: "5.2", 2027: "6.4"})
    answer = engine.ask("长风证券对星河新材的评级是什么，预计2027年归母净利润多少，员工人数多少？")
    first, second, third = lines(answer)
    assert first == "星河新材：长风证券（2026年3月1日）评级买入（维持）[1]"
    assert second.startswith("星河新材2027年归母净利润（长风证券预测）：6.4亿元")
    assert third.startswith("资料不足：") and "职工总数" in third
    assert {each.source for each in answer.evidence} == {"a1.pdf"}


@pytest.mark.usefixtures("covered")
def test_what_covers_say_is_not_doubted_by_figures_of_tables(engine: QueryEngine) -> None:
    asked, found = engine.passages("星河新材目标价多少")
    draft = RecordsWriter(engine.tools.reader)(asked, found)
    assert draft is not None and draft.value is not None and draft.value["number"] == 44
    assert not may_be_doubted(draft)
    assert may_be_doubted(replace(draft, citations=()))


def test_a_rating_is_told_beside_a_reason(database: Database, engine: QueryEngine) -> None:
    with database.transaction() as connection:
        add_report(
            connection,
            "r1",
            broker="华泰证券",
            published_on=date(2026, 2, 3),
            rating="买入",
            price="60",
            body=["由于加工费修复超预期，华泰证券将星河新材目标价由52.5元上调至60元。"],
        )
    told = lines(engine.ask("华泰证券上调星河新材目标价的理由是什么，评级有没有变"))
    assert any("加工费修复超预期" in each for each in told)
    assert any("评级买入（维持）" in each and "目标价60元/股" in each for each in told)
