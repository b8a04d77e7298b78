"""What the words of a question ask for: a figure, the whole of a matter, a chain, links of sectors,
the newest view, a form of document.

The words are rows of `signals.csv`, tried in their order; what a signal leads to is `router`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import DataRow, data_rows
from finrag_pipeline.script import simplified
from finrag_pipeline.words import fold, stem

#: Signal of words that go with those of the others and say as little of what is asked.
_GENERAL = "general"
#: What signals of a form of document begin with.
_FORM = "form_"


def _patterns(rows: list[DataRow]) -> Iterator[tuple[str, re.Pattern[str]]]:
    for signal in dict.fromkeys(row["signal"] for row in rows):
        # English words that say little are compared whole and stemmed, see `_GENERAL_ENGLISH`
        written = [
            row["pattern"]
            for row in rows
            if row["signal"] == signal and (signal, row["language"]) != (_GENERAL, "en")
        ]
        yield signal, re.compile("|".join(written), re.IGNORECASE)


_ROWS = list(
    data_rows(Path(__file__).with_name("signals.csv"), ("signal", "language", "pattern", "meaning"))
)
_PATTERNS: Mapping[str, re.Pattern[str]] = MappingProxyType(dict(_patterns(_ROWS)))
_GENERAL_ENGLISH = frozenset(
    stem(word)
    for row in _ROWS
    if (row["signal"], row["language"]) == (_GENERAL, "en")
    for word in row["pattern"].split("|")
)
#: Who is asked after by name is answered from what stands about it.
PARTICULAR = frozenset({"company", "person"})


def cue(signal: str, question: str) -> str | None:
    """The words of a question that are a signal; None where it has none, or nobody knows such.

    >>> cue("reason", "毛利率为什么下降？"), cue("reason", "毛利率？")
    ('为什么', None)
    """
    pattern = _PATTERNS.get(signal)
    found = pattern.search(fold(question.strip())) if pattern else None
    return found[0] if found else None


def places(signal: str, question: str) -> list[tuple[int, int]]:
    """Where a question has the words of a signal, each as its start and end.

    >>> places("library", "库里这些公司有何风险？")
    [(0, 2), (2, 4)]
    """
    return [match.span() for match in _PATTERNS[signal].finditer(question)]


def asks_figure(question: str) -> bool:
    """Whether the answer to a question is a number.

    >>> asks_figure("2024年末在建工程余额，长江电力年报"), asks_figure("在建工程进展，长江电力年报")
    (True, False)
    >>> asks_figure("galaxy thermal sales 2Q25"), asks_figure("galaxy thermal sales drivers 2Q25")
    (True, False)
    """
    question = simplified(question.strip())
    figure = _PATTERNS["figure"]
    told = figure.search(question) or figure.search(without_aside(question))
    return bool(told or cue("terse", question))


def is_aside(clause: str) -> bool:
    """Whether a clause only says where an answer stands, or how to tell it.

    >>> is_aside("业绩说明会上披露的"), is_aside("年报里的净利润")
    (True, False)
    """
    return bool(_PATTERNS["aside"].fullmatch(clause))


def without_aside(question: str) -> str:
    """A question without what it ends with on where the answer stands, or how to tell it.

    >>> without_aside("2026年收入，西南中报点评怎么预测的"), without_aside("净利润，精确到万元")
    ('2026年收入', '净利润')
    """
    aside = _PATTERNS["aside"]
    while (shorter := aside.sub("", question)) and shorter != question:
        question = shorter
    return question


def wanted_kind(question: str) -> str:
    """What kind of answer a question asks for: boolean, name, names, number or text.

    >>> [wanted_kind(each) for each in ("营收是否超过10亿元？", "哪家公司最高？", "有哪些公司？")]
    ['boolean', 'name', 'names']
    >>> [wanted_kind(each) for each in ("净利润是多少？", "Did revenue grow?", "为什么亏损？")]
    ['number', 'boolean', 'text']
    """
    text = fold(question.strip())
    for signal, kind in (("some_of", "names"), ("one_of", "name"), ("whether", "boolean")):
        if _PATTERNS[signal].search(text):
            return kind
    return "number" if asks_figure(question) else "text"


def asks_reason(question: str) -> bool:
    """Whether a question asks why something is as it is: prose tells that, no table.

    >>> asks_reason("毛利率为什么下降？"), asks_reason("What drove the change in gross margin?")
    (True, True)
    >>> asks_reason("What was net income attributable to shareholders?")
    False
    """
    return bool(_PATTERNS["reason"].search(fold(question)))


def asks_whole(question: str) -> str | None:
    """The words by which a question asks for the whole, None where passages answer it.

    A figure stands in a passage; so does what is said of a company that the question names
    (`PARTICULAR`), which only the graph can tell.

    >>> asks_whole("储能产业链有哪些关键公司？")
    '产业链'
    >>> asks_whole("What risks do the companies have in common?")
    'in common'
    >>> asks_whole("行业整体毛利率是多少？"), asks_whole("毛利率为什么下降？")
    (None, None)
    """
    if asks_figure(question):
        return None
    text = fold(question)
    found = _PATTERNS["chain"].search(text) or _PATTERNS["whole"].search(text)
    return found[0] if found else None


def asks_chain(question: str) -> bool:
    """Whether a question asks who supplies whom.

    >>> asks_chain("上下游关系是什么？"), asks_chain("谁的毛利率高？")
    (True, False)
    """
    return bool(_PATTERNS["chain"].search(fold(question)))


def asks_latest(question: str) -> bool:
    """Whether a question asks for the newest view.

    >>> asks_latest("最新目标价是多少？"), asks_latest("What are the current liabilities?")
    (True, False)
    """
    return bool(_PATTERNS["latest"].search(fold(question)))


def asks_compared(question: str) -> bool:
    """Whether a question holds several against each other.

    >>> asks_compared("甲和乙谁的毛利率更高？"), asks_compared("甲的毛利率？")
    (True, False)
    """
    return bool(_PATTERNS["compared"].search(fold(question)))


def wanted_forms(question: str) -> tuple[str, ...]:
    """The forms of document that a question names, as the catalogue calls them.

    >>> wanted_forms("2024年年报与一季报"), wanted_forms("in its 8-K?"), wanted_forms("毛利率？")
    (('annual', 'quarter'), ('current',), ())
    """
    text = fold(question)
    forms = [signal for signal in _PATTERNS if signal.startswith(_FORM)]
    return tuple(form.removeprefix(_FORM) for form in forms if _PATTERNS[form].search(text))


def wanted_report(question: str) -> str:
    """The kind of report that is drawn for a question; empty where none is.

    >>> [wanted_report(each) for each in ("储能上下游有谁？", "板块如何联动？", "有何风险？")]
    ['industry_chain', 'sector_links', '']
    """
    if asks_chain(question):
        return "industry_chain"
    return "sector_links" if _PATTERNS["sectors"].search(fold(question)) else ""


def is_general(term: str) -> bool:
    """Whether a term only asks for the whole, and says nothing of what.

    >>> is_general("产业链"), is_general("关键公司"), is_general("chains"), is_general("储能")
    (True, True, False, False)
    """
    if term.isascii():
        return term in _GENERAL_ENGLISH
    left = term
    for signal in ("chain", "whole", _GENERAL):
        left = _PATTERNS[signal].sub("", left)
    return len(left) < 2 and left != term
