"""The figure that a sentence or a row states of what is asked: the `value` of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.apart import (
    MOST,
    asked_spans,
    clearest,
    is_of_another_year,
    is_then,
    leading_times,
    spans_of,
)
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.choosing import stands_beside
from finrag_pipeline.query.answers.passages.counting import (
    RATES,
    asks_in_units,
    asks_ratio,
    asks_share,
    counted_as,
    counts_in_own_word,
    is_ratio,
)
from finrag_pipeline.query.answers.passages.figure_asked import (
    asks_growth,
    asks_one,
    roles_in_turn,
)
from finrag_pipeline.query.answers.passages.joining import widened
from finrag_pipeline.query.answers.passages.mentions import (
    SENTENCE,
    Mention,
    Role,
    is_torn,
    mentions_in,
)
from finrag_pipeline.query.answers.passages.metric_values import figure_of_metric
from finrag_pipeline.query.answers.passages.opposites import is_opposed
from finrag_pipeline.query.answers.passages.planned import lacks_standing
from finrag_pipeline.query.answers.passages.respective import belongs, respective
from finrag_pipeline.query.answers.passages.row_values import figure_of_row
from finrag_pipeline.query.answers.passages.saying import metrics_named
from finrag_pipeline.query.answers.passages.told_value import told_value
from finrag_pipeline.query.answers.passages.unfit import (
    ON_SHARE,
    counts_another,
    is_of_another,
    is_other_end,
)
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.values import is_rounded
from finrag_pipeline.query.evidence.table import TableItem

_ON_QUARTER = re.compile(r"环比|qoq|quarter on quarter|sequential", re.IGNORECASE)
#: The same where what is counted says so, too: 多少颗.
_SOME = 0.3
#: What is measured, right before its figure: 四费率51.74%.
_MEASURE = re.compile(r"[率额量数价费本润比]\W{0,3}$")
_CLAUSE = re.compile(r"[，；;]")
#: What is asked of all but some.
_EXCEPT = re.compile(
    r"除了?(?![以外了])[^，。；？?]{2,20}?(?:之外|以外|外|[，,]?其[他它余])|剔除|扣除|不含|不包括"
)
_COMPARED = re.compile(r"[较比]于?\s*\Z|compared (?:with|to) \Z|\bfrom \Z")
#: A year in the name of a plan is not when something was: 2025年A股限制性股票激励计划.
_PLAN = re.compile(r"度?[^，。；,;\d]{0,18}(?:计划|方案|规划|行动|办法|纲要)")
#: What leads to a part of the figure before it.
_AMONG = re.compile(r"\W*其中|\W*of which", re.IGNORECASE)
#: What a question asks with, behind what it asks for.
_HOW_MUCH = re.compile(r"(?:大概|大约|[约是为有达到]|达到)*(?:多少|多高|多大|几|$)")
_UNIT_OPENS = re.compile(r"\d\s*[（(]\s*单位[:：]")
_BRACKET_BEHIND = re.compile(r"\s*[（(][^（）()]*[）)]")


def value_of(
    wanted: Wanted, chosen: Sequence[Candidate], others: Sequence[Candidate]
) -> tuple[dict[str, Any] | None, Candidate] | None:
    """The value that a line states, with the line: of those that are told the first that has one,
    else what stands beside the best or says as much; without a value where that states a range;
    None where several things are asked, or none has one figure of what is.

    Args:
        chosen: what is told, best first.
        others: what may answer, too.
    """
    if not chosen or not asks_one(wanted):
        return None
    if _EXCEPT.search(wanted.question):
        others = [each for each in others if _EXCEPT.search(each.said.told)]
        chosen = [each for each in chosen if _EXCEPT.search(each.said.told)]
        if not chosen:
            return None  # what is left out of the figure that is asked for has another one
    best = chosen[0]
    beside = [
        each
        for each in others
        if each not in chosen and (stands_beside(each, best) or each.covered >= best.covered)
    ]
    found: tuple[dict[str, Any] | None, Candidate] | None = None
    for each in [*chosen, *sorted(beside, key=lambda one: -one.covered)]:
        near = each is best or each.topic >= best.topic
        if not near or (stated := _value(wanted, with_unit(each))) is None:
            continue
        if found is None:
            found = (*stated, each)
        elif is_rounded(found[0], stated[0]):
            found = (*stated, each)  # 0.38亿元 in one note, 3,810万元 in another
    return found


def with_unit(line: Candidate) -> Candidate:
    """A line with what goes on with it, where that says in what its figure is counted."""
    told = line.said.told.rstrip()
    if not (told[-1:].isdigit() or _UNIT_OPENS.search(told)):
        return line  # most lines: nothing is read around them
    wide = widened(line)
    return wide if _UNIT_OPENS.search(wide.said.told) else line


def _value(wanted: Wanted, line: Candidate) -> tuple[dict[str, Any] | None] | None:
    """The one figure that a line states, None of a range; None where it states none."""
    said = line.said
    if is_opposed(wanted.question, said.told):
        return None
    if lacks_standing(wanted.question, f"{said.context}\n{said.told}"):
        return None
    named = [each.metric.name for each in fact_metrics_in(said.told)]
    metric = next((each for each in named if each in wanted.metrics), "")
    if said.row:
        unit = line.item.unit if isinstance(line.item, TableItem) else None
        quantity, changed = figure_of_row(wanted, said, unit or ""), asks_growth(wanted.question)
    else:
        mentions = mentions_in(said.told, list(periods_in(said.told)))
        exact = figure_of_metric(wanted, said.told, mentions)
        mention = None
        for roles in () if exact else roles_in_turn(wanted.question):
            topic = wanted.topic(line.spoken)
            mention = mention or _stated(wanted, said.told, mentions, topic, roles)
        metric, quantity = exact or (metric, mention.quantity if mention else None)
        changed = mention is not None and mention.role != "level"
    if quantity is None:
        return None
    if quantity.upper is not None:
        return (None,)
    return (told_value(wanted, said.told, quantity, metric, changed=changed),)


def _stated(
    wanted: Wanted,
    text: str,
    mentions: Sequence[Mention],
    spoken: float,
    roles: frozenset[Role],
) -> Mention | None:
    """The figure of a sentence whose own words say more of what is asked than those of any other:
    counted in what is asked for, of the time asked for, and a level, or how that has changed, as is
    asked.

    Args:
        spoken: how much of what is asked the sentence says, with the one that it goes on with.
        roles: what the figure may tell.
    """
    question = wanted.question
    least = _SOME if asks_in_units(question) else MOST
    if max(spoken, wanted.topic(text)) < least:
        return None
    if wanted.metrics and not wanted.names_metric(text):
        return None
    if wanted.head and not any(map(wanted.text(text).has, wanted.head)):
        return None
    if "growth" not in roles and (
        listed := list(respective(text, [each.quantity for each in mentions]))
    ):
        own = belongs(question, listed)
        fits = own is not None and own.quantity.unit and counted_as(question, own.quantity)
        return Mention(own.quantity, "level", own.thing, 0) if own and fits else None
    # what a figure is compared with is not when it is of
    times = [
        each
        for each in periods_in(text)
        if not (_COMPARED.search(text[: each.start]) or _PLAN.match(text, each.end))
    ]
    asked = asked_spans(wanted)
    fitting: list[tuple[float, Mention]] = []
    dated: list[Mention] = []
    before_it = False
    counting = [each for each in mentions if counted_as(question, each.quantity)]
    if any(is_torn(text, each.quantity) for each in counting):
        return None
    alone = counting[0] if len(counting) == 1 and asks_share(question) else None
    for each in mentions:
        quantity = each.quantity
        if is_of_another_year(text, quantity, asked) or counts_another(question, text, quantity):
            continue
        when = leading_times(text, quantity, times)
        end = is_other_end(question, text, quantity)
        if end and not (when and spans_of(when[-1:]) <= asked):
            continue  # 由208个增至2024年末的233个: from where it rose
        timely = len(spans_of(times)) < 2 or not asked or is_then(when[-1:], asked)
        own = each.own + _bracket_behind(text, quantity)
        named = not wanted.metrics or wanted.names_metric(own) or each is alone
        # 骨科产品收入增长10%，免疫产品增长24%: of the same metric, where it names none itself
        measured = metrics_named(own) or _MEASURE.search(text[: quantity.start])
        named = named or (before_it and not measured)
        before_it = before_it or (each.role in roles and wanted.names_metric(own))
        if is_of_another(question, each):
            continue
        said = wanted.text(f"{each.wide} {each.own}")
        if wanted.head and not any(map(said.has, wanted.head)):
            continue
        counts = is_ratio(each.own, quantity) if asks_ratio(question) else bool(quantity.unit)
        of_kind = each.role in roles and counts and counted_as(question, quantity)
        if each.role == "growth":
            of_kind = of_kind and each.on_quarter == bool(_ON_QUARTER.search(question))
        if timely and named and of_kind:
            fitting.append((wanted.topic(each.own), each))
            dated += [each] if when and asked and is_then(when[-1:], asked) else []
    if not asks_share(question):  # 多少 asks for what is paid before what share that is
        fitting = [each for each in fitting if each[1].quantity.unit not in RATES] or fitting
    fitting = [
        each for each in fitting if counts_in_own_word(question, each[1].quantity)
    ] or fitting
    if not ON_SHARE.search(question):  # what a share costs is not what all do
        fitting = [each for each in fitting if not ON_SHARE.search(each[1].own)] or fitting
    if len(spans_of(times)) > 1 and dated:
        # beside a figure that says that it is of that time one that says none is of another
        fitting = [each for each in fitting if each[1] in dated]
    fitting = _most_telling(wanted, _of_measure(wanted, _wholes(wanted, fitting)))
    # what a sentence says ahead of its figures is of all of them; where the clause of none says
    # more, what stands between it and the figure before may
    return (
        clearest([(wanted.topic(_with_lead(text, mentions, each)), each) for _, each in fitting])
        or clearest(fitting)
        or clearest(
            [(wanted.topic(each.wide), each) for share, each in fitting if share >= _best(fitting)]
        )
    )


def _wholes(
    wanted: Wanted, fitting: Sequence[tuple[float, Mention]]
) -> list[tuple[float, Mention]]:
    """The figures without those behind 其中 that say no more of what is asked than one of which
    they are a part: 专利12,520件，其中发明专利7,508件."""

    def said(mention: Mention) -> set[str]:
        clause = wanted.text(mention.own)
        return {term for term in wanted.terms if clause.has(term)}

    wholes = [said(each) for _, each in fitting if not _AMONG.match(each.own)]
    return [
        (share, each)
        for share, each in fitting
        if not (_AMONG.match(each.own) and any(said(each) <= whole for whole in wholes))
    ]


def _of_measure(
    wanted: Wanted, fitting: Sequence[tuple[float, Mention]]
) -> list[tuple[float, Mention]]:
    """The figures whose own clause says what the question asks how much it is: in 改进后夏普多少
    夏普; all where none does."""
    asked = _HOW_MUCH.split(wanted.question)[0]
    measure = next((each for each in wanted.terms if asked.endswith(each)), None)
    if measure is None:
        return [*fitting]
    said = [each for each in fitting if wanted.text(each[1].own).has(measure)]
    return said or [*fitting]


def _most_telling(
    wanted: Wanted, fitting: Sequence[tuple[float, Mention]]
) -> list[tuple[float, Mention]]:
    """The figures whose own clause says the rarest word of the question that not all of them say;
    all where no such word is said."""
    weight = WordWeights.packaged().weight
    clauses = [wanted.text(_CLAUSE.split(each.own)[-1]) for _, each in fitting]
    said = [[clause.has(term) for clause in clauses] for term in wanted.terms]
    apart = [n for n, each in enumerate(said) if any(each) and not all(each)]
    # what the first alone says may be of all: 家用空调生产1亿台，其中出口出货7,084万台
    first = [n for n in apart if said[n][0] and not any(said[n][1:])]
    if any(not said[n][0] for n in apart):
        apart = [n for n in apart if n not in first]
    if not apart:
        return [*fitting]
    rarest = max(apart, key=lambda n: weight(wanted.terms[n]))
    return [each for each, says in zip(fitting, said[rarest], strict=True) if says]


def _bracket_behind(text: str, quantity: Quantity) -> str:
    """What brackets behind a figure say, maybe what it is counted in: 3.0倍（前值1.53x PB）."""
    match = _BRACKET_BEHIND.match(text, quantity.end)
    return match[0] if match else ""


def _with_lead(text: str, mentions: Sequence[Mention], one: Mention) -> str:
    """What a text says of a figure, with what its sentence says before the clause of the first:
    每周调仓时表现更佳，多头年化39%，多空年化58%."""
    first = next(
        each
        for each in mentions
        if not SENTENCE.search(text, each.quantity.start, one.quantity.start)
    )
    comma = max(text.rfind(each, first.start, first.quantity.start) for each in "，,")
    return f"{text[first.start : comma]} {one.own}" if comma > 0 else one.own


def _best(judged: Sequence[tuple[float, object]]) -> float:
    return max((share for share, _ in judged), default=0.0)
