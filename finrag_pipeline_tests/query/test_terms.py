"""What a question asks for: its terms, its names, whether it asks for a figure."""

from __future__ import annotations

import pytest

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.answers.refusing import refused
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.terms import (
    covered,
    has_term,
    missing,
    names,
    terms,
)
from finrag_pipeline.store.search.filters import Filter
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


# Sentences as the sample reports have them, and what is asked of their companies.
SAID = """正极来自星河新材与铄星材料，隔膜来自隔川膜业。星河新材毛利率提升，受益于大容量电芯换代。
澄光储能的电芯以27%的份额居首，向远岫能源供应电芯，采购价格随碳酸锂指数联动，影响有限，增长较快。
汀澜宠物的线上份额连续三年提升，占比居前。远岫能源投资的项目已投产，原材料价格上涨。"""


@pytest.mark.parametrize(
    "question",
    [
        "星河新材受原材料价格上涨有什么影响？",
        "星河新材靠什么提升毛利率？",
        "为什么说星河新材毛利率提升？",
        "澄光储能向谁供应电芯？",
        "如何看澄光储能的增长？",
        "汀澜宠物占多少份额？",
        "远岫能源将投资哪些项目？",
        "澄光储能受碳酸锂价格影响大吗？",
        "远岫能源买了什么？",
        "隔川膜业卖什么？",
        "铄星材料占正极多少份额？",
        "澄光储能赚多少？",
    ],
)
def test_a_name_and_the_word_beside_it_are_no_name(question: str) -> None:
    assert missing(names(question), [SAID]) == []
    # and of a company that is not there, the same question stays refused
    for company in ("星河新材", "澄光储能", "汀澜宠物", "远岫能源", "隔川膜业", "铄星材料"):
        other = question.replace(company, "岫川重工")
        if other != question:
            assert "岫川" in missing(names(other), [SAID])


def test_a_name_of_which_evidence_has_the_start_alone_is_still_lacking() -> None:
    """Two characters that evidence has are the start of many names."""
    assert "莱英" in names("凯莱英的毛利率")


def test_what_is_asked_is_no_part_of_a_term() -> None:
    assert terms("投资哪些项目？") == ["投资", "项目"]
    assert names("说星河股份的营收") == ["星河"]
    assert "迪科" in names("北岭迪科受原材料价格影响大吗？")
    assert terms("原材料价格影响大吗？") == ["原材料", "价格", "影响"]


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
    def said(question: str, *absent: str) -> str:
        return refused(Asked(question, Filter("default"), OfflineEmbedder), absent)

    assert said("毛利率？").startswith("资料不足")
    assert "“远山”" in said("远山的毛利率？", "远山")
    assert said("Gross margin?").startswith("Insufficient evidence")
    assert terms("是多少？") == []
