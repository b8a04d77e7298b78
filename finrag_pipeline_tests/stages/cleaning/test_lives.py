"""People in a narrow column and their lives beside them: each name stands before its own life."""

from __future__ import annotations

from finrag_pipeline.records import TextLine
from finrag_pipeline.stages.cleaning.lives import lives
from finrag_pipeline.stages.cleaning.plain import plain_groups
from finrag_pipeline.stages.cleaning.text import join_rows

SIZE, PITCH = 8.0, 9.6
LIFE = "历任汐原电力股份有限公司财务部副部长、部长，澄光储能集团有限公司董事、总会计师，"
NOTE = "上述人员的任职情况以本报告披露之日为准，报告期内没有其他需要说明的变动情况，详见公告全文。"


def line(text: str, x0: float, y0: float) -> TextLine:
    return TextLine((x0, y0, x0 + SIZE * len(text), y0 + 10.4), text, SIZE, False, True)


def board(*people: tuple[tuple[str, ...], tuple[str, ...]], top: float = 100) -> list[TextLine]:
    """Lines of people as a ruled table prints them: pieces of names, rows of lives."""
    lines: list[TextLine] = []
    for name, told in people:
        lines += [line(piece, 52, top + n * PITCH) for n, piece in enumerate(name)]
        lines += [line(row, 52 + 2 * SIZE, top + n * PITCH) for n, row in enumerate(told)]
        top += max(len(name), len(told)) * PITCH + 5
    return lines


def texts(lines: list[TextLine]) -> list[str]:
    return ["".join(each.text for each in group) for _, group in plain_groups(lines)]


def test_a_name_that_goes_on_below_stands_whole_before_its_life() -> None:
    lines = board(
        (("苏", "天", "鹏"), (f"董事，{LIFE}", "现任公司总经理。")),
        (("赵", "燕"), (f"监事，{LIFE}", f"其间{LIFE}", "现任财务总监。")),
        (("黄", "德", "林"), ("独立董事，正高级工程师。",)),
    )
    assert texts(lines) == [
        f"苏天鹏 董事，{LIFE}现任公司总经理。",
        f"赵燕 监事，{LIFE}其间{LIFE}现任财务总监。",
        "黄德林 独立董事，正高级工程师。",
    ]


def test_what_stands_above_and_below_across_both_columns_stays_apart() -> None:
    people = board((("苏", "天"), (f"董事，{LIFE}",)), (("赵", "燕"), (f"监事，{LIFE}",)))
    told = texts([line(NOTE, 52, 60), *people, line(NOTE, 52, 180)])
    assert told == [NOTE, f"苏天 董事，{LIFE}", f"赵燕 监事，{LIFE}", NOTE]


def test_terms_and_what_they_mean_stay_in_their_rows() -> None:
    lines = board((("星河新材料集团",), (f"指 {LIFE}",)), (("本公司、公司",), (f"指 {LIFE}",)))
    assert lives(lines) == []


def test_figures_beside_text_are_no_names() -> None:
    lines = board((("12", "34"), (f"董事，{LIFE}", LIFE)), (("56",), (f"监事，{LIFE}",)))
    assert lives(lines) == []


def test_two_narrow_columns_are_no_names() -> None:
    lines = board((("股份", "限售"), (f"承诺{LIFE}", LIFE)), (("解决", "同业"), (f"承诺{LIFE}",)))
    beside = [line("中国", 52 + 2 * SIZE, 100), line("三峡", 52 + 2 * SIZE, 100 + PITCH)]
    told = [
        line(each.text, each.bbox[0] + 2 * SIZE, each.bbox[1]) if len(each.text) > 2 else each
        for each in lines
    ]
    assert lives(told) and lives([*told, *beside]) == []


def test_a_life_without_a_name_stays_as_it_is() -> None:
    people = board((("苏", "天"), (f"董事，{LIFE}",)), (("赵", "燕"), (f"监事，{LIFE}",)))
    rest = line(f"其间{LIFE}", 52 + 2 * SIZE, 100 + 2 * (2 * PITCH + 5) + 10)
    assert [join_rows([(each,) for each in life]) for life in lives([*people, rest])][-1] == (
        f"其间{LIFE}"
    )
