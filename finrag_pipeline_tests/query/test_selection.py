"""Which pieces are shown: pages support their pieces and give room, reports do not crowd."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.keys import Key, content_key
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.evidence.selection import few_of_a_page, few_reports, supported_by_page
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.fusion import Fused, fuse
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records import Place
from finrag_pipeline_tests.documents import BBOX, simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

Piece = ChunkItem | TableItem


def pieces(pages: Sequence[int], kinds: Sequence[str]) -> dict[Key, Piece]:
    made = {"chunk": ChunkItem, "table": TableItem}
    found: dict[Key, Piece] = {}
    for n, (page, kind) in enumerate(zip(pages, kinds, strict=True)):
        key = content_key(kind, "d1", "r1", n)
        found[key] = made[kind](key, "", "d1.pdf", (Place(page, BBOX),))
    return found


def groups(items: dict[Key, Piece]) -> list[list[Fused[Key]]]:
    return [[entry] for entry in fuse({"keyword": list(items)})]


@given(st.lists(st.integers(1, 4), max_size=15), st.integers(1, 3))
def test_every_piece_is_kept_and_pages_come_in_their_order(pages: list[int], most: int) -> None:
    items = pieces(pages, ["chunk"] * len(pages))
    order = [items[group[0].key].page for group in few_of_a_page(groups(items), items, most)]
    assert sorted(order) == sorted(pages)
    distinct = list(dict.fromkeys(pages))
    assert list(dict.fromkeys(order)) == distinct
    # each page has had its share before any has more
    head = sum(min(most, pages.count(page)) for page in distinct)
    assert all(order[:head].count(page) <= most for page in distinct)


def test_a_page_is_supported_by_the_other_kind_only() -> None:
    items = pieces([1, 2, 2, 3, 3], ["chunk", "chunk", "table", "chunk", "chunk"])
    ranked = [Fused(key, 1.0, {}) for key in items]
    scores = {entry.key.id[2]: entry.score for entry in supported_by_page(ranked, items, 0.1)}
    assert scores == pytest.approx({0: 1.0, 1: 1.1, 2: 1.1, 3: 1.0, 4: 1.0})


@given(st.lists(st.booleans(), max_size=20), st.integers(1, 20), st.sampled_from((0.2, 0.5)))
def test_reports_have_their_share_of_the_places(reports: list[bool], k: int, share: float) -> None:
    keys = [Key(COMMUNITY if report else "chunk", (n,)) for n, report in enumerate(reports)]
    every = [[Fused(key, 1.0, {})] for key in keys]
    left = [group[0].key for group in few_reports(every, k, share)]
    assert [key for key in left if key.kind == "chunk"] == [
        key for key in keys if key.kind == "chunk"
    ]
    kept = [key for key in left if key.kind == COMMUNITY]
    assert kept == [key for key in keys if key.kind == COMMUNITY][: max(1, k // round(1 / share))]


def test_what_a_page_holds_beside_its_first_piece_stands_under_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    table = simple_table("分业务毛利率", [["业务", "2025A"], ["薄膜毛利率", "31.5"]])
    add("d1", ["薄膜毛利率提升。"], tables=[table])
    add("d2", ["薄膜毛利率下降，原料涨价。"])
    found = engine.search("薄膜毛利率", Options(k=2)).results
    assert sorted(each.item.document_id for each in found) == ["d1", "d2"]
    under = {each.item.document_id: [one.key.kind for one in each.same_page] for each in found}
    assert len(under["d1"]) == 1 and under["d2"] == []
    # nothing is lost where there is room
    every = engine.search("薄膜毛利率", Options(k=3)).results
    assert len(every) == 3 and not any(each.same_page for each in every)
