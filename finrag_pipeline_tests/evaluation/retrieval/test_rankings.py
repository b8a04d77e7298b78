"""Measures: what a rank brings, and that nobody who failed is left out of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.evaluation.retrieval.rankings import (
    CUTOFFS,
    Piece,
    Unit,
    figures,
    first_rank,
    in_order,
    overlap,
)

pieces = st.builds(
    Piece,
    st.integers(0, 9),
    st.sampled_from(["a", "b", None]),
    st.frozensets(st.integers(1, 4), max_size=2),
)
units = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.integers(1, 4)), min_size=1, max_size=3, unique=True
)


def on(document_id: str, *pages: int) -> Piece:
    return Piece((document_id, pages), document_id, frozenset(pages))


@given(st.lists(pieces, max_size=25), units)
def test_recall_and_reciprocal_rank_are_those_of_the_first_result_on_each_page(
    ranking: list[Piece], gold: list[Unit]
) -> None:
    found = figures({"q": ranking}, {"q": gold})
    # a result that is the first on two gold pages takes two ranks
    order = in_order(ranking, gold)
    for k in CUTOFFS:
        brought = {name for name in order[:k] if name.startswith("gold")}
        assert found[f"R@{k}"] == pytest.approx(len(brought) / len(gold))
    rank = first_rank(ranking, gold)
    assert found["MRR@10"] == pytest.approx(1 / rank if 0 < rank <= 10 else 0)
    assert found["S@10"] == (0 < rank <= 10)
    gains = [1 / math.log2(n + 1) for n, name in enumerate(order[:10], 1) if "gold" in name]
    ideal = [1 / math.log2(n + 1) for n in range(1, min(len(gold), 10) + 1)]
    assert found["nDCG@10"] == pytest.approx(sum(gains) / sum(ideal))
    assert found["P@10"] == pytest.approx(len(gains) / 10)


@given(st.lists(pieces, max_size=25), units)
def test_a_rank_is_taken_by_every_result_and_a_page_is_found_once(
    ranking: list[Piece], gold: list[Unit]
) -> None:
    order = in_order(ranking, gold)
    assert len(order) >= len(ranking) and len(order) == len(set(order))
    found = {f"gold {n}" for n, unit in enumerate(gold) if any(p.brings(unit) for p in ranking)}
    assert {name for name in order if name.startswith("gold")} == found


def test_results_count_and_not_pages() -> None:
    gold: Sequence[Unit] = [("a", 5)]
    spanning = [on("b", 1, 2, 3), on("a", 4, 5)]
    assert figures({"q": spanning}, {"q": gold})["MRR@10"] == 0.5
    repeated = [on("a", 1), on("a", 1), on("a", 5), on("a", 5)]
    found = figures({"q": repeated}, {"q": gold})
    assert (found["R@1"], found["R@3"], found["P@10"]) == (0, 1, 0.1)


def test_a_document_without_pages_is_found_by_any_of_its_pages_once() -> None:
    found = figures({"q": [on("b", 1), on("a", 7), on("a", 8)]}, {"q": [("a", None)]})
    assert (found["MRR@10"], found["R@10"], found["P@10"]) == (0.5, 1, 0.1)


def test_questions_without_a_ranking_count_as_misses() -> None:
    gold: dict[str, list[Unit]] = {name: [("a", 1)] for name in ("hit", "empty", "absent")}
    found = figures({"hit": [on("a", 1)], "empty": []}, gold)
    assert found.pop("P@10") == pytest.approx(0.1 / 3)
    assert list(found.values()) == [pytest.approx(1 / 3)] * len(found)
    assert figures({}, gold)["R@20"] == 0


def test_overlap_is_of_the_first_ten() -> None:
    first = [Piece(n) for n in range(20)]
    second = [Piece(n) for n in range(9, 29)]
    assert overlap(first, second) == pytest.approx(1 / 19)
    assert overlap(first, []) is None
