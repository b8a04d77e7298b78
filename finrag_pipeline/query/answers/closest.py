"""The figure that is asked for in words that no text has: 退休人员 for 离退休职工, 机组 for 设备.

Where nothing says all of a question, the row or the sentence answers that says most of it, lies
near to it in meaning, and is of whom, when and what is counted; the words that it lacks are told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.apart import asked_spans, is_then, nearest
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.counting import counted_as
from finrag_pipeline.query.answers.passages.figure_asked import asks_one, roles_asked
from finrag_pipeline.query.answers.passages.lacking import lacking
from finrag_pipeline.query.answers.passages.mentions import Mention, is_torn, mentions_in
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.told_value import told_value
from finrag_pipeline.query.answers.passages.unfit import UNTOLD, is_of_another
from finrag_pipeline.query.answers.passages.valued import value_of
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.rows import RowsWriter
from finrag_pipeline.query.answers.writers import Draft, Json, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.tagging import firms_in
from finrag_pipeline.words import fold

#: Share of what is asked that a sentence has to say, how near it has to lie, see
#: `VectorSpace.nearness`, and both together.
_LEAST_SAID, _LEAST_NEAR, _LEAST = 0.4, 0.4, 0.95
#: Up to which result a sentence may state the figure by all that tells figures apart, and by its
#: own clause alone.
_FIRST, _FIRST_ALONE = 2, 1
#: What is asked of several figures together: no single one answers.
_COMBINED = re.compile(
    r"合计|加起来|之和|总和|相加|(?:比|较).{1,20}[多少高低](?:多少|几)|相差|差(?:多少|额|距)|[掉少多涨跌]了几个"
)
#: What is asked of all but some: what states that says so, and no clause alone does.
_EXCEPT = re.compile(r"除了?(?![以外了])|剔除|扣除|不含|不包括|不算")
#: Of a part of what is asked.
_PART = re.compile(r"其中")
#: A number that is no time: a threshold.
_NUMBER = re.compile(r"-?\d+\.\d+")
_WAY = "what says most words of the question and means the same"


class Closest:
    """Answers with the figure that comes closest to what is asked.

    Args:
        tools: whose search finds tables; what the whole store does not know.
    """

    def __init__(self, tools: Tools) -> None:
        self._absent = tools.absent
        self._rows = RowsWriter(tools)

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no single figure is asked for, or none is close enough."""
        reading, states = Reading(asked, found.results), Stated(asked)
        wanted = reading.wanted
        if not asks_one(wanted) or _COMBINED.search(asked.question) or states.exact:
            return None
        if states.alike:
            return None  # 伊利能源 is not 伊利
        if lacking(asked, found, self._absent):
            return None
        draft = self._rows.near(asked, wanted) or _sentence(reading, states)
        if draft is None:
            return None
        text = wanted.text("\n".join(each.quote for each in draft.citations))
        unsaid = "、".join(each for each in wanted.terms if not text.has(each))
        told = f"what is quoted may say it in other words: it lacks {unsaid}"
        return replace(draft, warnings=(told,)) if unsaid else draft


def _sentence(reading: Reading, states: Stated) -> Draft | None:
    """A draft of the sentence that comes closest; None where none is close enough."""
    wanted = reading.wanted
    # 建德厂 is a plant
    firms = [each for each in firms_in(wanted.bare, ()) if not each.endswith("厂")]
    lines = [
        each
        for each in reading.candidates(rows=False)
        if each.result.rank <= _FIRST
        and (each.time >= Time.DOCUMENT or _on_days(wanted, each))
        and each.metric
        and each.own
        and _is_of(reading, states, each)
        and reading.names_numbers(each)
        and _says_rarest(wanted, each)
        and _names_firm(firms, each)
    ]
    valued = [
        (value, each)
        for each in lines
        if each.covered >= _LEAST_SAID
        and (stated := value_of(wanted, [each], []))
        and (value := stated[0])
    ]
    told = _best(reading, valued, [each.said.told for _, each in valued])
    if told is None and not _EXCEPT.search(wanted.question):
        figures = [(one, each) for each in lines for one in _figures(wanted, each)]
        values = [
            (
                told_value(wanted, each.said.told, one.quantity, changed=one.role != "level"),
                each,
            )
            for one, each in figures
        ]
        told = _best(reading, values, [one.wide for one, _ in figures])
    if told is None:
        return None
    value, line = told
    return tell(reading, [line], way=_WAY, value=value)


