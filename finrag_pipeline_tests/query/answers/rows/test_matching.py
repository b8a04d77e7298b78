"""Words of questions laid over words of tables: nothing may be left, and nothing is found twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.answers.rows.matching import Place, cover, joined, plain_words, units_of

WORDS = st.text(alphabet="营收毛利率门店客户占比数量海外DEL8英寸 （）、", max_size=14)


@pytest.mark.parametrize(
    ("question", "table", "left"),
    [
        ("发明专利", "发明专利（件）", 0),
        ("消费电子收入", "消费电子 | 晶圆代工收入分析", 0),
        ("海外人员", "研发人员", 2),  # 海外 stands nowhere
        ("8英寸晶圆", "8 英寸晶圆", 0),
        ("8英寸晶圆", "12 英寸晶圆", 1),
        ("DEL平台", "MODEL平台", 1),  # a word in Latin letters is whole or none
        ("销量", "销售量", 0),
        ("前五大客户", "前五名客户", 0),
        ("5", "5", 1),  # a number alone may count anything
    ],
)
def test_pieces_of_a_question_stand_in_a_table(question: str, table: str, left: int) -> None:
    assert cover(question, [Place(table, 1.0)]).left == left


def test_words_that_only_ask_need_stand_nowhere() -> None:
    places = [Place("门店", 1.0)]
    assert cover("一共有多少家门店？", places, plain_words("question")).left == 0
    assert cover("一共有多少家门店？", places).left > 0


def test_another_name_of_a_metric_is_found_by_its_meaning() -> None:
    meant = {joined("营业额"): "revenue"}
    assert cover("营业额", [Place("收入合计", 1.0, frozenset({"revenue"}))], meant=meant).left == 0
    assert cover("营业额", [Place("收入合计", 1.0)], meant=meant).left == 3


def test_a_piece_is_taken_where_it_counts_most() -> None:
    said = cover("工厂数量", [Place("工厂数量", 0.4), Place("工厂", 1.0), Place("数量", 0.7)])
    assert said.left == 0
    assert said.units == (0, 2, 2)


@given(WORDS, WORDS)
def test_more_places_leave_no_more(question: str, table: str) -> None:
    alone = cover(question, [Place(table, 1.0)])
    both = cover(question, [Place(table, 1.0), Place(question, 0.5)])
    assert both.left <= alone.left <= len(units_of(question))
    assert both.worth >= alone.worth or both.left < alone.left


@given(WORDS, st.lists(WORDS, max_size=3))
def test_no_unit_is_counted_twice(question: str, tables: list[str]) -> None:
    said = cover(question, [Place(each, 1.0) for each in tables])
    told = [each for each in units_of(question) if each != "|"]
    assert sum(said.units) + said.left == len(told)


@given(WORDS, WORDS, WORDS)
def test_the_order_of_places_says_nothing(question: str, one: str, other: str) -> None:
    places = [Place(one, 1.0), Place(other, 0.5)]
    ahead, behind = cover(question, places), cover(question, places[::-1])
    assert ahead.left == behind.left
    assert ahead.worth == pytest.approx(behind.worth)
