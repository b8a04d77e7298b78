"""What documents say of positions in an industry chain, by headings and in sentences."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.stages.extraction.offline import build_lexicon, extract

PLACE = Place(1, (0.0, 0.0, 1.0, 1.0))
LEXICON = build_lexicon(
    [("星河医药", "301801.SZ"), ("云岭动保", "301802.SZ"), ("澄光连锁", "301803.SZ")]
)


def read(*texts: str, section: tuple[str, ...] = ()) -> list[ChunkExtraction]:
    chunks = [Chunk(n, text, (PLACE,), section) for n, text in enumerate(texts)]
    return extract(chunks, Metadata(), LEXICON)


def told(extractions: list[ChunkExtraction]) -> set[tuple[str, str, str]]:
    return {
        (each.mentions[r.head].name, r.relation, each.mentions[r.tail].name)
        for each in extractions
        for r in each.relations
        if r.relation in ("upstream_of", "operates_in")
    }


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "光伏产业链上游为硅料、硅片，中游为电池片与组件，下游为电站运营。",
            {("硅料", "电池片与组件"), ("电池片与组件", "电站运营")},
        ),
        (
            "产业链条主要包括上游的种畜繁育，中游的饲料加工，以及下游的屠宰分割（含冷链）。",
            {("种畜繁育", "饲料加工"), ("饲料加工", "屠宰分割")},
        ),
        ("上游原材料价格上涨，下游需求疲软。", set[tuple[str, str]]()),
        ("公司向上游延伸，下游客户以车企为主。", set[tuple[str, str]]()),
    ],
)
def test_a_sentence_that_tells_several_positions(text: str, pairs: set[tuple[str, str]]) -> None:
    found = {(one, other) for one, relation, other in told(read(text)) if relation == "upstream_of"}
    assert pairs <= found if pairs else not found


def test_companies_of_a_section_stand_where_its_heading_says() -> None:
    found = read(
        "药品市场由外资品牌主导。\n星河医药、云岭动保等企业占据多数份额。",
        "药品的注册周期较长。\n星河医药于2020年上市。",
        section=("第三章 产业链全景", "3.1 上游：兽用药品与器械"),
    )
    assert told(found) == {
        (name, "operates_in", "兽用药品与器械") for name in ("星河医药", "云岭动保")
    }


def test_positions_of_headings_name_what_sentences_tell() -> None:
    headed = Chunk(0, "3.1 上游：兽用药品", (PLACE,), ("3.1 上游：兽用药品",))
    lower = Chunk(1, "3.2 中游：诊疗服务机构", (PLACE,), ("3.2 中游：诊疗服务机构",))
    text = "上游兽用药品集中度较高；\n中游诊疗服务机构形成了以澄光连锁为代表的格局。"
    found = extract([headed, lower, Chunk(2, text, (PLACE,))], Metadata(), LEXICON)
    assert told(found) == {
        ("兽用药品", "upstream_of", "诊疗服务机构"),
        ("澄光连锁", "operates_in", "诊疗服务机构"),
    }


def test_statements_point_at_mentions_that_share_no_character() -> None:
    (found,) = read("锂电池产业链上游为碳酸锂与隔膜，中游为锂电池制造，下游为储能与新能源汽车。")
    ends = [m.end for m in found.mentions]
    assert all(m.start >= end for m, end in zip(found.mentions[1:], ends, strict=False))
    assert all(
        0 <= r.start <= found.mentions[r.head].start and found.mentions[r.tail].end <= r.end
        for r in found.relations
        if r.relation == "upstream_of"
    )
