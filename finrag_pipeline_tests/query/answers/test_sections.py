"""Sections of documents: told point by point, over the ends of passages, of the report that is
meant; and what of one answers a question for something in it."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument

OUTLOOK = (
    "(三)经营计划\n2025年，公司力争销售稀土磁材三万吨。\n"
    "公司将坚守主业，以储能电机和机器人关节为多元化的重点方向。\n"
    "(四)可能面对的风险\n1.原料涨价风险公司所用镨钕占成本七成，价格上行会压缩毛利。\n"
    "公司将签订长期协议。\n2.汇率波动风险\n公司四成收入以美元结算，本币升值会带来汇兑损失。"
)
REST = (
    "3.客户集中风险公司前五名客户占销售额的六成，任何一家减少采购都会影响业绩。\n"
    "(五)其他\n1.公司重视投资者关系，全年接待机构调研八十次。"
)
STRENGTHS = (
    "三、报告期内核心竞争力分析\n（一）矿山优势\n公司自有矿山两座。\n（二）工艺优势\n公司掌握晶界扩散工艺。\n"
    "（一）主营业务分析\n利润表科目的变动列于附注。\n"
    "五、公司发展战略\n公司重点举措如下：1、深耕稀土永磁，做大新能源车。\n2、布局磁材回收，降低原料成本。"
)
AUDITORS = (
    "六、聘任、解聘会计师事务所情况\n因原审计机构服务期满，2025年5月股东大会决定改聘云岭会计师事务所为"
    "公司2025年度审计机构。\n公司对其服务表示感谢。"
)
NOTE = (
    "产品结构持续改善，维持买入评级。\n风险提示：\n下游需求不及预期；\n原料价格波动；\n新产线投产延后。\n"
    "图1：公司营业收入及增速"
)


@pytest.fixture
def magnets(add: AddDocument) -> None:
    for year, contents in {2024: [OUTLOOK, REST], 2025: [STRENGTHS, AUDITORS]}.items():
        add(
            f"annual{year}",
            contents,
            published_on=date(year + 1, 3, 27),
            title=f"星河磁材{year}年年度报告",
            kind="filing",
            company="星河磁材",
            code="300999.SZ",
            period=(date(year, 1, 1), date(year, 12, 31), year),
        )
    add(
        "note",
        [NOTE],
        published_on=date(2025, 5, 6),
        title="星河磁材：结构改善",
        kind="company",
        company="星河磁材",
        code="300999.SZ",
        broker="东海证券",
    )


def _names(engine: QueryEngine, question: str) -> list[str]:
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.value is not None, answer.answer
    return list(answer.value["names"])


@pytest.mark.usefixtures("magnets")
@pytest.mark.parametrize(
    "question",
    [
        "星河磁材2024年年报提示了哪些可能面对的风险？",
        "星河磁材24年报里写了啥风险",
        "星河磁材2024年报 面临的主要风险",
        "What risks does 星河磁材 list in its 2024 annual report?",
    ],
)
def test_risks_are_told_point_by_point_over_the_ends_of_passages(
    engine: QueryEngine, question: str
) -> None:
    assert _names(engine, question) == ["原料涨价风险", "汇率波动风险", "客户集中风险"]
    told = engine.ask(question).answer
    assert "镨钕" in told and "汇兑损失" in told and "长期协议" not in told and "调研" not in told


@pytest.mark.usefixtures("magnets")
def test_the_risks_that_a_house_names_are_those_of_its_note(engine: QueryEngine) -> None:
    names = _names(engine, "东海证券给星河磁材目标价时提示了哪些风险")
    assert names == ["下游需求不及预期", "原料价格波动", "新产线投产延后"]


@pytest.mark.usefixtures("magnets")
@pytest.mark.parametrize("question", ["星河磁材2025年经营计划是什么", "星河磁材24年报里的经营计划"])
def test_a_plan_stands_in_the_report_on_the_year_before(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered" and "三万吨" in answer.answer, answer.answer
    assert "镨钕" not in answer.answer


@pytest.mark.usefixtures("magnets")
def test_what_is_asked_of_a_part_of_a_section_is_told_of_it(engine: QueryEngine) -> None:
    answer = engine.ask("星河磁材2025年度的审计机构换成了谁，为什么换？")
    assert answer.status == "answered" and "云岭" in answer.answer, answer.answer
    assert {each.document_id for each in answer.evidence} == {"annual2025"}


@pytest.mark.usefixtures("magnets")
def test_points_end_where_their_numbers_begin_anew(engine: QueryEngine) -> None:
    assert _names(engine, "星河磁材2025年年报的核心竞争力有哪些") == ["矿山优势", "工艺优势"]


@pytest.mark.usefixtures("magnets")
def test_the_first_point_may_stand_behind_what_leads_to_it(engine: QueryEngine) -> None:
    told = engine.ask("星河磁材2025年年报里的发展战略是什么").answer
    assert told.splitlines()[0].startswith("- 1、深耕") and "2、布局" in told, told
