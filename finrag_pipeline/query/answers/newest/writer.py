"""The writer of the newest views: what houses changed, then what was published, the newest first.

Views of one house are enforced as in `records`; a topic beside the company is left to passages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.gist.points import BULLET, report_points
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.profile.sentences import quoted
from finrag_pipeline.query.answers.records.asked import houses_in, named_houses
from finrag_pipeline.query.answers.records.narrowing import of_times
from finrag_pipeline.query.answers.records.telling import Telling, say
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.views.changes import changes, newest_of
from finrag_pipeline.query.views.reading import View, read_views
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

_PATH = Path(__file__).with_name("words.csv")
_WAY = "views of houses by date, and what they changed"
#: Documents told, changes told, and houses whose forecasts are.
_MOST_LINES, _MOST_CHANGES, _MOST_FORECASTS = 8, 8, 3
_FORECAST = "net_profit_attributable"
_FIELDS = ("rating", "target_price", "title")
#: Reports whose own points are told with their covers, and how many of each.
_FEW, _POINTS = 6, 3
_OPINIONS = re.compile(
    r"看法|观点|评价|态度|意见|[怎如]么?[样何]?(?:看|评)|怎样看|\b(?:views?|think|opinions?|takes?)\b",
    re.I,
)


class NewestWriter:
    """Writes what was said last of a company.

    Args:
        reader: of an open store.
        search: finds what reports say beside their covers.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no company is named, or something of it that covers do not tell."""
        documents = asked.scope.about()
        if not documents or _names_a_topic(asked):
            return None
        catalogue = asked.scope.catalogue
        names = {each.company: catalogue.name_of(each.company) for each in documents}
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            views = read_views(connection, documents, names)
        tell = Telling(is_chinese(asked.question), ItemMarks())
        houses = houses_in(asked)
        kept = [each for each in views if not houses or each.house in houses]
        if not kept:
            whom = tell.listed(list(dict.fromkeys(names.values())))
            text = say("missing_house", tell.chinese, house=tell.listed(houses), company=whom)
            return Draft(text, status="insufficient_evidence", way=_WAY)
        kept = of_times(kept, asked) or kept
        if asks_opinions(asked.question):
            kept = [each for each in kept if each.house] or kept
        return self._told(tell, kept, views, asked)

    def _told(
        self, tell: Telling, views: Sequence[View], every: Sequence[View], asked: Asked
    ) -> Draft | None:
        changed = [
            change
            for view in newest_of(views)
            for change in changes(every, view)
            if change.fiscal_year is None or (change.direction and change.field == _FORECAST)
        ]
        lines = [tell.change(each) for each in changed[:_MOST_CHANGES]]
        few = len(views) <= _FEW and asks_opinions(asked.question)
        for view in views[:_MOST_LINES]:
            lines.append(tell.line(view, _FIELDS))
            if few:
                points = report_points(self._search, asked, view, tell, _POINTS)
                lines += [f"- {quoted(tell, each, BULLET)}" for each in points]
        expecting = [each for each in newest_of(views) if each.forecasts][:_MOST_FORECASTS]
        lines += [tell.forecasts(each) for each in expecting]
        if len(views) > _MOST_LINES:
            lines.append(say("more", tell.chinese, count=len(views) - _MOST_LINES))
        if not tell.marks.made:
            return None
        text = "\n".join(filter(None, lines))
        return Draft(text, tuple(tell.marks.made), tell.marks.cited_from, way=_WAY)


def asks_opinions(question: str) -> bool:
    """Whether a question asks what houses think, and not only what is new.

    >>> asks_opinions("各家怎么看中芯国际"), asks_opinions("中芯国际最近有什么变化")
    (True, False)
    """
    return bool(_OPINIONS.search(question))


def _names_a_topic(asked: Asked) -> bool:
    """Whether a question says more than whom, when and that the newest is asked for."""
    left = asked.question
    reading = asked.scope.reading
    said = [each.text for each in (*reading.companies, *reading.publishers)]
    said += [asked.question[start:end] for start, end in named_houses(asked).values()]
    said += [each.text for each in reading.periods if each.text]
    for text in sorted(said, key=len, reverse=True):
        left = left.replace(text, " ")
    left = re.sub(r"[（(]?\b\d{4,6}(?:\.[A-Za-z]{2})?\b[)）]?", " ", left)
    left = _words().sub(" ", left)
    return bool(re.search(r"[\u3400-\u9fff]{2}|[A-Za-z]{3}", left))


@cache
def _words() -> re.Pattern[str]:
    patterns = [row["pattern"] for row in data_rows(_PATH, ("language", "pattern"))]
    return re.compile("|".join(patterns), re.IGNORECASE)
