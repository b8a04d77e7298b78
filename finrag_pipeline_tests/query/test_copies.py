"""Copies of a passage are shown once, most detailed first, and never hide another statement."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.copies import group_copies
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records import Place
from finrag_pipeline.stages.chunking.enrichment.minhash import signature
from finrag_pipeline.stages.chunking.segmentation_units import count_tokens
from finrag_pipeline_tests.documents import BBOX
from finrag_pipeline_tests.query.conftest import AddDocument

TABLE = TableItem(content_key("table", "d1", "r1", 0), "", "d1.pdf", (Place(1, BBOX),))
VIEW = (
    "储能行业需求自去年四季度起明显回暖，海外大型项目集中招标，国内容量电价政策落地后独立储能的"
    "收益模型趋于清晰，预计全年新增装机同比增长45%，龙头厂商的订单能见度已经延长至两个季度以上。"
)
DETAIL = "其中美洲市场增速最快，欧洲户用储能库存去化接近尾声，电芯价格企稳回升有助于毛利率修复。"
OTHER = "锂矿价格在成本线附近震荡，供给端减产有限，库存仍需时间消化，短期难以看到趋势性反弹。"


def row(text: str, document_id: str = "d1", **values: Any) -> ChunkItem:
    return ChunkItem(
        content_key("chunk", document_id, "r1", 0),
        text,
        f"{document_id}.pdf",
        (Place(1, BBOX),),
        **{"broker": "远山证券"} | values,
        token_count=count_tokens(text),
        signature=tuple(signature(text)),
    )


def test_a_passage_inside_a_longer_one_is_shown_as_the_longer_one() -> None:
    rows = [row(VIEW), row(OTHER), row(f"{VIEW}\n{DETAIL}", document_id="d2")]
    assert group_copies(rows) == [[2, 0], [1]]


def test_of_equally_long_copies_the_best_found_is_shown() -> None:
    rows = [row(OTHER), row(VIEW, document_id="d3"), row(VIEW, document_id="d2")]
    assert group_copies(rows) == [[0], [1, 2]]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (VIEW.replace("45%", "54%"), {}),  # another figure
        (VIEW.replace("储能行业", "光伏行业").replace("独立储能", "分布式光伏"), {}),
        (VIEW, {"company_code": "300999.SZ", "broker": None}),  # about somebody, by nobody known
        (VIEW, {"company_code": "300999.SZ", "broker": "银杉证券"}),
    ],
)
def test_what_says_another_thing_is_no_copy(text: str, values: dict[str, Any]) -> None:
    assert group_copies([row(VIEW), row(text, **values)]) == [[0], [1]]


def test_the_same_words_about_another_company_are_no_copy() -> None:
    own = f"公司{DETAIL}"
    codes = ({"company_code": "300999.SZ"}, {"company_code": "300998.SZ"})
    assert group_copies([row(own, **values) for values in codes]) == [[0], [1]]
    # a broker's view of an industry stands in its reports on many companies
    assert group_copies([row(VIEW, **values) for values in codes]) == [[0, 1]]


@given(st.lists(st.sampled_from([VIEW, f"{VIEW}{DETAIL}", DETAIL, OTHER, ""]), max_size=12))
def test_every_row_is_in_one_group_and_groups_keep_the_order(texts: list[str]) -> None:
    rows = [row(text) if text else TABLE for text in texts]
    groups = group_copies(rows)
    assert sorted(n for group in groups for n in group) == list(range(len(rows)))
    assert [min(group) for group in groups] == sorted(min(group) for group in groups)
    for group in groups:
        longest = max(len(rows[n].text) for n in group)
        assert len(rows[group[0]].text) == longest


def test_a_search_shows_copies_once_and_looks_deeper_for_the_rest(
    engine: QueryEngine, add: AddDocument
) -> None:
    for n in range(70):
        add(f"copy{n:02}", [VIEW], source=f"周报{n:02}.pdf")
    add("detail", [f"{VIEW}\n{DETAIL}"], source="深度.pdf")
    add("more", [OTHER], source="点评.pdf")
    found = engine.search("储能行业需求回暖，美洲市场增速最快，毛利率修复", Options(k=2))
    first, second = found.to_dict()["results"]
    assert (first["source"], len(first["copies"])) == ("深度.pdf", 70)
    assert {"document_id": "copy00", "source": "周报00.pdf", "page": 1} in first["copies"]
    # 70 copies are more than the lanes look for at first
    assert (second["source"], second["copies"]) == ("点评.pdf", [])


def test_copies_are_only_what_the_reader_may_see(engine: QueryEngine, add: AddDocument) -> None:
    add("early", [VIEW], published_on=date(2025, 5, 1))
    add("late", [f"{VIEW}\n{DETAIL}"], published_on=date(2026, 5, 1))
    add("theirs", [VIEW], app_id="other")
    (shown,) = engine.search("储能行业需求回暖").results
    assert (shown.item.document_id, [each.document_id for each in shown.copies]) == (
        "late",
        ["early"],
    )
    (before,) = engine.search("储能行业需求回暖", Options(as_of=date(2025, 12, 31))).results
    assert (before.item.document_id, before.copies) == ("early", ())


def table(rows: list[list[str]], document_id: str = "d1", **values: Any) -> TableItem:
    cells = tuple(
        {"row": n, "column": m, "text": text}
        for n, row in enumerate(rows)
        for m, text in enumerate(row)
    )
    values = {"company_code": "300999.SZ", "caption": "主要会计数据"} | values
    key = content_key("table", document_id, "r1", len(str(values)))
    return TableItem(key, "", f"{document_id}.pdf", (Place(1, BBOX),), cells=cells, **values)


PRINTED = [["项目", "2024", "2023"], ["营业收入", "1,234.5", "1,100"]]


def test_a_table_printed_twice_is_one() -> None:
    spaced = [["项 目", "2024", "2023"], ["营业收入", "１,234.5", "1,100"]]
    rows = [table(PRINTED), row(VIEW), table(spaced, document_id="d2")]
    assert group_copies(rows) == [[0, 2], [1]]


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ([PRINTED[0], ["营业收入", "1,234.6", "1,100"]], {}),
        ([["项目", "2025", "2024"], PRINTED[1]], {}),
        (PRINTED, {"company_code": "300998.SZ"}),
        (PRINTED, {"caption": "母公司主要会计数据"}),
        (PRINTED, {"unit": "万元"}),
    ],
)
def test_a_table_that_says_another_thing_is_no_copy(
    rows: list[list[str]], values: dict[str, Any]
) -> None:
    assert group_copies([table(PRINTED), table(rows, **values)]) == [[0], [1]]


def test_forms_of_a_few_cells_are_no_copies() -> None:
    small = [["适用", "不适用"], ["√", ""]]
    assert group_copies([table(small), table(small)]) == [[0], [1]]
