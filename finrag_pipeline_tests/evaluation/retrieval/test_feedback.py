"""Marks of analysts: what is kept, what is wrong today, and the gold that comes of them."""

from __future__ import annotations

import json
from datetime import date
from itertools import product

import pytest

from finrag_pipeline.errors import ConfigurationError, NotFound
from finrag_pipeline.evaluation.retrieval import feedback
from finrag_pipeline.evaluation.retrieval.feedback import look_again, make_mark, page_of
from finrag_pipeline.evaluation.retrieval.questions import GoldPage
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.evaluation.feedback import Mark

APP = Options(app="default")
MARGIN = "薄膜毛利率为什么下降？"


@pytest.mark.usefixtures("documents")
def test_a_mark_keeps_what_was_found_and_what_was_cited(
    engine: QueryEngine, reader: Reader
) -> None:
    mark = make_mark(engine, reader, MARGIN, "good", APP)
    assert (mark.status, mark.verdict) == ("answered", "good")
    first = mark.found[0]
    assert (first["source"], first["pages"], first["cited"]) == ("a.pdf", [1], True)
    assert "lanes" in mark.route
    with pytest.raises(NotFound, match=r"no document is named 'x.pdf'"):
        make_mark(engine, reader, MARGIN, "bad", APP, expected=[GoldPage("x.pdf", 1)])


@pytest.mark.usefixtures("documents")
def test_a_bad_case_is_told_by_what_is_wrong_today(engine: QueryEngine, reader: Reader) -> None:
    def seen(question: str, *pages: str) -> str:
        expected = [page_of(page) for page in pages]
        mark = make_mark(engine, reader, question, "bad", APP, expected=expected)
        return look_again(engine, reader, "default", mark).group

    assert seen(MARGIN, "a.pdf:1") == feedback.CITED
    assert seen(MARGIN, "a.pdf") == feedback.CITED
    assert seen(MARGIN, "b.pdf:1") == feedback.NOT_CITED
    assert seen(MARGIN, "b.pdf:9") == feedback.NOT_FOUND
    assert seen("木星的卫星叫什么？", "c.pdf:1") in (feedback.REFUSED, feedback.NOT_FOUND)
    assert seen(MARGIN) == feedback.UNEXPECTED_ANSWER
    gone = Mark(MARGIN, "bad", expected_pages=[{"source": "gone.pdf", "page": 1}])
    assert look_again(engine, reader, "default", gone).group == feedback.NOT_FOUND
    assert look_again(engine, reader, "default", Mark(" ", "bad")).group == feedback.FAILED


def test_every_case_has_a_group_and_the_report_counts_each_once() -> None:
    cases = list(product((True, False), (0, 3, 30), (True, False), (True, False)))
    groups = [feedback._group(*case) for case in cases]  # pyright: ignore[reportPrivateUsage]
    assert set(groups) == set(feedback.GROUPS) - {feedback.FAILED}
    seen = [feedback.Seen(Mark("q", "bad"), group, 1, "answered", ()) for group in groups]
    table = feedback.report(seen)
    assert sum(int(str(count)) for _, count in table.rows) == len(cases) == len(table.misses)


def test_gold_is_what_was_expected_or_what_a_good_answer_cited() -> None:
    found = [
        {"source": "a.pdf", "pages": [1, 2], "cited": True},
        {"source": "b.pdf", "pages": [5], "cited": False},
    ]
    page, whole = {"source": "c.pdf", "page": 4}, {"source": "c.pdf", "page": None}
    marks = [
        Mark("expected", "bad", expected_pages=[page], found=found, id=6),
        Mark("good", "good", found=found, id=5),
        Mark("somewhere", "bad", expected_pages=[whole, page], id=4),
        Mark("bad, nothing expected", "bad", found=found, id=3),
        Mark("of a day", "good", found=found, as_of=date(2026, 3, 1), id=2),
        # an older mark of the same question
        Mark("expected", "bad", expected_pages=[whole], id=1),
    ]
    lines = [json.loads(line) for line in feedback.exported(marks)]
    assert lines == [
        {"id": "feedback-6", "question": "expected", "pages": [page]},
        {
            "id": "feedback-5",
            "question": "good",
            "pages": [{"source": "a.pdf", "page": 1}, {"source": "a.pdf", "page": 2}],
        },
        {"id": "feedback-4", "question": "somewhere", "documents": ["c.pdf"]},
    ]


def test_pages_of_a_mark_count_from_one() -> None:
    assert page_of("2025年报：全文.pdf:12") == GoldPage("2025年报：全文.pdf", 12)
    with pytest.raises(ConfigurationError, match="pages count from 1"):
        page_of("a.pdf:0")
