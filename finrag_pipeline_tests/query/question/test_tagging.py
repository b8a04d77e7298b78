"""Questions cut by the tagger of names: which terms are kept, which are names."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.question.tagging import may_name, whole_words
from finrag_pipeline.query.question.terms import called_in, names, terms


@pytest.mark.parametrize(
    ("question", "kept", "left"),
    [
        # a word of one character beside a name, which no text has with it
        ("头豹按什么口径统计？", "头豹", "豹按"),
        ("主推的新平台叫什么", "平台", "台叫"),
        ("合同一百零一个亿，怎么只有八十四亿", "合同", "百零"),
        ("这两块产品各贡献几成收入", "产品", "这两块"),
        ("利润到底降了多少", "利润", "到底"),
        # and with a thing of one character, which texts have
        ("手上还有多少只实验猴", "实验", "上还"),
    ],
)
def test_what_only_stands_side_by_side_is_no_term(question: str, kept: str, left: str) -> None:
    found = terms(question)
    assert kept in found and left not in found


@pytest.mark.parametrize("name", ["昆药", "中芯", "凯莱英", "远岫能源"])
def test_short_names_are_kept_whatever_stands_behind_them(name: str) -> None:
    for behind in ("按什么口径统计", "把预测调到多少", "为什么下调", "跟同行比强在哪"):
        assert {name[at : at + 2] for at in range(len(name) - 1)} & set(terms(name + behind))


def test_what_the_tagger_cuts_apart_is_joined_where_both_are_of_one_kind() -> None:
    words = [word for word, _ in whole_words("三九买昆药那28%股份，朝聚25H1收入")]
    assert "昆药" in words or "昆" not in words
    assert "药那" not in words and "买昆" not in words


def test_whose_something_is_differs_from_what_it_is() -> None:
    question = "头豹的自动化药房白皮书"
    assert called_in(question) == {"头豹"} and "白皮书" in names(question)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("毕得医药", True),
        ("Northwind", True),
        ("品牌", False),
        ("代表任何人士", False),
        ("", False),
    ],
)
def test_what_may_be_somebodys_name(text: str, name: bool) -> None:
    assert may_name(text) is name
