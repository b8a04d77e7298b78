"""Evidence: value classes move results a little and hide none, tables stand beside chunks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.reading import rank_by_factor
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.weights import VALUE_FACTORS
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

KEYS = [content_key("chunk", "d1", "r1", n) for n in range(30)]


def test_reasons_rank_before_set_phrases_that_match_as_well(
    engine: QueryEngine, add: AddDocument
) -> None:
    set_phrase = "收入增长的前瞻性陈述不构成承诺，投资者应注意投资风险。"
    add("template", [set_phrase], company=None, code=None, title="甲")
    add("reason", ["收入增长主要受益于储能需求回暖。"], company=None, code=None, title="乙")
    add("far", ["锂矿价格在成本线附近震荡。"] * 4, company=None, code=None, title="丙")
    found = engine.search("收入增长").results
    assert [(result.item.document_id, result.item.value) for result in found][:2] == [
        ("reason", "argument"),
        ("template", "template"),
    ]
    # nothing is lost: by its own words the set phrase is found by every lane before all others
    own = engine.search(set_phrase, Options(k=3)).results
    assert [r.lanes for r in own if r.item.document_id == "template"] == [
        {"keyword": 1, "vector": 1}
    ]


@given(st.lists(st.sampled_from(sorted(VALUE_FACTORS)), min_size=30, max_size=30))
def test_a_class_moves_an_entry_by_few_places_and_loses_none(values: list[str]) -> None:
    fused = fuse({"keyword": KEYS, "vector": KEYS})
    valued = dict(zip(KEYS, values, strict=True))
    factors = {key: VALUE_FACTORS[value] for key, value in valued.items()}
    ranked = [entry.key for entry in rank_by_factor(fused, factors)]
    assert sorted(ranked) == KEYS
    assert max(abs(ranked.index(key) - n) for n, key in enumerate(KEYS)) <= 3
    for value in VALUE_FACTORS:
        same = [key for key in ranked if valued[key] == value]
        assert same == sorted(same)


def test_tables_have_no_value_and_no_context(engine: QueryEngine, add: AddDocument) -> None:
    table = simple_table("盈利预测", [["指标", "2026E"], ["营收", "12.5"]])
    add("d1", ["营收增长。"], tables=[table])
    found = {result.kind: result.to_dict() for result in engine.search("营收").results}
    assert (found["table"]["value"], found["table"]["context"]) == (None, "")
    assert found["chunk"]["value"] == "plain"
