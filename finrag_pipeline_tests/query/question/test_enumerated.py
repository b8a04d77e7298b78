"""Questions for several figures under one head, each made a question of its own."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.enumerated import figures_enumerated
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.store.documents.catalogue import Catalogued

ROW = Catalogued("d1", "星河新材", None, [], "长风证券", "company", date(2026, 3, 1), True)
CATALOGUE = Catalogue({"d1": DocumentFacts(ROW, "星河新材", "星河新材", frozenset())})
FIGURES = ["出货量", "月产能", "平均售价", "资本开支", "门店数"]


@given(
    items=st.lists(st.sampled_from(FIGURES), min_size=2, max_size=5, unique=True),
    parting=st.sampled_from(["、", "，", "和", "以及", "与"]),
    each=st.sampled_from(["分别是多少", "各多少", "分别为多少", "各自多少"]),
    when=st.sampled_from(["", "25Q1", "2025年前三季度"]),
)
def test_every_figure_is_asked_with_whom_and_when(
    items: list[str], parting: str, each: str, when: str
) -> None:
    question = f"星河新材{when}{parting.join(items)}{each}？"
    said = read_question(question, CATALOGUE)
    asked = [each.text for each in figures_enumerated(question, said)]
    assert len(asked) == len(items)
    for one, item in zip(asked, items, strict=True):
        assert one.startswith(f"星河新材{when}") and item in one and one.endswith("多少")
        assert not any(other in one for other in items if other != item)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "甲、乙方、丙方这三家现在各有多少网点",
            ("乙方有多少网点", "丙方有多少网点"),
        ),
        (
            "星河新材2024年自选产品和定制类各卖了多少、增速多少，自选产品毛利率又是多少",
            (
                "星河新材2024年自选产品卖了多少",
                "星河新材2024年定制类卖了多少",
                "星河新材2024年自选产品毛利率又是多少",
            ),
        ),
        ("星河新材2024年毛利率是多少", ()),
        ("星河新材和澄光储能的毛利率多少", ()),
        ("星河新材毛利率分别是多少", ()),
        # of several times; which is ahead; something else before
        ("星河新材25Q3单季扣非、前三季度扣非、前三季度现金流分别多少", ()),
        ("星河新材储能和钠电两块业务哪块毛利率更高，各是多少", ()),
        ("目录一共多少项？生活照料和医疗护理各几项", ()),
    ],
)
def test_what_is_enumerated(question: str, asked: tuple[str, ...]) -> None:
    found = figures_enumerated(question, read_question(question, CATALOGUE))
    assert tuple(each.text for each in found) == asked
