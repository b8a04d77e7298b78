"""The writer of sections: all of one where that is asked for, else what of it likely answers."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.likeliest.sentences import judged, likely_sentences
from finrag_pipeline.query.answers.likeliest.telling import surest
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.profile.sentences import Found, quoted
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.answers.sections.asking import (
    Section,
    asks_all,
    documents_meant,
    sections_asked,
)
from finrag_pipeline.query.answers.sections.points import points
from finrag_pipeline.query.answers.sections.reading import Part, read_section
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import is_chinese

#: How surely a sentence of a section has to answer: its heading speaks for it, too.
_SURE = 0.25
#: What no search ranked is judged as what mostly answers: scores of the median of that.
_SCORE, _RERANK = 0.16, 17.0
#: Passages beside which a section is judged.
_PASSAGES = 20
_WHOLE = "the points of the section that is asked for"
_WAY = "the sentence that most likely answers of the section that is asked for"


class SectionWriter:
    """Writes what a section says.

    Args:
        tools: whose store has the sections; whose search finds what may answer beside them.
    """

    def __init__(self, tools: Tools) -> None:
        self._reader = tools.reader
        self._search = tools.search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no section is asked for, or it does not answer."""
        del found
        for section, rest in sections_asked(Wanted(asked)):
            documents = documents_meant(asked, section)
            if not documents:
                continue
            with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
                parts = read_section(connection, documents, section)
            whole = asks_all(rest, documents)
            draft = _whole(asked, parts, section) if whole else self._within(asked, parts)
            if draft:
                return draft
        return None

    def _within(self, asked: Asked, parts: list[Part]) -> Draft | None:
        if not parts:
            return None
        try:
            _, found = self._search(asked, asked.question, most=_PASSAGES)
        except FinragError:
            return None  # nothing says that the section answers best
        return _within(asked, parts, found.results)


def _whole(asked: Asked, parts: list[Part], section: Section) -> Draft | None:
    """The points of a section, a line each."""
    told = points(parts, section.listed)
    if not told:
        return None
    tell_it = Telling(is_chinese(asked.question), ItemMarks())
    lines = [f"- {quoted(tell_it, Found(each.item, each.said))}" for each in told]
    names = [each.name for each in told if each.name]
    value = {"names": names} if len(names) == len(told) else None
    marks = tell_it.marks
    return Draft(
        "\n".join(lines),
        tuple(marks.made),
        marks.cited_from,
        way=_WHOLE,
        kind="names" if value else "text",
        value=value,
    )


def _within(asked: Asked, parts: list[Part], found: Sequence[Result]) -> Draft | None:
    """The sentence of a section that answers, with what stands around it; None where it hardly
    does, or another one that a search finds does more surely."""
    reaches = {part.item.key: (part.begin, part.end) for part in parts}
    own = [Result(1, _SCORE, {}, part.item, rerank=_RERANK) for part in parts]
    others = (each for each in found if each.item.key not in reaches)
    reading = Reading(asked, [*own, *others])
    likely = judged(likely_sentences(reading))
    sure, best = surest(reading, likely)
    if best is None or sure < _SURE:
        return None
    line = best.line
    begin, end = reaches.get(line.item.key, (0, 0))
    inside = begin <= line.said.start < end
    return tell(reading, [best.excerpt], way=_WAY) if inside else None
