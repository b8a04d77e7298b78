"""The figures that a question may mean, each with how sure it is the one: what `writer` tells, and
what `drafts` looks at the drafts of other writers by."""

from __future__ import annotations

import re
from pathlib import Path

from finrag_pipeline.query.answers.attribution import Attribution
from finrag_pipeline.query.answers.choice import packaged
from finrag_pipeline.query.answers.closest.clauses import in_own_clause, of_what_is_called
from finrag_pipeline.query.answers.closest.found import FoundFigure, Judged
from finrag_pipeline.query.answers.closest.named import of_what_is_mentioned, of_whom_is_named
from finrag_pipeline.query.answers.closest.of_rows import figures_of_rows
from finrag_pipeline.query.answers.closest.of_sentences import figures_of_sentences
from finrag_pipeline.query.answers.closest.traits import compared, likely, numbers_of, traits_of
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.contradiction import (
    contradicts,
    holds_what_is_left_out,
    is_another_rate,
    is_of_one_year,
    is_share_and_no_rate,
    is_told_of_another_time,
    leaves_out_what_is_asked,
)
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.unfit import is_on_share
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.rows import RowsWriter
from finrag_pipeline.query.answers.writers import Tools
from finrag_pipeline.query.question.asked import Asked

#: The trees that say how sure figures are, learned from questions with known answers
#: (`training.figure_choice`).
TREES_PATH = Path(__file__).parent
#: How sure a figure has to be that answers.
SURE = 0.45
#: Passages whose sentences are judged.
_PASSAGES = 20
#: What is asked of several figures together: no single one answers.
_COMBINED = re.compile(
    r"[和与及加、].{1,16}(?<![两三四五六七八九十\d][家个])(?:合计|总计)(?!占)|"
    r"(?<!客户)(?<!供应商)(?<!股东)加起来|之和|总和|相加|"
    r"相差|差(?:多少|额|距)|[掉少多涨跌]了几个(?!百?分?点)|"
    r"之差|从多少.{0,12}到多少|从.{2,14}[到至].{2,16}(?:增加|减少|[多少升降涨跌])|[比较].{2,14}[多少]了(?:多少|几)|"
    r"一年(?:来|内|里)?(?:增加|减少|[多少])了"
)
#: What is asked of one figure beside another: what says how far it moved answers alone.
_BESIDE = re.compile(
    r"(?:(?<![环同占对])比(?![例率重值])|较).{1,20}[多少高低贵长短快慢](?:多少|几)"
)
#: The digits of a security's code.
_CODE = re.compile(r"(?<!\d)(?:\d{6}(?=(?:\.[A-Z]{2})?(?![\d.]))|\d{4,5}(?=\.HK(?![\d.])))")


class Judge:
    """Judges the figures that a question may mean.

    Args:
        tools: whose search finds tables and passages.

    Attributes:
        attribution: reads whom and what a question names beside whom documents are about.
    """

    def __init__(self, tools: Tools) -> None:
        self._search = tools.search
        self._absent = tools.absent
        self.attribution = Attribution(tools.reader, tools.absent)
        self._rows = RowsWriter(tools)

    def __call__(self, asked: Asked, *, any_name: bool = False) -> list[Judged]:
        """The figures of tables and of passages, the surest first; none where no single figure is
        asked for, or only one of an exact name would do.

        Args:
            any_name: whether another name than that would do, as who tells it sees to it.
        """
        reading, states = self.read(asked), Stated(asked)
        wanted = reading.wanted
        exact = is_exact(asked, states) and not any_name
        if not asks_one(wanted) or _COMBINED.search(asked.question) or exact:
            return []
        if not (wanted.terms or wanted.metrics):
            return []  # who only names whom and when asks for nothing yet
        unknown = asked.scope.reading.companies and not (wanted.companies or wanted.strangers)
        if states.alike or unknown:
            return []  # 伊利能源 is not 伊利; of some companies no document is held
        figures, wording = self.figures(reading, states)
        if _BESIDE.search(asked.question):
            figures = [each for each in figures if each.traits["change"]]
        if not figures:
            return []
        traits = traits_of(figures, wording)
        sure = packaged(TREES_PATH).chances(compared(traits), numbers_of(traits))
        judged = [
            (float(sure[n]), figures[n])
            for n in sure.argsort(kind="stable")[::-1]
            if not (_is_contrary(wanted, figures[n]) or _lacks_code(wanted, figures[n]))
        ]
        judged = of_what_is_called(judged, wanted)
        judged = of_what_is_mentioned(judged, wanted, self.attribution(asked, wanted))
        judged = in_own_clause(judged, wanted)
        return of_whom_is_named(asked, judged, self._absent)

    def read(self, asked: Asked) -> Reading:
        """A question with the passages in which figures are looked for."""
        found = self._search(asked, asked.question, most=_PASSAGES)[1]
        return Reading(asked, found.results)

    def figures(self, reading: Reading, states: Stated) -> tuple[list[FoundFigure], Wording]:
        """The figures that a question may mean, and its words."""
        report = reading.asked.options.document is not None
        wording = Wording(reading.wanted, reading.asked.matcher, report=report)
        rows = figures_of_rows(reading.asked, wording, self._rows)
        sentences = figures_of_sentences(reading, states, wording)
        return likely([*rows, *sentences], wording), wording


def _is_contrary(wanted: Wanted, figure: FoundFigure) -> bool:
    """Whether a figure says itself that it is of another time, counts something else, or is of more
    or less than is asked for."""
    question, value = wanted.question, figure.value
    if contradicts(wanted, value):
        return True
    if figure.traits["table"]:
        return (
            holds_what_is_left_out(question, figure.label)
            or is_share_and_no_rate(question, figure.text)
            or is_another_rate(question, f"{figure.text} {figure.over}")
            or is_of_one_year(question, figure.text)
        )
    return (
        holds_what_is_left_out(question, figure.text)
        or leaves_out_what_is_asked(wanted, figure.sentence)
        or is_on_share(question, figure.label)
        or is_told_of_another_time(wanted, figure.sentence, value["number"])
    )


def _lacks_code(wanted: Wanted, figure: FoundFigure) -> bool:
    """Whether nothing at a figure has the code of a security on which no document is."""
    known = wanted.companies or wanted.strangers
    return not known and any(each not in figure.text for each in _CODE.findall(wanted.question))


def is_exact(asked: Asked, states: Stated) -> bool:
    """Whether a question asks for a metric of the vocabulary and nothing else: in the one report
    that is meant it stands under any name."""
    return states.exact and asked.options.document is None
