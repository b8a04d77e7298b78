"""Reranking through the real engine: who judges, what is judged, what keeps its place."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.fusion import Fused
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.reranking import registry
from finrag_pipeline.query.reranking.features import FEATURES, features
from finrag_pipeline.query.reranking.offline import WEIGHTS_PATH
from finrag_pipeline.query.reranking.order import reordered, to_judge
from finrag_pipeline.query.reranking.registry import Candidate, Scores
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

TEXTS = [
    "薄膜业务毛利率下降至31.5%，主要因原材料涨价。",
    "毛利率的计算口径没有变化。",
    "公司产能利用率保持在90%以上，毛利率回升。",
    "海外订单增长，毛利率高于国内。",
]
QUESTION = "薄膜业务毛利率为什么下降？"


class _Longest:
    """The longest passage is the best one; what it saw is kept."""

    def __init__(self) -> None:
        self.seen: list[Sequence[Candidate]] = []

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        self.seen.append(candidates)
        return np.array([float(len(each.item.text)) for each in candidates])


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> _Longest:
    """A reranker from outside the package, gone after the test."""
    monkeypatch.setattr(registry, "_rerankers", dict(registry._rerankers))  # pyright: ignore
    reranker = _Longest()
    registry.register("longest", lambda tools, argument: reranker)
    return reranker


def _engine(reader: Reader, settings: Settings, **values: Any) -> QueryEngine:
    return QueryEngine(reader, settings.model_copy(update=values))


def _texts(engine: QueryEngine, **options: Any) -> list[str]:
    return [each.text for each in engine.search(QUESTION, Options(**options)).results]


def test_a_reranker_of_ones_own_orders_what_all_lanes_found(
    reader: Reader, settings: Settings, add: AddDocument, own: _Longest
) -> None:
    add("d1", TEXTS)
    found = _engine(reader, settings, reranker="longest").search(QUESTION)
    assert [each.text for each in found.results] == sorted(TEXTS, key=len, reverse=True)
    assert [each.rerank for each in found.results] == [float(len(e.text)) for e in found.results]
    assert [each.rank for each in found.results] == [1, 2, 3, 4]
    # what the lanes say of them stays
    fused = _engine(reader, settings, reranker="none").search(QUESTION)
    told = {each.text: (each.score, each.lanes) for each in fused.results}
    assert {each.text: (each.score, each.lanes) for each in found.results} == told
    assert found.latency_ms["rerank"] > 0 and found.degraded == ()


def test_only_the_first_are_judged_and_the_others_stay_behind_them(
    reader: Reader, settings: Settings, add: AddDocument, own: _Longest
) -> None:
    add("d1", TEXTS)
    fused = _texts(_engine(reader, settings, reranker="none"))
    found = _engine(reader, settings, reranker="longest", reranked=2).search(QUESTION)
    assert [each.text for each in found.results] == [
        *sorted(fused[:2], key=len, reverse=True),
        *fused[2:],
    ]
    assert [each.rerank is None for each in found.results] == [False, False, True, True]


def test_who_asks_for_one_lane_or_without_gets_the_ranking_as_it_is(
    reader: Reader, settings: Settings, add: AddDocument, own: _Longest
) -> None:
    add("d1", TEXTS)
    engine = _engine(reader, settings, reranker="longest")
    plain = _engine(reader, settings, reranker="none")
    assert _texts(engine, rerank=False) == _texts(plain)
    for lane in ("keyword", "vector"):
        assert _texts(engine, lane=lane) == _texts(plain, lane=lane)
    for mode in ("lite", "light_mix"):
        engine.ask(QUESTION, Options(mode=mode))
    assert own.seen == []
    engine.ask(QUESTION)
    assert len(own.seen) == 1


def test_candidates_carry_ranks_scores_and_cosines_whoever_found_them(
    reader: Reader, settings: Settings, add: AddDocument, own: _Longest
) -> None:
    add("d1", TEXTS, tables=[simple_table("毛利率", [["项目", "2025"], ["薄膜", "31.5"]], "%")])
    # so few are looked for that each lane has its own
    _engine(reader, settings, reranker="longest", lane_depth=1).search(QUESTION, Options(k=1))
    (candidates,) = own.seen
    assert [each.fused for each in candidates] == sorted(
        (each.fused for each in candidates), reverse=True
    )
    for each in candidates:
        assert each.lanes.keys() == each.scores.keys() and each.lanes
        assert each.cosine is not None and -1 <= each.cosine <= 1


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("best", "'best' is unknown; use one of offline, none, onnx:<folder>"),
        ("onnx", "'onnx' is unknown"),
        ("offline:model", "is unknown"),
        ("chat", "asks a chat model: set FINRAG_CHAT_BASE_URL"),
    ],
)
def test_a_reranker_that_cannot_be_had_is_one_line(
    reader: Reader, settings: Settings, add: AddDocument, setting: str, says: str
) -> None:
    add("d1", TEXTS)
    with pytest.raises(ConfigurationError, match="FINRAG_RERANKER") as raised:
        _engine(reader, settings, reranker=setting).search(QUESTION)
    assert says in str(raised.value) and "\n" not in str(raised.value)


def test_the_offline_reranker_says_the_same_each_time(
    engine: QueryEngine, database: Database, add: AddDocument
) -> None:
    add("d1", TEXTS)
    add("d2", [f"{text}另据年报。" for text in TEXTS], source="年报.pdf")
    first = engine.search(QUESTION)
    assert all(each.rerank is not None for each in first.results)
    for _ in range(3):
        again = engine.search(QUESTION)
        assert [each.to_dict() for each in again.results] == [
            each.to_dict() for each in first.results
        ]


def test_what_speaks_for_a_candidate_never_counts_against_it() -> None:
    with WEIGHTS_PATH.open(encoding="utf-8", newline="") as rows:
        weights = {row["feature"]: float(row["weight"]) for row in csv.DictReader(rows)}
    assert weights and weights.keys() <= FEATURES.keys()
    assert all(weight * FEATURES[name] >= 0 for name, weight in weights.items())


def test_the_year_asked_for_is_put_before_another(engine: QueryEngine, add: AddDocument) -> None:
    for year in (2021, 2022, 2023, 2024):
        text = f"{year}年薄膜业务营业收入为{year % 7 + 3}.2亿元，同比增长。"
        add(f"d{year}", [text], source=f"星河新材{year}年年度报告.pdf")
    for year in (2021, 2022, 2023, 2024):
        first = engine.search(f"星河新材{year}年薄膜业务营业收入是多少？").results[0]
        assert first.item.document_id == f"d{year}"


def test_features_are_bounded_and_do_not_hang_on_the_order_of_equals(
    reader: Reader, settings: Settings, add: AddDocument, own: _Longest
) -> None:
    add("d1", TEXTS, tables=[simple_table("毛利率", [["项目", "2025"], ["薄膜", "31.5"]], "%")])
    _engine(reader, settings, reranker="longest").search(QUESTION)
    (candidates,) = own.seen
    rows = features(QUESTION, candidates)
    assert rows.shape == (len(candidates), len(FEATURES))
    assert np.isfinite(rows).all() and np.abs(rows).max() <= 3
    turned = features(QUESTION, candidates[::-1])[::-1]
    by_place = list(FEATURES).index("fused_rank")
    kept = [n for n in range(len(FEATURES)) if n != by_place]
    assert np.allclose(rows[:, kept], turned[:, kept])
    # what nobody knows of a candidate speaks neither for nor against it
    blind = [Candidate(each.item, each.fused) for each in candidates]
    assert np.isfinite(features(QUESTION, blind)).all()


_KEYS = st.lists(
    st.tuples(st.sampled_from(["chunk", "table", COMMUNITY]), st.integers(0, 30)),
    unique=True,
    max_size=12,
)


@given(_KEYS, st.integers(1, 8), st.data())
def test_reports_and_what_is_not_judged_keep_their_places(
    keys: list[tuple[str, int]], most: int, data: st.DataObject
) -> None:
    ranked = [Fused(Key(kind, (n,)), 1 / (place + 1), {}) for place, (kind, n) in enumerate(keys)]
    judged = to_judge(ranked, most)
    assert len(judged) <= most and all(each.key.kind != COMMUNITY for each in judged)
    scores = {each.key: data.draw(st.floats(-3, 3)) for each in judged}
    after = reordered(ranked, scores)
    assert {each.key for each in after} == {each.key for each in ranked}
    for before, now in zip(ranked, after, strict=True):
        assert (now.key in scores) == (before.key in scores)
        if before.key not in scores:
            assert now == before and now.rerank is None
    order = [each.rerank for each in after if each.rerank is not None]
    assert order == sorted(order, reverse=True)
    assert reordered(ranked, dict.fromkeys(scores, 1.0)) == [
        Fused(each.key, each.score, {}, 1.0 if each.key in scores else None) for each in ranked
    ]
