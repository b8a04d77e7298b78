"""The writer of answers to questions for figures: understood, looked up, told or refused.

It says nothing of questions that ask for no figure of the vocabulary: those are read from text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.numbers import clarifying, refusals
from finrag_pipeline.query.answers.numbers.choosing import choose
from finrag_pipeline.query.answers.numbers.composed import compose, compose_whether
from finrag_pipeline.query.answers.numbers.contradictions import contradicting
from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.looking_up import Held, look_up
from finrag_pipeline.query.answers.numbers.marks import Marks
from finrag_pipeline.query.answers.numbers.quoting import stated_rows, worked_out_of_rounded
from finrag_pipeline.query.answers.numbers.vague import read_vague, which_figure
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import (
    AskedCompany,
    NumberQuestion,
    NumberResult,
    NumberRow,
)
from finrag_pipeline.query.numbers.wording import has
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.facts import financial_facts
from finrag_pipeline.words import is_chinese

Json = dict[str, Any]

_REFUSED = "insufficient_evidence"
_ASKED_BACK = "needs_clarification"
#: What is made of several figures says nothing where one of them is missing.
_NEEDS_ALL = frozenset(
    ("sum", "mean", "median", "maximum", "minimum", "cagr", "range", "apart", "times", "share_of")
)
_WAY = "figures as documents print them, by company, metric and period"
_CHOSEN = "figures that a chat model chose by SQL, as documents print them"


class NumbersWriter:
    """Writes answers from single figures.

    Args:
        reader: of an open store.
        search: finds what states a figure that is asked for beside others and is not held.
        session: the chat model that chooses figures where words are left over; None: none does.
    """

    def __init__(self, reader: Reader, search: Search, session: ChatSession | None = None) -> None:
        self._reader = reader
        self._search = search
        self._session = session

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the question asks for no figure."""
        catalogue = asked.scope.catalogue
        if not catalogue.by_company:
            return None  # whose figures they are, no document says
        chinese = is_chinese(asked.question)
        kind = asked.options.kind or wanted_kind(asked.question)
        question = read_numbers(asked.question, catalogue, asked.where.as_of)
        if question is None:
            return self._vague(asked, chinese, kind)
        question, notes = _of_whom(question, asked)
        if question.not_understood and has("told", asked.question):
            return None  # what is told in words is told of more than figures
        if question.not_understood:
            chosen, failed = choose(self._reader, self._session, question, asked)
            if chosen is not None:
                question = chosen.result.question
                lines = Lines(question, chinese, Marks(chosen.items))
                return replace(_draft(lines, chosen, question, kind, False), way=_CHOSEN)
            return replace(self._unread(question, asked, chinese), kind=kind, degraded=failed)
        if back := clarifying.which_company(question, catalogue, chinese):
            return _asking(back, kind)
        whether = question.operation == "whether"
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            held = look_up(connection, question)
        lost = any(row.value is None for row in held.result.rows)
        unread = self._never_read(question, asked) if lost else ()
        lines = Lines(question, chinese, Marks(held.items))
        stated = self._stated(asked, Lines(question, chinese, Marks({})), held.result)
        draft = _draft(lines, held, question, kind, whether, [row for row, _ in stated])
        if not draft.status:
            draft = merged(draft, [quoted for _, quoted in stated])
        text = "\n".join(filter(None, [draft.text, *notes]))
        return replace(draft, text=text, warnings=unread)

    def _never_read(self, question: NumberQuestion, asked: Asked) -> tuple[str, ...]:
        """What is to be said of documents that may print a figure and were never read for any:
        those that a release before figures indexed."""
        about = asked.scope.catalogue.by_company
        keys = dict.fromkeys(key for each in question.companies for key in (*each.keys, *each.also))
        documents = [each.row.document_id for key in keys or about for each in about.get(key, ())]
        try:
            with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
                unread = financial_facts.never_read(connection, documents)
        except FinragError:
            return ()  # a reader that was not granted it yet answers all the same
        if not unread:
            return ()
        return (
            f"documents on whom is asked that were never read for figures, as an earlier release "
            f"indexed them: {unread}; ingest them once more, or backfill their days",
        )

    def _vague(self, asked: Asked, chinese: bool, kind: str) -> Draft | None:
        """Asks which figure a word means where several are held; the one that is alone is told."""
        vague = read_vague(asked)
        if vague is None:
            return None
        meanings = [_of_whom(each, asked)[0] for each in vague.meanings]
        if back := clarifying.which_company(meanings[0], asked.scope.catalogue, chinese):
            return _asking(back, kind)
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            found = [each for each in (look_up(connection, one) for one in meanings) if each.whole]
        if not found:
            return None
        if len(found) == 1:
            question = found[0].result.question
            lines = Lines(question, chinese, Marks(found[0].items))
            return _draft(lines, found[0], question, kind, question.operation == "whether")
        back, lines = which_figure(vague.word, found, chinese)
        marks = lines.marks
        return replace(_asking(back, kind), citations=tuple(marks.made), sources=marks.sources)

    def _stated(
        self, asked: Asked, lines: Lines, result: NumberResult
    ) -> list[tuple[NumberRow, Draft]]:
        """Quotes of what states figures that others are told beside, and are not held as such."""
        question = result.question
        told = [row for row in result.rows if row.value is not None]
        if question.operation != "value" or not told:
            return []
        wanted = [row for row in result.rows if row.value is None and row.broker is None]
        wanted += [row for row in told if worked_out_of_rounded(row)]
        return stated_rows(self._search, asked, lines, wanted)

    def _unread(self, question: NumberQuestion, asked: Asked, chinese: bool) -> Draft:
        """Says which words stand for something that no figure is held by, and what comes near."""
        names = [each.text for each in question.companies]
        text = [refusals.not_understood(question, names, chinese)]
        marks = Marks({})
        if len(question.companies) == 1 and question.companies[0].key and not question.everyone:
            near = replace(question, not_understood=(), segments=(), conditions=())
            with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
                held = look_up(connection, replace(near, operation="value", apart=False))
            marks = Marks(held.items)
            rows = [row for row in held.result.rows if row.value is not None]
            text += refusals.without_words(Lines(near, chinese, marks), rows)
        return Draft(
            "\n".join(text),
            tuple(marks.made),
            marks.sources,
            way=_WAY,
            status=_REFUSED,
            unread=True,
        )


