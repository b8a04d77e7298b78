"""Question files: our form, the two public ones, and lines that are none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.retrieval.questions import GoldPage, GoldQuestion, read_questions
from finrag_pipeline_tests.evaluation.retrieval.conftest import WriteQuestions
from finrag_pipeline_tests.paths import CORPUS, SAMPLES


def test_every_form_is_read(write: WriteQuestions) -> None:
    path = write(
        {"id": 7, "question": "own?", "pages": [{"source": "a.pdf", "page": 3}] * 2},
        {"question": "which document?", "documents": ["a.pdf", "b.pdf"]},
        {
            "financebench_id": "f1",
            "question": "from zero?",
            "doc_name": "ACME_2022_10K",
            "evidence": [{"page_index": 0, "text": ""}, {"page_index": 58, "text": ""}],
        },
        {
            "id": "s1",
            "question": "with a table?",
            "evidence": [{"source": "b.pdf", "page": 9, "table_id": "p9_t1"}],
        },
    )
    assert read_questions(path) == [
        GoldQuestion("7", "own?", (GoldPage("a.pdf", 3),)),
        GoldQuestion("2", "which document?", (GoldPage("a.pdf"), GoldPage("b.pdf"))),
        GoldQuestion(
            "f1", "from zero?", (GoldPage("ACME_2022_10K", 1), GoldPage("ACME_2022_10K", 59))
        ),
        GoldQuestion("s1", "with a table?", (GoldPage("b.pdf", 9),)),
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"id": 1, "question": "q"}, "'evidence'"),
        ({"id": 1, "question": "q", "pages": [{"source": "a", "page": 0}]}, "pages count from 1"),
        ({"id": 1, "question": " ", "documents": ["a"]}, "the question is empty"),
        ({"id": 1, "documents": ["a"]}, "'question'"),
        ({"id": 1, "question": "q", "doc_name": "a", "evidence": []}, "no page and no document"),
        (["q"], "line 2"),
    ],
)
def test_a_line_that_is_no_question_is_named(
    write: WriteQuestions, row: dict[str, object], why: str
) -> None:
    good = {"id": 0, "question": "q", "documents": ["a"]}
    with pytest.raises(ConfigurationError, match="line 2 .*" + why.removeprefix("line 2")):
        read_questions(write(good, row))


def test_a_file_without_questions_and_one_with_an_id_twice(
    write: WriteQuestions, tmp_path: Path
) -> None:
    row = {"id": 1, "question": "q", "documents": ["a"]}
    with pytest.raises(ConfigurationError, match="id '1' is there twice"):
        read_questions(write(row, row))
    with pytest.raises(ConfigurationError, match="holds no question"):
        read_questions(write())
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_questions(tmp_path)


def test_the_samples_and_the_public_files_are_read_as_they_are() -> None:
    assert len(read_questions(SAMPLES / "questions.jsonl")) == 13
    if not CORPUS.is_dir():
        pytest.skip("shared/corpus is not beside this checkout")
    filings = read_questions(CORPUS / "en_filings" / "questions_gold.jsonl")
    reports = read_questions(CORPUS / "zh_annual_qa" / "questions_gold.jsonl")
    assert (len(filings), len(reports)) == (20, 274)
    assert all(page.page for each in (*filings, *reports) for page in each.gold)
