"""Questions that analysts marked as answered well or badly: typed functions over `feedback.sql`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Json = Mapping[str, Any]
Verdict = Literal["good", "bad"]
Q = load_queries("evaluation/feedback")


@dataclass(frozen=True, slots=True)
class Mark:
    """What an analyst said of a question, and what was found when it was said.

    Attributes:
        expected_pages: where the answer stands: file names and pages from 1, page null for
            anywhere in the file.
        status: of the answer; ``error`` where it raised one.
        found: results best first: rank, kind, id, source, pages, whether the answer cited them.
        id: None until it is stored, like `marked_at`.
    """

    question: str
    verdict: Verdict
    comment: str = ""
    as_of: date | None = None
    expected_pages: Sequence[Json] = ()
    status: str = ""
    route: Json = field(default_factory=dict[str, Any])
    found: Sequence[Json] = ()
    release: str = ""
    id: int | None = None
    marked_at: datetime | None = None


def add(connection: Connection[Row], app_id: str, mark: Mark) -> int:
    """Store a mark; its id."""
    row = connection.execute(
        Q.add,
        {
            "app_id": app_id,
            "question": mark.question,
            "verdict": mark.verdict,
            "comment": mark.comment,
            "as_of": mark.as_of,
            "expected_pages": Jsonb(list(mark.expected_pages)),
            "status": mark.status,
            "route": Jsonb(mark.route),
            "found": Jsonb(list(mark.found)),
            "release": mark.release,
        },
    ).fetchone()
    assert row is not None  # an insert returns its row
    return row["feedback_id"]


def marked(connection: Connection[Row], app_id: str, verdict: Verdict | None = None) -> list[Mark]:
    """Marks of an app, the newest first, of one verdict or of both."""
    rows = connection.execute(Q.marked, {"app_id": app_id, "verdict": verdict})
    return [Mark(id=row.pop("feedback_id"), **row) for row in rows]
