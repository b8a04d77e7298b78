"""What is called absent: only names that nothing in the whole store has, as they are asked for."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.question.unknown_names import names_in
from finrag_pipeline_tests.query.conftest import AddDocument

FILLER = "光模块产线的毛利率在下半年下降，主要因为原材料涨价。"
NAMED = "凯莱英与百普赛斯签订了试剂的供货合同。"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("远山格物的毛利率为什么下降？", ["远山格物"]),
        ("对百普赛斯的评价如何？", ["百普赛斯"]),
        ("泽璟制药的ZG006进展如何？", ["泽璟制药", "ZG006"]),
        # lines of business end names of firms, though each of their words is common
        ("长江健康的主营业务是什么？", ["长江健康"]),
        ("电力投资集团的风电装机情况", ["电力投资集团"]),
        ("ModMed这笔收购谁买的、多少钱、估值倍数？", []),
        ("昭衍25H1收入下滑，怎么还能扭亏为盈？", []),
        ("现在还算突发公卫事件吗？", []),
        ("库里这些公司的共性风险和看点？", []),
        ("What does Zyntrex make?", ["Zyntrex"]),
        ("600111.SH的毛利率？", ["600111.sh"]),
        # no names, though no dictionary holds them
        ("那家公司的海外年化收入是多少？", []),
        ("该公司的大订单何时结束？", []),
        ("25Q1毛利率环比变动多少？", []),
        ("它和同行的差异？", []),
        ("那份口腔报告讲了什么？", []),
        ("那套算法后来用到哪里？", []),
        ("国海用双均线择时胜率多少？", []),
        ("照中金的说法为什么不行？", []),
        ("这个策略拿来做个股灵不灵", []),
    ],
)
def test_names_are_told_from_words(question: str, names: list[str]) -> None:
    assert [name for name, _ in names_in(question, Catalogue({}))] == names


def test_a_name_is_looked_for_in_the_whole_store(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [NAMED, *[FILLER] * 3])
    for number in range(30):
        add(f"f{number}", [f"第{number}期：{FILLER}"])
    # it is in the store, though among no first results
    known = engine.ask("凯莱英光模块毛利率下降的原因？")
    assert "没有提到" not in known.answer
    gone = engine.ask("远山格物的毛利率为什么下降？")
    assert gone.status == "insufficient_evidence" and "没有提到“远山格物”" in gone.answer
    # what was published later is not known on that day
    before = engine.ask("百普赛斯的毛利率为什么下降？", Options(as_of=date(2020, 1, 1)))
    assert "没有提到“百普赛斯”" in before.answer


def test_a_business_that_a_company_has_nothing_of_is_not_told_of_another(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司诊断业务进展顺利，病理产品已进入三甲医院。"])
    add("d2", ["脑机接口业务进展顺利，产品已完成首例植入。"], company="远山格物", code="600002.SH")
    gone = engine.ask("星河新材的脑机接口业务进展如何？")
    assert gone.status == "insufficient_evidence"
    known = engine.ask("远山格物的脑机接口业务进展如何？")
    assert "首例植入" in known.answer


def test_a_refusal_says_where_was_looked_and_what_is_near(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", [FILLER])
    told = engine.ask("银河新材的食堂菜品有哪些？").answer
    assert "没有提到" in told and "已查找全部1份资料" in told and "名称相近的有：星河新材" in told
    of_company = engine.ask("星河新材的食堂菜品有哪些？").answer
    assert "关于星河新材的1份资料（最新 2026-03-01）" in of_company
    assert "“星河新材”" not in of_company
    english = engine.ask("Which dishes does the canteen of Zyntrex serve?").answer
    assert "do not mention Zyntrex" in english and "all 1 documents" in english
