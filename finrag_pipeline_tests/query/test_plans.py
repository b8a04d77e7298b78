"""Questions of several steps: relations of relations, and effects of effects, as documents state
them; what no document states is not said."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.graph_documents import add_read, withdraw

SOLD = "星河新材向澄光储能供应正极材料"
ALSO = "远岫能源向澄光储能供应变流器"
SUPPLIERS = "星河新材的客户的供应商有哪些？"
COSTS = "碳酸锂涨价将推高电芯成本。"
MARGINS = "电芯成本上升会挤压储能系统企业的利润空间。"
EFFECT = "碳酸锂涨价对储能系统企业有哪些影响？"


def quotes(answer: Answer) -> list[str]:
    return [each.quote for each in answer.evidence]


@pytest.fixture
def trade(database: Database) -> None:
    supplies = [("星河新材", "supplies", "澄光储能"), ("远岫能源", "supplies", "澄光储能")]
    add_read(database, "sold", [f"{SOLD}。"], relations=supplies)
    add_read(database, "also", [f"{ALSO}。"], relations=supplies, published_on=date(2026, 4, 1))


@pytest.mark.usefixtures("trade")
def test_the_supplier_of_a_customer_rests_on_both_relations(engine: QueryEngine) -> None:
    answer = engine.ask(SUPPLIERS)
    assert answer.status == "answered" and all(answer.checks.values())
    assert answer.answer.splitlines() == [
        "星河新材的客户的供应商：远岫能源[1][2]。",
        "1. 星河新材的客户：澄光储能[1]",
        "2. 澄光储能的供应商：远岫能源[2]",
    ]
    assert quotes(answer) == [f"{SOLD}。", f"{ALSO}。"] and answer.value == {"names": ["远岫能源"]}
    assert "1. customer: 1 found; 2. supplier: 1 found" in answer.route["reason"]


def test_a_longer_name_is_another_company(engine: QueryEngine, database: Database) -> None:
    supplies = [("澄光储能", "supplies", "星河新材")]
    named = {"星河新材": "Xinghe"}
    text = "澄光储能向星河新材（以下简称Xinghe）供应电芯。"
    add_read(database, "named", [text], relations=supplies, aliases=named)
    lite = Options(mode="lite")
    assert engine.ask("Who are the suppliers of Xinghe?", lite).value == {"names": ["澄光储能"]}
    assert engine.ask("Who are the suppliers of Xinghe Recycling?", lite).value is None


@pytest.mark.usefixtures("trade")
def test_where_nothing_leads_on_what_is_stated_is_told_and_the_rest_refused(
    engine: QueryEngine,
) -> None:
    answer = engine.ask("星河新材的客户的客户有哪些？")
    assert answer.status == "insufficient_evidence"
    assert "没有找到写明澄光储能的客户的资料" in answer.answer
    assert answer.answer.endswith("星河新材的客户：澄光储能[1]") and quotes(answer) == [f"{SOLD}。"]


@pytest.mark.usefixtures("trade")
def test_a_walk_sees_what_was_published_and_is_still_there(
    engine: QueryEngine, database: Database
) -> None:
    then = engine.ask(SUPPLIERS, Options(as_of=date(2026, 3, 15)))
    assert then.status == "insufficient_evidence" and "远岫能源" not in then.answer
    withdraw(database, "also")
    now = engine.ask(SUPPLIERS)
    assert now.status == "insufficient_evidence" and "远岫能源" not in now.answer


def test_an_effect_is_followed_from_one_document_to_the_next(
    engine: QueryEngine, database: Database
) -> None:
    add_read(database, "costs", [COSTS], company=None, code=None, broker="甲证券")
    add_read(database, "margins", [MARGINS], company=None, code=None, broker="乙证券")
    answer = engine.ask(EFFECT)
    assert answer.status == "answered" and quotes(answer) == [COSTS, MARGINS]
    links = [line for line in answer.answer.splitlines() if line.startswith("-")]
    assert links == [f"- 甲证券：{COSTS}[1]", f"- 乙证券：{MARGINS}[2]"]
    # the whole way is in no document, which is said
    assert answer.answer.splitlines()[-1].startswith("没有一份资料直接陈述")
    assert "2. 电芯成本" in answer.route["reason"]


def test_who_states_the_whole_way_is_quoted_first(engine: QueryEngine, database: Database) -> None:
    whole = "碳酸锂涨价传导至储能系统企业，利润承压。"
    add_read(database, "costs", [COSTS], company=None, code=None)
    add_read(database, "whole", [whole], company=None, code=None)
    answer = engine.ask(EFFECT)
    assert quotes(answer)[0] == whole and "没有一份资料" not in answer.answer


def test_sentences_that_state_no_effect_make_no_chain(
    engine: QueryEngine, database: Database
) -> None:
    add_read(database, "price", ["碳酸锂涨价。储能系统企业位于汐口。"], company=None, code=None)
    answer = engine.ask(EFFECT)
    assert "传导" not in answer.answer and "直接陈述" not in answer.answer
