"""The writer of what covers say: ratings, prices, authors and days, by house, the newest first.

A house, a company, a time that is asked for is enforced: what is not held is said to be missing.
"""

from __future__ import annotations

import re
from typing import Any

from finrag_pipeline.query.answers.records.asked import (
    RecordQuestion,
    named_houses,
    read_records,
)
from finrag_pipeline.query.answers.records.composing import RecordAnswer
from finrag_pipeline.query.answers.records.unknown import not_held
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.numbers.prices import is_price
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.terms import names as names_in
from finrag_pipeline.query.question.titles import speaks_of_document, titled_like
from finrag_pipeline.query.question.unknown_names import names_in as absent_names
from finrag_pipeline.query.views.reading import read_views
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import covers

Json = dict[str, Any]


#: What covers say, and who says it.
ANY = frozenset(
    ("rating", "target_price", "analysts", "houses", "coverage", "day", "title", "revision")
)
#: What houses alone say: without a report of theirs there is no answer.
OPINIONS = frozenset(("rating", "target_price", "coverage"))
#: What lists of companies or houses are told by: what else they do stands in no cover.
RATED = frozenset(("rating", "target_price", "analysts", "coverage"))


#: Of whom an opinion is asked for: 给康方生物定的目标价.
_PRICED = re.compile(
    r"[给对](?P<name>[\u3400-\u9fff]{2,8}?)(?:定|给|开|出|设)?[出了]?的?(?:目标价|评级)"
)
#: A price that a house names for a case, beside its target.
_SCENARIO = re.compile(
    r"(?:悲观|乐观|极端|压力)(?:的?情[景形况]|假设|预期)|"
    r"\b(?:bear|bull|downside|upside|worst|best)[- ]case\b",
    re.IGNORECASE,
)


class RecordsWriter:
    """Writes what covers say.

    Args:
        reader: of an open store.
        only: what a question must ask for, any of it, by the names of `wording.csv`.
    """

    def __init__(self, reader: Reader, only: frozenset[str] = ANY) -> None:
        self._reader = reader
        self._only = only

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where covers are not asked for, or no report is meant."""
        question = read_records(asked)
        if not question.asks & self._only:
            return None
        if not question.fields and _asks_figure(asked):
            return None  # whose forecast of profits is highest, no cover says
        if _asks_of_another(asked):
            return None  # a note on one company rates others in a table
        if _SCENARIO.search(asked.question):
            return None  # a cover gives the one price that its house stands by
        documents = self._documents(asked, question)
        if not documents:
            return self._unknown(asked, question)
        catalogue = asked.scope.catalogue
        names = {each.company: catalogue.name_of(each.company) for each in documents}
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            views = read_views(connection, documents, names)
            for chosen in (covers.titled, covers.signed_by):
                named = set(chosen(connection, asked.where.app_id, asked.question))
                views = [each for each in views if each.cover.document_id in named] or views
        opinions = [each for each in views if each.house or each.says("analysts")]
        if not opinions and question.asks & OPINIONS:
            return self._unknown(asked, question)
        views = opinions or (views if question.asks & {"day", "title"} else [])
        return RecordAnswer(asked, question, views).draft() if views else None

    def _unknown(self, asked: Asked, question: RecordQuestion) -> Draft | None:
        """A refusal where an opinion is asked for of somebody whom no research is on."""
        whose = self._only is ANY or "houses" in question.asks  # lists of companies name none
        return not_held(asked) if whose and question.asks & OPINIONS else None

    def _documents(self, asked: Asked, question: RecordQuestion) -> list[DocumentFacts]:
        """The documents that are meant: of companies, else by title, author or house, else all."""
        scope = asked.scope
        if scope.reading.companies:
            return scope.about()
        if asked.where.document_ids is not None or asked.where.company:
            return scope.every()
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            named = set(covers.titled(connection, asked.where.app_id, asked.question))
            named |= set(covers.signed_by(connection, asked.where.app_id, asked.question))
        every = scope.every()
        places = [(each.start, each.end) for each in scope.reading.publishers]
        places += named_houses(asked).values()
        if not named and (speaks_of_document(asked.question) or not question.asks & OPINIONS):
            named = set(titled_like(asked.question, every, places))
        if named:
            return [each for each in every if each.document_id in named]
        if "this_report" in question.asks:
            return every
        if _names_somebody(asked, question):
            return []  # somebody of whom there is no document
        return [each for each in every if each.company or question.houses]


def _asks_of_another(asked: Asked) -> bool:
    """Whether the last company that a question names is one that no document is about."""
    reading = asked.scope.reading
    known = max((each.end for each in reading.companies), default=0)
    if not known:
        return False
    if any(each.start >= known for each in reading.strangers):
        return True
    priced = _PRICED.search(asked.question)
    called = (*reading.companies, *reading.publishers, *reading.strangers)
    return bool(priced) and not any(
        each.start < priced.end("name") and priced.start("name") < each.end for each in called
    )


def _asks_figure(asked: Asked) -> bool:
    """Whether a figure is asked for that is no price."""
    read = read_numbers(asked.question, asked.scope.catalogue, asked.where.as_of)
    return read is not None and not all(map(is_price, read.measures))


def _names_somebody(asked: Asked, question: RecordQuestion) -> bool:
    """Whether a question names anything beside houses, as far as its words tell."""
    bare = asked.question
    places = [(each.start, each.end) for each in asked.scope.reading.publishers]
    for start, end in [*places, *named_houses(asked).values()]:
        bare = f"{bare[:start]}{' ' * (end - start)}{bare[end:]}"
    if question.houses:  # of their own words few are names
        return any(name for name, _ in absent_names(bare, asked.scope.catalogue))
    return bool(names_in(bare))
