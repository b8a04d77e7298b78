"""Documents that questions mean by words of their titles, and words that mean none."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.titles import titled_like
from finrag_pipeline.store.documents.catalogue import Catalogued

TITLES = {
    "a": ("量价齐升", "光伏逆变器专题：量价齐升.pdf"),
    "b": ("2025年中国智慧物流行业洞察", "b.pdf"),
    "c": ("中国物流行业发展报告", "c.pdf"),
    "d": ("Smart Grid Outlook: storage takes the lead", "d.pdf"),
}


@pytest.fixture(scope="module")
def documents() -> list[DocumentFacts]:
    day = date(2026, 1, 1)
    rows = [
        Catalogued(key, None, None, [], "长风证券", "industry", day, True, source=name, title=title)
        for key, (title, name) in TITLES.items()
    ]
    return [DocumentFacts(row, None, "", frozenset()) for row in rows]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("光伏逆变器专题那份报告谁写的？", "a"),  # the name of its file tells it
        ("智慧物流洞察是哪家机构出的，什么时候发布的", "b"),
        ("那份智慧物流白皮书的作者", "b"),
        ("Who wrote the smart grid storage outlook?", "d"),
        # nothing of a title, a common word of many, another matter
        ("哪些券商给了买入评级？", ""),
        ("行业报告是谁写的", ""),
        ("新能源汽车报告是谁写的", ""),
    ],
)
def test_titles_are_known_by_their_own_words(
    documents: list[DocumentFacts], question: str, meant: str
) -> None:
    assert titled_like(question, documents) == tuple(meant)


def test_words_of_whom_and_when_are_none_of_titles(documents: list[DocumentFacts]) -> None:
    question = "智慧物流那份报告谁写的"
    assert titled_like(question, documents, [(0, 4)]) == ()
