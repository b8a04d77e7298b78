"""What a revision keeps of the day on which its document was published."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import Document, Metadata
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import document_revisions
from finrag_pipeline_tests.documents import add_document

ARRIVAL = date(2025, 11, 20)


@pytest.mark.parametrize(
    ("read", "kept", "basis", "printed"),
    [
        (Metadata(published_on=date(2025, 11, 18)), date(2025, 11, 18), "day", True),
        (
            Metadata(published_on=date(2025, 10, 31), published_basis="month"),
            date(2025, 10, 31),
            "month",
            True,
        ),
        # the month is not over, but the document is there
        (
            Metadata(published_on=date(2025, 11, 30), published_basis="month"),
            ARRIVAL,
            "month",
            True,
        ),
        (
            Metadata(published_on=date(2026, 4, 30), published_basis="deadline"),
            ARRIVAL,
            "deadline",
            False,
        ),
        (Metadata(), ARRIVAL, "arrival", False),
    ],
)
def test_a_bound_is_never_after_the_arrival(
    database: Database, read: Metadata, kept: date, basis: str, printed: bool
) -> None:
    document = Document("d1", "default", "sha", 1, ARRIVAL, "a.pdf", ("/in/a.pdf",), "r2")
    with database.transaction() as connection:
        add_document(connection, "d1", ["一段话。"])
        document_revisions.add_revision(connection, document, read, 1)
        found = document_revisions.read_metadata(connection, document)
        row = connection.execute(
            "select published_on_printed from document_revisions where revision = 'r2'"
        ).fetchone()
    assert (found.published_on, found.published_basis) == (kept, basis)
    assert row is not None and row["published_on_printed"] is printed