def _draft(
    lines: Lines,
    held: Held,
    question: NumberQuestion,
    kind: str,
    whether: bool,
    stated: Sequence[NumberRow] = (),
) -> Draft:
    """A draft of what is held; of figures that text states nothing is said to be missing."""
    result = held.result
    rows = [row for row in result.rows if row.value is not None]
    lost = [row for row in result.rows if row.value is None]
    if currency := question.currency:
        other = [row for row in rows if FinancialFact.currency_of(row.unit) not in (None, currency)]
        if other:
            text = refusals.other_currency(lines, other[0], currency)
            return _said(lines, text, result, kind, status=_REFUSED)
    summed = result.summary is not None and result.summary.value is not None
    named = bool(question.companies) and not question.everyone
    incomplete = question.operation in _NEEDS_ALL and named and bool(lost or result.without)
    if (not rows and not summed) or incomplete or (whether and lost):
        gone = lost or list(result.without) or [*filter(None, [result.summary])]
        text = refusals.missing(lines, result, gone)
        return _said(lines, text, result, kind, status=_REFUSED)
    if rows and not lost and all("only_cumulative_held" in each.notes for each in rows):
        text = refusals.cumulative(lines, result, rows)  # a single quarter may be told elsewhere
        return _said(lines, text, result, kind, status=_REFUSED)
    if back := clarifying.which_broker(lines, rows) or clarifying.which_segment(lines, rows):
        return replace(
            _asking(back, kind),
            citations=tuple(lines.marks.made),
            sources=lines.marks.sources,
            numbers=result,
        )
    composed = None
    if whether:
        composed = compose_whether(lines, rows)
    if composed is None:
        composed = compose(lines, result, held.grown, kind)
    told = composed.lines
    # prices of two days are two prices
    dated = bool(rows) and rows[0].period is not None and rows[0].period.kind == "other"
    if len(rows) == 1 and not rows[0].steps and not dated:
        told += contradicting(lines, rows[0], held.alike, held.items)
    told += [refusals.missing(lines, result, [row]) for row in lost if row not in stated]
    draft = _said(lines, "\n".join(told), result, composed.kind)
    return replace(draft, value=composed.value)


def _of_whom(question: NumberQuestion, asked: Asked) -> tuple[NumberQuestion, list[str]]:
    """A question with the company that the options or the store leave no doubt of."""
    catalogue = asked.scope.catalogue
    if question.companies or question.everyone:
        return question, []
    if code := asked.where.company:
        bearing = [
            key
            for key, held in catalogue.by_company.items()
            if any(each.bears(code.casefold()) for each in held)
        ]
        if bearing:
            return replace(question, companies=(AskedCompany(tuple(bearing), code),)), []
    if len(catalogue.by_company) == 1 and not question.not_understood:
        (key,) = catalogue.by_company
        name = catalogue.name_of(key)
        note = say("one_company", is_chinese(asked.question), name=name)
        return replace(question, companies=(AskedCompany((key,), name),)), [note]
    return question, []


def _asking(back: clarifying.AskedBack, kind: str) -> Draft:
    return Draft(back.text, status=_ASKED_BACK, kind=kind, choices=back.choices, way=_WAY)


def _said(lines: Lines, text: str, result: NumberResult, kind: str, status: str = "") -> Draft:
    return Draft(
        text,
        tuple(lines.marks.made),
        lines.marks.sources,
        way=_WAY,
        status=status,
        kind=kind,
        numbers=result,
    )
