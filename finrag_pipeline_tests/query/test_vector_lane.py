"""The vector lane: what is nearest to a question, in a store of any size."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline_tests.query.conftest import AddDocument


def test_a_question_without_words_is_near_to_nothing(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["订单饱满。"])
    assert engine.search("？！", Options(lane="vector")).results == ()


def test_what_is_unlike_all_else_is_found_in_a_small_store(
    engine: QueryEngine, add: AddDocument
) -> None:
    """In an HNSW graph of near-copies no edge may lead to what is unlike them: few are compared."""
    told = "订单饱满。收入来自海外客户，新的产线正在调试，管理层对全年保持乐观。"
    add("ours", [told], company="星河新材", title="星河新材调研纪要")
    for n in range(15):
        add(f"d{n}", ["订单饱满。"] * 8, company=None, code=None, title=f"第{n}期")
    found = engine.search("新的产线调试得怎样", Options(lane="vector", k=1)).results
    assert [result.item.document_id for result in found] == ["ours"]


@pytest.mark.parametrize("lane", ["keyword", "vector", None])
def test_the_company_means_the_subject_of_its_document(
    engine: QueryEngine, add: AddDocument, lane: str | None
) -> None:
    """公司 in a text is whom its document is about: meta says so in every lane."""
    said = "公司产能利用率保持在90%以上，新产线将于明年投产。"
    add("theirs", [said], company="远山生物", code="300998.SZ", title="产能爬坡点评")
    add("ours", [said], company="星河新材", code="300999.SZ", title="产能爬坡点评")
    add("others", [said], company="银杉装备", code="300997.SZ", title="产能爬坡点评")
    found = engine.search("星河新材的产能利用率是多少？", Options(lane=lane)).results
    assert [result.item.document_id for result in found][:1] == ["ours"]
    # the same words about others are other statements, shown and not folded into the first
    assert {result.item.document_id for result in found} == {"ours", "theirs", "others"}
    assert found[0].item.meta.startswith("星河新材")
