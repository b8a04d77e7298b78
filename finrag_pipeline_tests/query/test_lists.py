"""Lists: who qualifies is named once, with its own citation; who does not is not."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument


def _told(engine: QueryEngine, question: str) -> dict[str, list[str]]:
    """Names of the list that answers a question, each with the sources that it cites."""
    answer = engine.ask(question)
    assert answer.status == "answered" and answer.kind == "names", answer.answer
    assert answer.value is not None
    sources = {f"[{each.n}]": each.source or "" for each in answer.evidence}
    lines = answer.answer.splitlines()
    return {
        name: [source for mark, source in sources.items() if mark in line]
        for name, line in zip(answer.value["names"], lines, strict=True)
    }


def test_companies_qualify_by_their_own_clause(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["受海外出货拉动，公司上调全年收入指引至120亿元。"], source="a.pdf")
    add(
        "d2",
        ["需求转弱，公司下调全年收入指引。", "管理层未上调全年指引。"],
        company="澄光储能",
        code="300998.SZ",
        source="b.pdf",
    )
    add(
        "d3",
        ["公司同步上调全年指引，预计收入增长两成。"],
        company="汀澜宠物",
        code="300997.SZ",
        source="c.pdf",
    )
    told = _told(engine, "哪些公司上调了全年指引？")
    assert told == {"星河新材": ["a.pdf"], "汀澜宠物": ["c.pdf"]}


def test_a_company_is_told_once_by_the_newest_of_equals(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司计提商誉减值准备3亿元。"], source="old.pdf", published_on=date(2025, 4, 1))
    add("d2", ["公司计提商誉减值准备1亿元。"], source="new.pdf", published_on=date(2026, 4, 1))
    assert _told(engine, "哪些公司计提了商誉减值？") == {"星河新材": ["new.pdf"]}


def test_what_might_be_is_not_what_is(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["若销售不及预期，公司将计提存货减值准备。"])
    add("d2", ["公司计提存货减值准备0.5亿元。"], company="澄光储能", code="300998.SZ")
    assert list(_told(engine, "哪些公司计提了存货减值？")) == ["澄光储能"]


def test_reports_that_name_a_risk_are_told_by_title_house_and_day(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["风险提示：汇率波动风险；需求不及预期。"], title="出货提速", broker="云麓证券")
    add("d2", ["风险提示：原材料价格波动。"], title="盈利承压", broker="沧澜证券")
    answer = engine.ask("哪些报告提示了汇率风险？")
    assert "《出货提速》" in answer.answer and "盈利承压" not in answer.answer
    assert "云麓证券，2026-03-01" in answer.answer


def test_risks_of_reports_are_one_list(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["风险提示：汇率波动风险；需求不及预期；竞争加剧。"], source="a.pdf")
    add("d2", ["风险提示：汇率波动的风险，原材料涨价，海外政策变化等。"], source="b.pdf")
    told = _told(engine, "星河新材有哪些风险？")
    assert told["汇率波动风险"] == ["a.pdf", "b.pdf"]
    assert {"需求不及预期", "竞争加剧", "原材料涨价", "海外政策变化"} < set(told)


def test_items_stand_in_sentences_under_numbers_and_in_columns(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "d1",
        [
            "公司主要产品包括湿法隔膜、涂覆隔膜和铝塑膜，广泛应用于储能。",
            "降本举措：1）改造产线：提升良率。2）集中采购：降低原料成本。3）优化物流。",
        ],
    )
    assert list(_told(engine, "星河新材有哪些主要产品？")) == ["湿法隔膜", "涂覆隔膜", "铝塑膜"]
    assert list(_told(engine, "星河新材采取了哪些降本举措？")) == [
        "改造产线",
        "集中采购",
        "优化物流",
    ]


def test_nothing_that_qualifies_is_no_list(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司产能利用率保持在90%以上。"])
    answer = engine.ask("哪些公司回购了股份？")
    assert answer.kind != "names" or answer.value is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # a page runs the name of each in ahead of its text
        (
            "1、原料价格波动风险公司的原料以铜为主。2、汇率波动风险公司的海外销售在扩大。",
            ["原料价格波动风险", "汇率波动风险"],
        ),
        (
            "公司面临各类风险，包括但不限于市场风险、信用风险和流动性风险。",
            ["市场风险", "信用风险", "流动性风险"],
        ),
    ],
)
def test_risks_are_told_by_their_names(
    engine: QueryEngine, add: AddDocument, text: str, names: list[str]
) -> None:
    add("d1", [text])
    answer = engine.ask("星河新材面临哪些风险")
    told = (answer.value or {}).get("names", [])
    assert [each for each in names if each in told] == names, answer.answer


def test_a_reminder_of_risk_lists_none(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        ["风险提示：公司披露的预计信息为基于当前进展所预测，实际结果可能存在差异，存在不确定性。"],
    )
    answer = engine.ask("星河新材主要的风险有哪些")
    assert not (answer.value or {}).get("names"), answer.answer


HOLDERS = simple_table(
    "股东总数及前十名股东持股情况",
    [
        ["报告期末股东总数", "20,096", "", ""],
        ["股东名称", "股东性质", "持股数量", "持股比例(%)"],
        ["澜石控股有限公司", "国有法人", "52,000", "41.20"],
        ["沧澜一号合伙企业", "其他", "9,000", "7.13"],
        ["周明远", "境内自然人", "8,100", "6.42"],
        ["合计", "", "69,100", "54.75"],
    ],
)


def test_rows_of_a_table_are_items_with_what_is_asked_of_each(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["股东情况见下表。"], tables=[HOLDERS])
    answer = engine.ask("星河新材前两大股东及持股比例")
    assert answer.value == {"names": ["澜石控股有限公司", "沧澜一号合伙企业"]}
    assert "澜石控股有限公司：持股比例 41.20[1]" in answer.answer
    smallest = engine.ask("星河新材持股比例最低的两位股东有谁？")
    assert smallest.value == {"names": ["周明远", "沧澜一号合伙企业"]}
    whole = engine.ask("星河新材的股东有哪些？")
    assert whole.value == {"names": ["澜石控股有限公司", "沧澜一号合伙企业", "周明远"]}


def test_who_sits_on_the_board_holds_no_shares_by_it(engine: QueryEngine, add: AddDocument) -> None:
    seats = simple_table(
        "董事出席董事会及股东会的情况",
        [
            ["董事姓名", "应参加董事会次数", "出席股东会次数"],
            ["顾清野", "6", "3"],
            ["卓闻溪", "6", "2"],
        ],
    )
    add("d1", ["公司股东会选举林知远女士、周明远先生为董事。"], tables=[seats])
    for question in ("星河新材的前五大股东", "星河新材第一大股东是谁"):
        answer = engine.ask(question)
        assert answer.value is None or "顾清野" not in str(answer.value), answer.answer
        assert "林知远" not in str(answer.value), answer.answer


def test_what_is_asked_of_each_is_told_from_a_sentence_that_gives_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "d1",
        [
            "公司下游应用包括储能、汽车和无人机。",
            "分下游应用看，储能、汽车和无人机同比分别增长31.2%、18.4%和7.7%。",
        ],
    )
    answer = engine.ask("星河新材有哪些下游应用，各增长多少？").answer
    assert [each in answer for each in ("储能：31.2%", "汽车：18.4%", "无人机：7.7%")] == [True] * 3


def test_who_asks_and_what_for_is_no_part_of_what_is_asked(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["风险提示：汇率波动风险；需求不及预期。"], title="出货提速", broker="云麓证券")
    answer = engine.ask("合规自查：哪些研报提示了汇率风险？列出处")
    assert "《出货提速》" in answer.answer


PARTIES = simple_table(
    "2024年主要客户与供应商",
    [
        ["类别", "名称", "金额（百万元）"],
        ["客户", "澄光储能", "2,430"],
        ["", "凌峤科技", "896"],
        ["供应商", "锂衡资源", "1,556"],
        ["", "谷满农科", "335"],
    ],
)
CHAIN = simple_table(
    "产业链重点公司",
    [
        ["公司", "主要客户", "收入（百万元）"],
        ["锂衡资源", "星河新材、铄星材料", "6,240"],
        ["星河新材", "澄光储能、凌峤科技", "5,388"],
        ["隔川膜业", "澄光储能", "1,806"],
    ],
)


def test_customers_are_not_told_with_the_suppliers_below_them(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["客户与供应商见下表。"], tables=[PARTIES])
    assert list(_told(engine, "星河新材的主要客户有哪些？")) == ["澄光储能", "凌峤科技"]
    assert list(_told(engine, "星河新材的供应商有哪些？")) == ["锂衡资源", "谷满农科"]


def test_of_a_table_of_many_companies_the_row_of_whom_is_asked_answers(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["产业链见下表。"], tables=[CHAIN], company="锂衡资源", code="001751.SZ")
    add("d2", ["公司经营稳健。"], tables=[CHAIN])
    assert list(_told(engine, "星河新材的主要客户有哪些？")) == ["澄光储能", "凌峤科技"]
    assert list(_told(engine, "锂衡资源的主要客户有哪些？")) == ["星河新材", "铄星材料"]


def test_who_controls_is_asked_for_and_not_every_shareholder(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["股东情况见下表。", "公司控股股东为澜石控股有限公司。"], tables=[HOLDERS])
    answer = engine.ask("星河新材的控股股东是谁？")
    assert "澜石控股" in answer.answer and "周明远" not in answer.answer
