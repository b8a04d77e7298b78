"""English questions on Chinese text: what the dictionary carries over, and what it must not."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.both_languages import in_both
from finrag_pipeline.query.question.terms import needed_names
from finrag_pipeline_tests.query.conftest import AddDocument

WHITE_PAPER = (
    "世界卫生组织建议各国扩大疫苗接种。目前已有四个国家开始接种疫苗，包括肯尼亚和秘鲁。"
    "公司在秘鲁完成蓝宝石水电站并购。差分进化算法采用实数编码，收敛速度较快。"
    "遗传算法采用二进制编码。江中已停止生产竞争产品。"
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which countries have begun vaccination?", "肯尼亚和秘鲁"),
        ("How does the differential evolution algorithm encode?", "实数编码"),
        ("Which hydropower station was acquired in Peru?", "蓝宝石"),
        ("Which products did Jiangzhong stop making?", "江中"),
    ],
)
def test_chinese_text_answers_an_english_question(
    engine: QueryEngine, add: AddDocument, question: str, told: str
) -> None:
    add("d1", [WHITE_PAPER, "公司食堂完成翻新，员工满意度提升。"])
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert told in answer.answer and "食堂" not in answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "Which hydropower station was acquired in Norway?",
        "How does the Zyntrex algorithm encode?",
        "What was the revenue of WuXi Biologics in 2024?",
    ],
)
def test_what_nothing_says_is_refused_in_either_language(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    add("d1", [WHITE_PAPER, "2024年无锡生物产业园营业收入12亿元。"])
    assert engine.ask(question).status == "insufficient_evidence"


def test_words_are_no_names_that_text_has_to_write() -> None:
    question = "Which Class 1 drugs of Zyntrex are in Phase I trials in Peru?"
    assert needed_names(question) == ["zyntrex"]
    assert "class" in needed_names("星河新材在秘鲁研究院的Class药品进展如何")


def test_a_question_is_searched_in_both_languages() -> None:
    assert in_both("星河新材的income tax") == "星河新材的income tax"
    both = in_both("Why did income tax rise?")
    assert both.startswith("Why did income tax rise?") and "所得税" in both
