"""The writer of what came in some days, and the note of a day for whoever else wants it."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.days import days_in
from finrag_pipeline.query.answers.digest.collecting import came
from finrag_pipeline.query.answers.digest.composing import Digest, compose, say
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import Catalogues
from finrag_pipeline.settings import today
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import covers
from finrag_pipeline.words import is_chinese

_PATH = Path(__file__).with_name("days.csv")
_WAY = "documents that came in some days, against those before"
#: Lines of a section of an answer.
_MOST_LINES = 10


def note_of(reader: Reader, app_id: str, day: date) -> Digest:
    """The morning note on a day, in the language of most of its documents; what came later is not
    known to it, but for the day's own arrivals."""
    with reader.reading(app_id) as connection:
        catalogue = Catalogues().of(connection, app_id)
        found = came(connection, app_id, catalogue, day, day)
    chinese = sum(is_chinese(each.title) or not each.title for each in found.views)
    return compose(found, 2 * chinese >= len(found.views))


class DigestWriter:
    """Writes what came.

    Args:
        reader: of an open store.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where a company is named: what came of it is told by other writers."""
        if asked.scope.reading.companies:
            return None
        chinese = is_chinese(asked.question)
        first, last = days_asked(asked.question, asked.where.as_of or today())
        note = self._note(asked, asked.scope.catalogue, first, last, chinese)
        lines: list[str] = []
        if not note.citations and (day := self._last_day(asked, last)):
            note = self._note(asked, asked.scope.catalogue, day, day, chinese)
            lines.append(say("instead", chinese))
        if not note.citations:
            return Draft(say("nothing_answered", chinese), status="insufficient_evidence", way=_WAY)
        for section in note.sections:
            lines += [f"{section.title}{'：' if chinese else ':'}", *section.lines]
        return Draft("\n".join(lines), note.citations, note.sources, way=_WAY, kind="text")

    def _note(
        self, asked: Asked, catalogue: Catalogue, first: date, last: date, chinese: bool
    ) -> Digest:
        where = asked.where
        with self._reader.reading(where.app_id, where.as_of) as connection:
            found = came(connection, where.app_id, catalogue, first, last)
        return compose(found, chinese, _MOST_LINES)

    def _last_day(self, asked: Asked, by: date) -> date | None:
        where = asked.where
        with self._reader.reading(where.app_id, where.as_of) as connection:
            return covers.last_day(connection, where.app_id, by)


def days_asked(question: str, day: date) -> tuple[date, date]:
    """The days that a question means, as seen from one; the day and the one before unless it says.

    >>> [str(each) for each in days_asked("昨天有什么新报告？", date(2025, 5, 12))]
    ['2025-05-11', '2025-05-11']
    >>> [str(each) for each in days_asked("2025年5月9日出了哪些报告？", date(2025, 5, 12))]
    ['2025-05-09', '2025-05-09']
    """
    for named, _, _ in days_in(question):
        return named, named
    for pattern, first, last in _days():
        if pattern.search(question):
            return day + timedelta(first), day + timedelta(last)
    return day - timedelta(1), day


@cache
def _days() -> tuple[tuple[re.Pattern[str], int, int], ...]:
    return tuple(
        (re.compile(row["pattern"], re.IGNORECASE), int(row["first"]), int(row["last"]))
        for row in data_rows(_PATH, ("days", "language", "pattern", "first", "last"))
    )
