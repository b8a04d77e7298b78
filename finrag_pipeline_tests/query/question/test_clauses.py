"""Clauses of questions that ask for figures beside something else, made whole."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.clauses import figure_clauses
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.store.documents.catalogue import Catalogued


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        (
            "长风证券对星河新材的评级，预计2026年净利润多少？",
            ["长风证券 星河新材 预计2026年净利润多少"],
        ),
        ("星河新材评级是什么，2024年营收多少", ["星河新材 2024年营收多少"]),
        ("星河新材2024年毛利率多少，为什么下降？", ["星河新材2024年毛利率多少"]),
        (
            "What is the rating of 星河新材, and how much was revenue in 2024?",
            ["星河新材 and how much was revenue in 2024"],
        ),
        # one thing alone, and nothing that is counted
        ("星河新材2024年毛利率为什么下降？", []),
        ("星河新材的评级，分析师是谁？", []),
    ],
)
def test_a_clause_takes_whom_and_whose_from_the_question(question: str, clauses: list[str]) -> None:
    row = Catalogued("d1", "星河新材", None, [], "长风证券", "company", date(2026, 3, 1), True)
    catalogue = Catalogue({"d1": DocumentFacts(row, "星河新材", "星河新材", frozenset())})
    said = read_question(question, catalogue)

    assert [*figure_clauses(question, said, catalogue)] == clauses
