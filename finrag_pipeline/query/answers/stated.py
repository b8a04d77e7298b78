"""Whether a quote states the figure that is asked for: its own company, metric and period.

Passages that share words with a question are many; a figure out of the wrong one is worse than
none.
"""

from __future__ import annotations

import re
from functools import cached_property

from finrag_pipeline.grammar.fact_metrics import metric_of_label
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberQuestion
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.terms import covered, missing, names, terms
from finrag_pipeline.words import search_words

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PARENT = re.compile(r"母公司|parent company", re.IGNORECASE)
#: Share of what is measured that the quote itself has to name, by the weight of its words.
_MIN_NAMED = 0.75


class Stated:
    """What a quote has to name to state the figure that a question asks for."""

    def __init__(self, asked: Asked) -> None:
        self._question = asked.question
        self._reading = asked.scope.reading
        self._documents = asked.scope.catalogue.documents
        self._companies = {key for each in self._reading.companies for key in each.keys}
        read = read_numbers(asked.question, asked.scope.catalogue, asked.where.as_of)
        self._unexplained = read.not_understood if read else ()
        # a metric of the vocabulary and nothing else is asked for: only its own row will do
        self._exact = None if read is None or read.not_understood else _names_of(read)
        self._years = {match[0] for match in _YEAR.finditer(narrow(asked.question))}

    def by(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether a quote of a piece of evidence is of whom, what and when is asked."""
        return (
            any(map(str.isdigit, said.told))
            and self._of_company(item, said)
            and self._of_metric(said)
            and self._of_years(item, said)
            and all(self._of_period(item, said, each) for each in self._reading.periods[:1])
            and not missing(self._unexplained, [said.quote, said.context, *item.subjects])
        )

    def _of_company(self, item: EvidenceItem, said: Quotable) -> bool:
        if self._companies:
            document = self._documents.get(str(item.key.id[0]))
            return document is not None and document.company in self._companies
        # whom no document is about, the quote or who speaks has to name
        return not missing(names(self._rest), [said.quote, said.about, *item.subjects])

    def _of_metric(self, said: Quotable) -> bool:
        if self._exact is not None:
            return self._is_row(said)
        wanted = self._terms
        about, context = set(search_words(said.about)), set(search_words(said.context))
        return not wanted or covered(wanted, about, context) >= _MIN_NAMED

    def _is_row(self, said: Quotable) -> bool:
        """Whether it is the row of the metric itself, of the whole company: under no heading."""
        label = said.about.partition("\n")[0]
        metric = metric_of_label(label)
        whole = f"：{label}：" in f"：{said.told}" and not _PARENT.search(said.context)
        return metric is not None and metric.name in (self._exact or ()) and whole

    def _of_years(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether it, or what its document reports on, has the years that the question writes."""
        document = self._documents.get(str(item.key.id[0]))
        own = {str(document.row.fiscal_year)} if document else set[str]()
        return self._years <= {match[0] for match in _YEAR.finditer(narrow(said.told))} | own

    def _of_period(self, item: EvidenceItem, said: Quotable, asked: ReportingPeriod) -> bool:
        """Whether it names the period, or names none and its document reports on that."""
        named = [*periods_in(said.told, "heading"), *periods_in(said.told)]
        if named:
            spans = {(each.first_on, each.last_on) for each in named}
            return (asked.first_on, asked.last_on) in spans
        document = self._documents.get(str(item.key.id[0]))
        return document is not None and document.row.period_last_on == asked.last_on

    @cached_property
    def _rest(self) -> str:
        """The question without whom and when."""
        text = self._question
        spans = {(each.start, each.end) for each in self._reading.companies}
        spans |= {(each.start, each.end) for each in self._reading.periods if each.text}
        for start, end in sorted(spans, reverse=True):
            text = f"{text[:start]} {text[end:]}"
        return text

    @cached_property
    def _terms(self) -> list[str]:
        return terms(self._rest)


def _names_of(question: NumberQuestion) -> frozenset[str]:
    """The metrics under which a document may print what is asked for as it is."""
    measures = [each for each in question.measures if not each.change]
    return frozenset(name for each in measures for name in (each.name, *each.printed))
