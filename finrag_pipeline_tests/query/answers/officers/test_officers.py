"""Who holds an office: by tables of people, contacts and sentences; the newest that tells it."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.answers.officers.offices import holds, is_offices, offices_in
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
BEFORE = (date(2023, 1, 1), date(2023, 12, 31), 2023)
QUARTER = (date(2025, 1, 1), date(2025, 3, 31), 2025)
PEOPLE = simple_table(
    "现任及报告期内离任董事、监事和高级管理人员持股变动及报酬情况",
    [
        ["姓名", "职务", "性别", "任期起始日期", "任期终止日期", "税前报酬总额（万元）"],
        ["林知远", "董事长", "男", "2022-05", "2025-05", "210.5"],
        ["苏明月", "董事、总经理", "女", "2022-05", "2025-05", "180.2"],
        ["何川", "副总经理兼财务总监", "男", "2022-05", "2025-05", "98.0"],
        ["陆遥", "副董事长", "男", "2022-05", "2025-05", "88.0"],
        ["周旧", "总经理（离任）", "男", "2019-05", "2022-05", "30.0"],
        ["王一诺", "独立董事", "女", "2022-05", "2025-05", "10.0"],
        ["陈思", "独立董事", "男", "2022-05", "2025-05", "10.0"],
    ],
)
EARLIER = simple_table(
    "董事、监事和高级管理人员情况",
    [["姓名", "职务", "任职状态"], ["周旧", "总经理", "现任"], ["林知远", "董事长", "现任"]],
)
ELSEWHERE = simple_table(
    "在股东单位任职情况",
    [["任职人员姓名", "股东单位名称", "职务"], ["何川", "星河集团有限公司", "董事长"]],
)
CONTACTS = simple_table(
    "联系人和联系方式",
    [["", "董事会秘书", "证券事务代表"], ["姓名", "方晴", "许诺"], ["电话", "0571-1", "0571-2"]],
)


@pytest.fixture
def filed(add: AddDocument) -> None:
    filing = {"kind": "filing", "company": "星河新材", "code": "300999.SZ"}
    for name, period, day, tables, text in (
        ("y23", BEFORE, date(2024, 4, 20), [EARLIER], "公司治理情况良好。"),
        ("y24", YEAR, date(2025, 4, 20), [ELSEWHERE, PEOPLE, CONTACTS], "公司治理情况良好。"),
        (
            "q1",
            QUARTER,
            date(2025, 4, 28),
            [],
            "经董事会审议通过，聘任顾北先生担任公司财务总监，任期三年。",
        ),
    ):
        add(
            name,
            [text],
            tables=tables,
            published_on=day,
            title=f"星河新材{period[2]}年报告",
            period=period,
            **filing,
        )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("星河新材董事长是谁", ["林知远"]),
        ("星河新材现在的总经理叫什么", ["苏明月"]),
        ("谁是星河新材的CEO", ["苏明月"]),
        ("谁在星河新材担任副总经理", ["何川"]),
        # appointed since the annual report
        ("星河新材的CFO是谁", ["顾北"]),
        ("星河新材2024年的财务负责人是谁", ["何川"]),
        ("星河新材董秘是谁", ["方晴"]),
        ("星河新材证代是哪位", ["许诺"]),
        ("星河新材的独立董事都有谁", ["王一诺", "陈思"]),
        ("2023年星河新材总经理是谁", ["周旧"]),
        ("Who is the chairman of 星河新材?", ["林知远"]),
    ],
)
def test_who_holds_an_office(
    engine: QueryEngine, filed: None, question: str, names: list[str]
) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    value = answer.value or {}
    assert value.get("names", [value.get("name")]) == names
    assert all(answer.checks.values())


def test_who_holds_two_offices(engine: QueryEngine, filed: None) -> None:
    answer = engine.ask("星河新材的董事长和董秘分别是谁")
    assert (answer.value or {}).get("names") == ["林知远", "方晴"]


def test_a_list_of_people_without_headings_is_read(engine: QueryEngine, add: AddDocument) -> None:
    rows = [["韩卓群", "总经理"], ["赵广平", "副总经理"], ["宋燕如", "副总经理（已离职）"]]
    add(
        "half",
        ["公司管理层如下。"],
        tables=[simple_table("公司管理层", rows)],
        kind="filing",
        period=(date(2025, 1, 1), date(2025, 6, 30), 2025),
        title="星河新材2025年半年度报告",
    )
    assert engine.ask("星河新材总经理是谁").value == {"name": "韩卓群"}
    assert engine.ask("谁是星河新材副总经理").value == {"name": "赵广平"}


def test_an_office_that_nothing_tells_of_is_refused(engine: QueryEngine, filed: None) -> None:
    answer = engine.ask("星河新材的首席技术官是谁")
    assert answer.status == "insufficient_evidence", answer.answer


@pytest.mark.parametrize(
    ("told", "office", "held"),
    [
        ("董事、副总裁兼董事会秘书", "secretary", True),
        ("副董事长", "chairman", False),
        ("副总经理", "president", False),
        ("董事长兼总裁男", "president", True),
        ("资深副总裁及财务负责人", "finance", True),
        ("董事/总经理", "president", True),
    ],
)
def test_an_office_is_named_whole(told: str, office: str, held: bool) -> None:
    assert holds(told, office) == held
    assert is_offices(told)


def test_the_longest_office_is_asked_for() -> None:
    assert offices_in("星河新材副董事长是谁") == [("vice_chairman", "副董事长")]
    assert offices_in("Who are its CFO and presidents?") == [
        ("finance", "cfo"),
        ("president", "presidents"),
    ]
    assert offices_in("星河新材营收多少") == []
