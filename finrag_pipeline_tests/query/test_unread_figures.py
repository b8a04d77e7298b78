"""What is said where a figure is not held since its document was never read for figures."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import document_revisions
from finrag_pipeline_tests.store.facts.rows import add_facts

ASKED = "星河新材2024年的营业收入是多少？"


@pytest.mark.parametrize(
    ("stage", "warned"), [("html_tables", True), ("financial_facts v1", False)]
)
def test_a_refusal_says_that_documents_are_to_be_read_again(
    database: Database, engine: QueryEngine, stage: str, warned: bool
) -> None:
    with database.transaction() as connection:
        read = add_facts(connection, "d1", (), company="星河新材", code="300999.SZ")
        document_revisions.finish_stage(connection, read, stage, row_count=0, seconds=0.1)
    answer = engine.ask(ASKED)
    assert answer.status == "insufficient_evidence"
    assert [each for each in answer.warnings if "never read for figures" in each] == (
        [
            "documents on whom is asked that were never read for figures, as an earlier release "
            "indexed them: 1; ingest them once more, or backfill their days"
        ]
        if warned
        else []
    )
    # of documents of later days nothing is told
    assert not engine.ask(ASKED, Options(as_of=date(2000, 1, 1))).warnings