def _is_of(reading: Reading, states: Stated, line: Candidate) -> bool:
    """Whether a line is of the company that is asked for; where none is named, of any."""
    if reading.wanted.companies or reading.wanted.strangers:
        return states.of_company(line.item, line.said)
    return states.of_no_other(line.item, line.said)


def _on_days(wanted: Wanted, line: Candidate) -> bool:
    """Whether a line names days alone, within a time that is asked for: of an announcement."""
    times = list(periods_in(line.said.told))
    return bool(times) and is_then(times, asked_spans(wanted))


def _names_firm(firms: Sequence[str], line: Candidate) -> bool:
    """Whether a line, or what stands around it, has a firm that is asked of and nobody knows."""
    around = fold(f"{line.said.told}\n{line.said.context}")
    return not firms or any(fold(each) in around for each in firms)


def _says_rarest(wanted: Wanted, line: Candidate) -> bool:
    """Whether a line says the rarest word of the question that its passage says, and no title: what
    stands beside 云计算 is of something else; and each number."""
    passage, title = wanted.text(line.result.text), wanted.text(line.item.identity)
    own = wanted.text(f"{line.said.told}\n{line.spoken}")
    held = [each for each in wanted.terms if passage.has(each) and not title.has(each)]
    rarest = max(held, key=WordWeights.packaged().weight, default="")
    numbers = _NUMBER.findall(wanted.bare)
    said = not rarest or own.has(rarest)
    return said and all(each in line.said.told for each in numbers)


def _figures(wanted: Wanted, line: Candidate) -> Sequence[Mention]:
    """The figures of a line that may be meant: of the time asked for where any names that."""
    if line.result.rank > _FIRST_ALONE:
        return ()
    text, context = line.said.told, wanted.text(line.said.context)
    mentions = mentions_in(text, list(periods_in(text)))
    if UNTOLD.search(text) or any(is_torn(text, each.quantity) for each in mentions):
        return ()
    found = [
        each
        for each in mentions
        if each.role in roles_asked(wanted.question)
        and each.quantity.unit
        and each.quantity.upper is None
        and counted_as(wanted.question, each.quantity)
        and not _PART.search(each.own)
        and not is_of_another(wanted.question, each)
        and (not wanted.metrics or wanted.names_metric(each.wide))
        and (not wanted.head or any(map(wanted.text(each.wide).has, wanted.head)))
        and wanted.covered(each.wide, context) >= _LEAST_SAID
    ]
    times = [wanted.times.of(each.wide, "", None) for each in found]
    dated = [each for each, time in zip(found, times, strict=True) if time == Time.NAMED]
    return dated or [each for each, time in zip(found, times, strict=True) if time > Time.BEFORE]


def _best(
    reading: Reading,
    figures: Sequence[tuple[Json | None, Candidate]],
    texts: Sequence[str],
) -> tuple[Json | None, Candidate] | None:
    """The figure whose text says most and lies nearest; None where that is not near enough, or
    another figure is as near."""
    if not figures:
        return None
    wanted, embedder = reading.wanted, reading.comparer
    cosines = reading.vectors(texts) @ embedder.embed_questions([wanted.bare])[0]
    judged = [
        (
            wanted.covered(text, wanted.text(line.said.context)),
            embedder.space.nearness(float(cosine)),
            value,
        )
        for (value, line), text, cosine in zip(figures, texts, cosines, strict=True)
    ]
    best = nearest(judged, _LEAST_NEAR, _LEAST)
    return figures[best] if best is not None else None
