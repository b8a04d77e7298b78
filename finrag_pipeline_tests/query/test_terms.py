"""What a question asks for: its terms, its names, whether it asks for a figure."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.terms import asks_figure, covered, has_term, insufficient, names, terms
from finrag_pipeline.words import search_words


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("星河智造的毛利率为什么下降？", ["星河", "智造"]),
        ("600111.SH的毛利率是多少？", ["600111.sh"]),
        ("What was the gross margin of Zyntrex in 2024?", ["zyntrex"]),
        ("永新股份的净利润", ["永新"]),
        ("毛利率下降的原因是什么？", []),
        ("财务费用和管理费用是多少？", []),
        ("归母净利润是多少？", []),
        ("Why did the gross margin fall?", []),
    ],
)
def test_names_are_what_an_answer_cannot_do_without(question: str, held: list[str]) -> None:
    assert names(question) == held


def test_a_term_is_found_however_the_text_was_cut() -> None:
    assert has_term("江化微", set(search_words("江化微电子材料")))
    assert not has_term("江化微", set(search_words("江河化工微电子")))


def test_context_counts_half() -> None:
    text, context = set(search_words("同比下降")), set(search_words("毛利率"))
    whole = covered(["毛利率"], context)
    assert (whole, covered(["毛利率"], text, context), covered(["毛利率"], text)) == (1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("2024年营业收入是多少？", True),
        ("研发人员有几人？", True),
        ("公司的毛利率", True),
        ("How much cash does it hold?", True),
        ("What was the operating margin in 2024?", True),
        ("毛利率为什么下降？", False),
        ("Why did margins fall?", False),
    ],
)
def test_questions_for_figures(question: str, figure: bool) -> None:
    assert asks_figure(question) is figure


def test_no_answer_is_said_in_the_language_of_the_question() -> None:
    assert insufficient("毛利率？", []).startswith("资料不足")
    assert "“远山”" in insufficient("远山的毛利率？", ["远山"])
    assert insufficient("Gross margin?", []).startswith("Insufficient evidence")
    assert terms("是多少？") == []
