"""The writer of sections: all of one where that is asked for, else what of it likely answers."""

from __future__ import annotations

from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.likeliest.sentences import judged, likely_sentences
from finrag_pipeline.query.answers.likeliest.writer import SURE
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

#: Headings of lists that nothing numbers, by section.
_LISTS = {"risks": "风险提示"}
_WHOLE = "the points of the section that is asked for"
_WAY = "the sentence that most likely answers of the section that is asked for"


class SectionWriter:
    """Writes what a section says.

    Args:
        tools: whose store has the sections.
    """

    def __init__(self, tools: Tools) -> None:
        self._reader = tools.reader

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
            draft = _whole(asked, parts, section) if whole else _within(asked, parts)
            if draft:
                return draft
        return None


def _whole(asked: Asked, parts: list[Part], section: Section) -> Draft | None:
    """The points of a section, a line each."""
    told = points(parts, _LISTS.get(section.name, ""))
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


def _within(asked: Asked, parts: list[Part]) -> Draft | None:
    """The sentence of a section that answers, with what stands around it."""
    results = [Result(n, 0.0, {}, part.item) for n, part in enumerate(parts, 1)]
    if not results:
        return None
    reading = Reading(asked, results)
    reaches = {part.item.key: (part.begin, part.end) for part in parts}
    likely = [
        (sure, each)
        for sure, each in judged(likely_sentences(reading))
        if reaches[each.line.item.key][0] <= each.line.said.start < reaches[each.line.item.key][1]
    ]
    if not likely or likely[0][0] < SURE:
        return None
    return tell(reading, [likely[0][1].excerpt], way=_WAY)
