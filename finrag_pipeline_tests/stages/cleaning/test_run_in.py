"""Bold words that open a paragraph stay with it, whatever box the layout model draws."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline_tests.stages.read_pages import PROSE, line, page

LEADS = [
    "投资建议：",
    "事件：",
    "风险提示：",
    "点评：",
    "盈利预测与估值：",
    "核心观点：",
    "Event: ",
]


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("mark", ["", "➢ ", "● "])
def test_a_lead_in_with_a_box_of_its_own_stays_with_its_paragraph(lead: str, mark: str) -> None:
    bold = line(mark + lead, y=100, bold=True)
    first = line(PROSE[:34], x=bold.bbox[2] + 2, y=100)
    rest = line(PROSE[34:], y=114)
    around: Box = (first.bbox[0], 100, 545, 112)
    boxes = [("section-header", bold.bbox), ("text", (58, 99, 545, 126))]
    for drawn in (boxes, [boxes[0], ("text", around), ("text", rest.bbox)]):
        regions = clean([page([bold, first, rest], drawn, number=2)])
        assert [r.kind for r in regions if lead.strip() in r.text] == ["text"]
        assert "".join((mark + lead + PROSE[:34]).split()) in "".join(regions[0].text.split())


def test_a_lead_in_that_fills_its_row_goes_on_below() -> None:
    text = "投资建议：预计公司未来三年营业收入为十亿元及十二亿元和十五亿元，归母净利润分别为"
    bold = line(text, y=100, bold=True)
    rest = [line(PROSE[: len(text)], y=114), line("维持评级。", y=128)]
    right = bold.bbox[2]
    boxes = [("section-header", bold.bbox), ("text", (58.0, 113.0, right, 140.0))]
    for drawn in (boxes, []):
        regions = clean([page([bold, *rest], drawn, number=2)])
        assert [(r.kind, r.text) for r in regions] == [
            ("text", text + PROSE[: len(text)] + "维持评级。")
        ]


def test_a_name_in_a_side_column_does_not_run_into_the_text_beside_it() -> None:
    name = line("联系人：王小明，研究助理", x=400, y=100, bold=True)
    body = [line(PROSE[:30], y=96), line(PROSE[30:], y=110), line(PROSE[:30], y=124)]
    boxes = [("section-header", name.bbox), ("text", (58.0, 95.0, 380.0, 136.0))]
    texts = [r.text for r in clean([page([name, *body], boxes, number=2)])]
    assert name.text in texts


@pytest.mark.parametrize("kind", ["section-header", None])
def test_a_heading_on_a_row_of_its_own_stays_a_heading(kind: str | None) -> None:
    head, body = line("1、投资建议", y=100, size=12, bold=True), line(PROSE, y=124)
    boxes = [] if kind is None else [(kind, head.bbox), ("text", body.bbox)]
    regions = clean([page([head, body], boxes, number=2)])
    assert [(r.kind, r.text) for r in regions] == [("heading", "1、投资建议"), ("text", PROSE)]


def test_headings_of_two_columns_do_not_run_into_each_other() -> None:
    left, right = line("产能情况", y=100, bold=True), line(PROSE[:24], x=310, y=100)
    below = [line(PROSE[:20], y=116), line(PROSE[20:40], y=130), line(PROSE[24:46], x=310, y=114)]
    boxes = [
        ("section-header", left.bbox),
        ("text", (58, 115, 290, 142)),
        ("text", (308, 99, 560, 126)),
    ]
    regions = clean([page([left, right, *below], boxes, number=2)])
    assert regions[0].text == "产能情况" and regions[0].kind == "heading"
