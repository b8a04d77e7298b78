"""Why there is no figure: what was looked for, what is held that comes near, and how it differs.

A figure of another period, scope or metric is never passed off as the one asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.wording import (
    at_end,
    measure_told,
    period_told,
    say,
)
from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.records import HeldFact, NumberQuestion, NumberResult, NumberRow
from finrag_pipeline.words import FUNCTION_WORDS, segmenter

#: What stands between the parts of one code or name.
_JOINING = ("", ".", "-", "&", "·")
#: Figures told that come near.
_NEAREST = 2


def missing(lines: Lines, result: NumberResult, rows: Sequence[NumberRow]) -> str:
    """What is said where a figure that is asked for is not held, or cannot be worked out."""
    chinese = lines.chinese
    first = rows[0] if rows else None
    asked = lines.name(first) if first else _asked(result.question, chinese)
    status = first.status if first else "missing"
    phrase = status if status in ("not_derivable", "units_differ") else "missing"
    why = [say(phrase, chinese, asked=asked), *_reason(first, chinese)]
    told = [("" if chinese else " ").join(why), searched(result.question, chinese)]
    told += nearest(lines, result)
    return "\n".join(told)


def cumulative(lines: Lines, result: NumberResult, rows: Sequence[NumberRow]) -> str:
    """What is said where a single quarter is asked for and only sums up to its end are held."""
    asked = say("missing", lines.chinese, asked=_asked(result.question, lines.chinese))
    near = [
        say("nearest", lines.chinese, how="", line=lines.figure(row)) for row in rows[:_NEAREST]
    ]
    return "\n".join([asked, *near])


def not_understood(question: NumberQuestion, names: Sequence[str], chinese: bool) -> str:
    """What is said where words of a question stand for something that no figure is held by."""
    told = [each for each in _joined(question.not_understood, question.text) if _is_content(each)]
    words = ("、" if chinese else ", ").join(told)
    if not names and words:
        return say("missing_company", chinese, name=words)
    parts = [*names[:1], _measures(question, chinese)]
    asked = ("" if chinese else " ").join(parts)
    if not words:
        return say("not_read", chinese, asked=asked)
    return say("not_understood", chinese, words=words, asked=asked)


def without_words(lines: Lines, rows: Sequence[NumberRow]) -> list[str]:
    """The figures held of what is left of a question without the words that nothing explains."""
    how = lines.with_behind("", [say("differs_words", lines.chinese)])
    return [
        say("nearest", lines.chinese, how=how, line=lines.figure(row)) for row in rows[:_NEAREST]
    ]


def _is_content(word: str) -> bool:
    """Whether a word names something: 差 and 多少 do not.

    >>> [_is_content(each) for each in ("TIDES", "差", "海外业务", "25")]
    [True, False, True, False]
    """
    words = [each for each in segmenter().cut(word) if each not in FUNCTION_WORDS]
    return any((len(each) > 1 or each.isascii()) and not each.isdigit() for each in words)


def other_currency(lines: Lines, row: NumberRow, currency: str) -> str:
    """What is said where a figure is held in another currency than asked for."""
    held = row.unit.partition("/")[0]
    told = say("other_currency", lines.chinese, asked=lines.name(row), held=held, currency=currency)
    return f"{told}\n{lines.figure(row)}"


def searched(question: NumberQuestion, chinese: bool) -> str:
    """Whom, what and when was looked for."""
    whom = [each.text for each in question.companies] or [say("every_company", chinese)]
    instant = all(map(at_end, question.measures))
    when = [period_told(each, instant, chinese) for each in question.periods]
    listed = "、" if chinese else ", "
    return say(
        "searched",
        chinese,
        companies=listed.join(whom),
        measures=_measures(question, chinese),
        periods=listed.join(when or [say("latest", chinese)]),
    )


def nearest(lines: Lines, result: NumberResult) -> list[str]:
    """The figures held that only resemble what is asked for, each with how it differs."""
    told: list[str] = []
    for fact in result.nearest[:_NEAREST]:
        differs = [say(each, lines.chinese) for each in _differences(fact, result.question)]
        how = lines.with_behind("", [("，" if lines.chinese else ", ").join(differs)])
        told.append(say("nearest", lines.chinese, how=how, line=lines.held(fact)))
    return told


def _differences(fact: HeldFact, question: NumberQuestion) -> list[str]:
    metrics = {each.metric for one in question.measures for each in figures_of(one.expression)}
    metrics |= {name for one in question.measures for name in (one.name, *one.printed)}
    keys = {key for each in question.companies for key in each.keys}
    periods = {(each.fiscal_year, each.kind) for each in question.periods}
    found = {
        "differs_company": bool(keys) and fact.company_key not in keys,
        "differs_metric": fact.metric not in metrics,
        "differs_period": bool(periods) and (fact.fiscal_year, fact.period) not in periods,
        "differs_scope": fact.scope != question.scope,
        "differs_nature": fact.nature not in question.natures,
        "differs_segment": bool(fact.segment) != bool(question.segments),
        "differs_currency": bool(question.currency) and fact.currency != question.currency,
    }
    return [name for name, differs in found.items() if differs]


def _reason(row: NumberRow | None, chinese: bool) -> list[str]:
    """Why a figure cannot be worked out, as far as it is told in the language of the answer."""
    if row is None:
        return []
    notes = [say(note, chinese) for note in row.notes]
    if chinese:
        return [f"{note}。" for note in notes]
    return [f"{note}." for note in [*notes, *filter(None, [row.reason.rstrip(".")])]]


def _measures(question: NumberQuestion, chinese: bool) -> str:
    return ("、" if chinese else ", ").join(
        dict.fromkeys(measure_told(each, chinese) for each in question.measures)
    )


def _asked(question: NumberQuestion, chinese: bool) -> str:
    whom = ("、" if chinese else ", ").join(each.text for each in question.companies)
    instant = all(map(at_end, question.measures))
    when = ("、" if chinese else ", ").join(
        period_told(each, instant, chinese) for each in question.periods
    )
    parts = [whom, when, _measures(question, chinese)]
    return ("" if chinese else " ").join(filter(None, parts))


def _joined(words: Sequence[str], text: str) -> list[str]:
    """Words that stand side by side in a text as one.

    >>> _joined(["600111", "SH", "空调"], "600111.SH的空调收入")
    ['600111.SH', '空调']
    """
    found: list[str] = []
    end = -1
    for word in words:
        start = text.find(word, max(end, 0))
        if found and end >= 0 and text[end:start] in _JOINING:
            found[-1] += text[end:start] + word
        else:
            found.append(word)
        end = start + len(word) if start >= 0 else -1
    return found
