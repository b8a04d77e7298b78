"""The writer of one filing as a whole: the figures of its period, then what it says of them.

Which filing is meant is told by its company with its form and its period.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.gist.points import discussed, says
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.numbers.wording import metric_told, period_told
from finrag_pipeline.query.answers.phrasing import Phrasebook
from finrag_pipeline.query.answers.profile.sentences import quoted
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.answers.several import direct, figures_of
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.numbers.records import AskedPeriod
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.timing import period_agreement
from finrag_pipeline.words import is_chinese

_WAY = "one filing as a whole: its figures of the period, and what its discussion says of them"
#: Passages of the filing that are looked through, and sentences that are told.
_PASSAGES, _MOST = 60, 6
_say = Phrasebook(Path(__file__).with_name("phrases.csv"))
#: Figures of the period, in the order in which they are told.
_METRICS = ("revenue", "net_profit_attributable", "adjusted_net_profit", "operating_cash_flow")
#: What is published of an annual report beside it.
_ABSTRACT = "摘要"
#: Month by which a first quarter has ended; what else reports on a quarter tells of nine months.
_FIRST_QUARTER_ENDS = 5


class FilingGist:
    """Writes what one filing says as a whole.

    Args:
        numbers: of its figures.
        search: finds them, and the passages of the filing.
    """

    def __init__(self, numbers: Writer, search: Search) -> None:
        self._numbers = numbers
        self._search = search

    def __call__(self, asked: Asked, found: object) -> Draft | None:
        """A draft; None where no one filing is meant, or nothing of it is held."""
        filing = _meant(asked)
        if filing is None:
            return None
        chinese = is_chinese(asked.question)
        name = asked.scope.catalogue.name_of(filing.company)
        when = _period(filing, chinese)
        questions = [
            _say("figure", chinese, company=name, period=when, metric=metric_told(each, chinese))
            for each in _METRICS
        ]
        read = (figures_of(asked, each, self._numbers, self._search) for each in questions)
        figures = [direct(each) for each in read if each is not None and not each.status]
        marks = Telling(chinese, ItemMarks())
        told = discussed(self._passages(asked, filing, _say("discusses", chinese)), _MOST)
        lines = [quoted(marks, each) for each in told]
        said = Draft("\n".join(lines), tuple(marks.marks.made), marks.marks.cited_from, way=_WAY)
        if not figures and not lines:
            return None
        # the figures of each are said by its marks; none of them is the value of the answer
        first, *rest = [*figures, said] if lines else figures
        return merged(Draft(first.text, first.citations, first.sources, way=_WAY), rest)

    def _passages(self, asked: Asked, filing: DocumentFacts, question: str) -> Sequence[ChunkItem]:
        ids = (filing.document_id,)
        try:
            _, found = self._search(asked, question, most=_PASSAGES, document_ids=ids)
        except FinragError:
            return ()  # its figures stand without them
        return [each.item for each in found.results if isinstance(each.item, ChunkItem)]


def _meant(asked: Asked) -> DocumentFacts | None:
    """The filing of the form and the time asked for, whole before its abstract; None where no
    company is named, or no such filing is held."""
    scope = asked.scope
    reading = scope.reading
    if not reading.forms or reading.publishers or says("research", asked.question):
        return None  # a house's report on it
    held = [each for each in scope.about() if each.row.kind == "filing"]
    held = [each for each in held if each.form in reading.forms]
    if not held or len({each.keys for each in reading.companies}) != 1:
        return None

    def order(each: DocumentFacts) -> tuple[float, int, str]:
        agrees = 1.0
        if reading.periods:
            agrees = period_agreement(reading.periods, each, scope.year_end(each.company))
        whole = (_ABSTRACT in (each.row.source or "")) == (_ABSTRACT in asked.question)
        return agrees, whole, each.spoken_on.isoformat()

    best = max(held, key=order)
    return best if order(best)[0] >= 1.0 and best.row.fiscal_year else None


def _period(filing: DocumentFacts, chinese: bool) -> str:
    """The period of a filing as a question writes it."""
    last = filing.row.period_last_on
    part = {"annual": "FY", "half": "H1"}.get(filing.form, "")
    if not part and last:
        part = "Q1" if last.month <= _FIRST_QUARTER_ENDS else "9M"
    period = AskedPeriod(filing.row.fiscal_year or 0, part or "FY")  # pyright: ignore[reportArgumentType]
    return period_told(period, False, chinese)
