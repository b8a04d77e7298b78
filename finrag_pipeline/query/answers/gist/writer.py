"""The writer of one report as a whole: its house, day, rating and title, then its points or risks.

Which report is meant is told by its company with its house, its month or that it is the newest, or
by words of its title; where that leaves several, other writers go on.
"""

from __future__ import annotations

from finrag_pipeline.query.answers.gist.points import BULLET, passages_of, report_points, says
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.profile.sentences import quoted, risks
from finrag_pipeline.query.answers.records.asked import named_houses, read_records
from finrag_pipeline.query.answers.records.narrowing import of_kind, of_times, published_as_asked
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.titles import titled_like
from finrag_pipeline.query.views.reading import View, read_views
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

_WAY = "one report as a whole: what its cover says, and its own points"
#: Sentences that are told.
_MOST = 10
#: Forms of filings.
_FILED = frozenset(("annual", "half", "quarter"))


class GistWriter:
    """Writes what one report says as a whole.

    Args:
        reader: of an open store.
        search: finds the passages of the report.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no one report is meant, or none of its passages is found."""
        view = self._meant(asked)
        if view is None:
            return None
        tell = Telling(is_chinese(asked.question), ItemMarks())
        of_risks = says("risks", asked.question)
        if of_risks:
            found_risks = passages_of(self._search, asked, view, "ask_risks", tell)
            told = risks(found_risks, _MOST)
        else:
            told = report_points(self._search, asked, view, tell, _MOST)
        if not told:
            return None
        lines = [tell.line(view, ("rating", "target_price", "title"))]
        lines += [quoted(tell, each, BULLET) for each in told]
        cited = tuple(tell.marks.made)
        text = "\n".join(filter(None, lines))
        return Draft(text, cited, tell.marks.cited_from, way=_WAY, kind="text")

    def _meant(self, asked: Asked) -> View | None:
        """The one report that is meant; None where none or several are."""
        scope = asked.scope
        if _FILED & set(scope.reading.forms) and not scope.reading.publishers:
            return None  # a filing is meant
        documents = [each for each in named_documents(asked) if each.row.kind != "filing"]
        if not documents:
            return None
        names = {each.company: scope.catalogue.name_of(each.company) for each in documents}
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            views = read_views(connection, documents, names)
        question = read_records(asked)
        houses = question.houses
        views = [each for each in views if each.house and (not houses or each.house in houses)]
        views = published_as_asked(views, question, asked)
        views = of_kind(of_times(views, asked) or views, asked.question)
        if len(views) > 1 and not (houses or question.published or says("newest", asked.question)):
            return None
        return max(views, key=lambda each: each.day, default=None)


def named_documents(asked: Asked) -> list[DocumentFacts]:
    """Documents about the company asked for, else those whose titles the question says, else the
    one that the house asked for has written."""
    scope = asked.scope
    if scope.reading.companies:
        return scope.about()
    if asked.where.document_ids is not None:
        return scope.every()
    places = [(each.start, each.end) for each in scope.reading.publishers]
    places += named_houses(asked).values()
    every = scope.every()
    meant = set(titled_like(asked.question, every, places))
    if titled := [each for each in every if each.document_id in meant]:
        return titled
    # the only one of its house needs no title
    houses = {key for named in scope.reading.publishers for key in named.keys}
    own = [each for each in every if each.row.broker in houses]
    return own if len(own) == 1 else []
