"""What a question says of how its formula is worked out: "defined as …", "using dividends and net
income". What is named there is no figure that is asked for.

How formulas are written out is `written`; which there are is `formulas.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.query.numbers.expressions import Expression, figures_of, replaced
from finrag_pipeline.query.numbers.formulas import formulas
from finrag_pipeline.query.numbers.marking import Marked
from finrag_pipeline.query.numbers.records import Measure
from finrag_pipeline.query.numbers.wording import find

#: Of a company without other holders what is its owners' is all.
_SAME = {"net_profit_attributable": "net_profit", "equity_attributable": "equity"}


def settled(marked: Marked) -> tuple[Measure, ...]:
    """The measures that are asked for, worked out as the question says; all of them where what it
    says is no part of any."""
    placed = marked.placed()
    starts = [match.start() for _, match in find("definition", marked.written)]
    starts += [match.start() for _, match in find("inputs", marked.text)]
    # behind a name a definition is part of its measure
    first = min(starts, default=len(marked.text))
    asked = [each for start, _, each in placed if start < first]
    said = [each for start, _, each in placed if start >= first]
    if not asked or not said:
        return tuple(each for _, _, each in placed)
    wanted = {metric for each in said for metric in _metrics(each.expression)}
    made = [_worked_out(each, said, wanted) for each in asked]
    if all(each is None for each in made):
        return tuple(each for _, _, each in placed)
    return tuple(each or old for each, old in zip(made, asked, strict=True))


def _worked_out(measure: Measure, said: Sequence[Measure], wanted: set[str]) -> Measure | None:
    """A formula by those of its expressions that hold all that is said; None where none does."""
    options = [measure.expression, *measure.alternatives]
    for each in said:
        known = formulas().get(each.name)
        if known and known.measure.expression != each.expression:
            old = known.measure.expression
            options = [replaced(option, old, each.expression) for option in options]
    named = next((each for each in said if each.name == measure.name), None)
    if named is not None and named.expression != measure.expression and not said[1:]:
        options = [named.expression]
    fitting = [each for each in options if wanted <= _metrics(each) and len(_metrics(each)) > 1]
    if not fitting:
        return None
    return replace(
        measure, expression=fitting[0], alternatives=tuple(fitting[1:]), printed=(), text=""
    )


def _metrics(expression: Expression) -> set[str]:
    return {_SAME.get(each.metric, each.metric) for each in figures_of(expression)}
