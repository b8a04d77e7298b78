"""Lines of an answer: a figure with whose and of when it is, what stands beside it, its working.

What a figure looks like is `amounts`', what things are called `wording`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.query.answers.numbers.amounts import Told, no_finer, told
from finrag_pipeline.query.answers.numbers.marks import Marks
from finrag_pipeline.query.answers.numbers.wording import (
    at_end,
    day_told,
    formula_told,
    measure_told,
    metric_told,
    period_told,
    say,
    shown_told,
)
from finrag_pipeline.query.numbers.expressions import Figure
from finrag_pipeline.query.numbers.growths import grown_since
from finrag_pipeline.query.numbers.records import (
    AskedPeriod,
    HeldFact,
    NumberQuestion,
    NumberRow,
    Step,
)

#: Notes that say nothing to a reader where the question asked for just that.
_SILENT = frozenset(("as_printed", "base_adjusted", "sources_disagree"))
_RATIOS = frozenset(("", "%", "pp", "x", "天"))
#: Digits after the point of what is worked out, unless its measure or the question says.
_WORKED_OUT = 2


@dataclass(frozen=True, slots=True)
class Lines:
    """How the figures of one answer are told.

    Attributes:
        question: gives the unit and the digits that are asked for.
        chinese: the language of the answer.
        marks: numbers what is cited.
    """

    question: NumberQuestion
    chinese: bool
    marks: Marks

    def figure(self, row: NumberRow, grown: NumberRow | None = None) -> str:
        """A figure with its name, the exact one behind it, and its marks.

        Args:
            grown: how far it has grown (`grown_since`), told behind it.
        """
        amount = self.amount(row)
        colon = "：" if self.chinese else ": "
        aside = ""
        if grown is not None and "negative_base" not in grown.notes:
            plain = replace(self, question=replace(self.question, unit="", decimals=None))
            since = grown_since(row.measure, row.period) if row.period else "year"
            phrase = "since_opening" if since == "opening" else "year_on_year"
            aside = say(phrase, self.chinese, value=plain.amount(grown).text)
        marks = self._marks([*row.fact_ids, *(grown.fact_ids if aside and grown else ())])
        behind = [amount.exact, aside, self._published(row), *self.notes(row)]
        return f"{self.name(row)}{colon}{self.with_behind(amount.text, behind)}{marks}"

    def _published(self, row: NumberRow) -> str:
        """When a house said so; what stands at a day says it itself."""
        dated = row.period is not None and row.period.kind == "other"
        day = row.facts[0].published_on if row.broker and row.facts and not dated else None
        return say("published", self.chinese, day=day_told(day, self.chinese)) if day else ""

    def short(self, row: NumberRow) -> str:
        """A figure without its name."""
        amount = self.amount(row)
        return f"{self.with_behind(amount.text, [amount.exact])}{self.mark(row)}"

    def amount(self, row: NumberRow) -> Told:
        """What a figure is, in words."""
        assert row.value is not None  # only what is found is told
        decimals = self.decimals(row)
        whole = told(row.value, row.unit, self.chinese, self.question.unit, decimals)
        if decimals is not None or row.steps or len(row.facts) != 1:
            return whole
        printed = self.marks.items.get(row.facts[0].fact_id)
        return whole if printed is None else no_finer(whole, printed.figure)

    def decimals(self, row: NumberRow) -> int | None:
        """Digits after the point: as asked, as its measure has them, else what fits."""
        if self.question.decimals is not None:
            return self.question.decimals
        if "as_printed" in row.notes:
            return None
        if row.measure.decimals is not None:
            return row.measure.decimals
        derived = not isinstance(row.measure.expression, Figure) or len(row.facts) > 1
        return _WORKED_OUT if derived and row.unit in _RATIOS else None

    def name(self, row: NumberRow) -> str:
        """Whose, of when, what."""
        chinese = self.chinese
        when = ""
        if row.period and row.period.kind == "other" and row.facts:
            when = day_told(row.facts[0].last_on, chinese)
        elif row.period:
            when = period_told(row.period, at_end(row.measure), chinese)
        whose = row.company_name or self._written(row.company_key)
        parts = [whose, when, measure_told(row.measure, chinese)]
        told = ("" if chinese else " ").join(filter(None, parts))
        if row.segment:
            told += self._joined(say("of_segment", chinese, segment=row.segment))
        if self.question.scope == "parent":
            told += self._joined(say("of_parent", chinese))
        if row.broker and row.published and not row.facts:
            told += self._joined(say("of_broker_within", chinese, broker=row.broker))
        elif row.broker:
            told += self._joined(say("of_broker", chinese, broker=row.broker))
        elif row.nature != "actual":
            told += self._joined(say(f"of_{row.nature}", chinese))
        return told

    def _written(self, key: str) -> str:
        """A company as the question writes it."""
        return next((each.text for each in self.question.companies if key in each.keys), key)

    def mark(self, row: NumberRow) -> str:
        """The marks of the figures that it stands on."""
        return self._marks(row.fact_ids)

    def _marks(self, fact_ids: Sequence[str]) -> str:
        marks = self.marks.of(fact_ids)
        return marks if self.chinese or not marks else f" {marks}"

    def notes(self, row: NumberRow) -> list[str]:
        """What must be said beside a figure."""
        return [say(note, self.chinese) for note in row.notes if note not in _SILENT]

    def working(self, row: NumberRow) -> list[str]:
        """How a figure was worked out, step by step; empty for one as it is held."""
        if not row.steps:
            return []
        *before, last = row.steps
        lines = [self._step(each) for each in before]
        measure, since = row.measure, ""
        if measure.since:
            since = period_told(measure.since, at_end(measure), self.chinese)
        formula = formula_told(measure.expression, self.chinese, since)
        name = measure_told(row.measure, self.chinese)
        shown = shown_told(last.shown)
        end = f"{self.amount(row).text}{self.mark(row)}"
        parts = [name, formula, shown, end]
        lines.append(" = ".join(each for n, each in enumerate(parts) if each not in parts[:n]))
        return lines

    def otherwise(self, row: NumberRow) -> str:
        """The same growth from the other reading of a base that was restated."""
        assert row.otherwise is not None  # only such rows are told so
        worked = " = ".join([shown_told(row.otherwise.steps[-1].shown), self.short(row.otherwise)])
        return say("otherwise", self.chinese, figure=worked)

    def held(self, fact: HeldFact) -> str:
        """A figure as it is held, with its name and mark."""
        chinese = self.chinese
        period = AskedPeriod(fact.fiscal_year, fact.period)
        when = (
            day_told(fact.last_on, chinese)
            if fact.period == "other"
            else period_told(period, fact.first_on is None, chinese)
        )
        metric = metric_told(fact.metric, chinese)
        parts = [fact.company_name or fact.company_key, when, metric]
        name = ("" if chinese else " ").join(filter(None, parts))
        if fact.segment:
            name += self._joined(say("of_segment", chinese, segment=fact.segment))
        if fact.scope == "parent":
            name += self._joined(say("of_parent", chinese))
        if fact.broker:
            name += self._joined(say("of_broker", chinese, broker=fact.broker))
        elif fact.nature != "actual":
            name += self._joined(say(f"of_{fact.nature}", chinese))
        return f"{name}{'：' if chinese else ': '}{self.held_amount(fact)}"

    def held_amount(self, fact: HeldFact) -> str:
        """A figure as it is held, with its mark."""
        amount = told(fact.value, fact.unit, self.chinese, self.question.unit)
        marks = self.marks.of([fact.fact_id])
        return (
            f"{self.with_behind(amount.text, [amount.exact])}{'' if self.chinese else ' '}{marks}"
        )

    def listed(self, names: Sequence[str]) -> str:
        """Names, one behind the other."""
        return ("、" if self.chinese else ", ").join(names)

    def _step(self, step: Step) -> str:
        metric, _, when = step.name.partition(" ")
        name = " ".join(filter(None, [metric_told(metric, self.chinese), when]))
        value = told(step.value, step.unit, self.chinese).text
        marks = self.marks.of(step.fact_ids)
        return f"{name} = {shown_told(step.shown)} = {value}{marks}"

    def with_behind(self, text: str, behind: Sequence[str]) -> str:
        """A text with what stands in brackets behind it."""
        parts = [each for each in behind if each]
        if not parts:
            return text
        inside = ("，" if self.chinese else "; ").join(parts)
        return f"{text}（{inside}）" if self.chinese else f"{text} ({inside})"

    def _joined(self, text: str) -> str:
        return text if self.chinese else f" {text}"
