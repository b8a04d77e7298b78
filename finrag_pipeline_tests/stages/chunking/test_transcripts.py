"""Questions of transcripts: by label, by the answer that follows, and what only looks like one."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Place, Region, Sentence
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.stages.chunking.transcripts import (
    TITLE_CHARACTERS,
    answer_start,
    opens_turn,
    question_starts,
    question_title,
)


def sentences(*paragraphs: list[str]) -> list[Sentence]:
    return [
        Sentence(text, (Place(1, (0.0, float(i), 1.0, i + 1.0)),))
        for i, paragraph in enumerate(paragraphs)
        for text in paragraph
    ]


def region(ordinal: int, text: str, kind: str = "text") -> Region:
    box = (0.0, float(ordinal), 1.0, ordinal + 1.0)
    return Region(ordinal, 1, box, kind, text, None, ("交流纪要",))


@pytest.mark.parametrize(
    "text",
    [
        "问：需求如何？",
        "问题1：需求如何？",
        "问题 2: 需求如何?",
        "1、问：需求如何？",
        "（3）问：需求如何？",
        "提问：请介绍需求。",
        "投资者提问：需求如何？",
        "分析师问：需求如何？",
        "【问】需求如何？",
        "[提问2] 需求如何？",
        "问题3：请介绍需求。",
        "记者：需求如何？",
        "投资者：需求如何？",
        "Q：需求如何？",
        "Q1：需求如何？",
        "Q3、需求如何？",
        "2、请问公司需求如何？",
        "Question 4: How is demand?",
        "Q: How is demand?",
    ],
)
def test_labels_open_a_question(text: str):
    given = sentences(["上文。"], [text], ["答：回暖。"])
    assert question_starts(given) == [1]
    assert opens_turn(text)


@pytest.mark.parametrize(
    "text",
    [
        "Q1：营收增长10%。",
        "Q3: revenue rose 4%.",
        "问题在于需求。",
        "1、问题债务化解。",
        "投资者关系良好。",
        "问题1：产能过剩。",
        "记者：某某",
        "机构：甲基金、乙基金",
        "Questions of scale remain.",
    ],
)
def test_what_only_looks_like_a_question_opens_none(text: str):
    assert question_starts(sentences(["上文。"], [text], ["下文。"])) == []


def test_a_question_without_a_label_is_told_by_the_answer_and_begins_its_paragraph():
    given = sentences(
        ["公司介绍。"],
        ["1、产能利用率回升。", "如何看明年？"],
        ["答：平稳。"],
        ["2、价格呢？"],
        ["答：平。"],
    )
    assert question_starts(given) == [1, 4]


def test_questions_and_answers_of_one_paragraph_are_told_apart():
    given = sentences(["需求如何？", "答：回暖。", "产能如何？", "答：满产。"])
    assert question_starts(given) == [0, 2]


def test_an_answer_without_a_question_opens_none():
    assert question_starts(sentences(["上文。"], ["答：回暖。"], ["补充回答：平稳。"])) == []


def test_a_question_is_a_section_of_its_own_with_all_its_answers():
    sections = read_sections(
        [
            region(0, "交流纪要", "heading"),
            region(1, "公司先作介绍。"),
            region(2, "问：收入与成本如何？请展开"),
            region(3, "答：收入增长。成本下降。"),
            region(4, "另有补充。"),
            region(5, "问：产能？答：满产。"),
        ]
    )
    assert [section.path for section in sections] == [
        ("交流纪要",),
        ("交流纪要", "收入与成本如何？"),
        ("交流纪要", "产能？"),
    ]
    assert [section.heading_count for section in sections] == [1, 2, 1]
    assert [s.text for s in sections[1].sentences] == [
        "问：收入与成本如何？",
        "请展开",
        "答：收入增长。",
        "成本下降。",
        "另有补充。",
    ]
    assert all(s.section == sections[2].path for s in sections[2].sentences)


def test_a_heading_ends_an_answer():
    sections = read_sections(
        [
            region(0, "问：产能？"),
            region(1, "答：满产。"),
            region(2, "风险提示", "heading"),
            region(3, "原料涨价。"),
        ]
    )
    assert [[s.text for s in section.sentences] for section in sections] == [
        ["问：产能？", "答：满产。"],
        ["风险提示", "原料涨价。"],
    ]


def test_a_long_question_is_shortened_in_the_path():
    title = question_title("问：" + "需求" * 40 + "如何？")
    assert len(title) == TITLE_CHARACTERS and title.endswith("…")


def test_an_answer_without_a_label_begins_behind_the_question_mark():
    assert answer_start(sentences(["Q: Demand is up.", "Will it last?"], ["We think so."])) == 2
    assert answer_start(sentences(["问：请介绍需求。"], ["需求回暖。"])) == 1
