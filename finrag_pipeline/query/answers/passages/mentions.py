"""The figures of a text, each with what it tells and of what: 海外收入2亿元（+8%） has two of one
thing, what that was and how it has grown.

Which of them is asked for decides `valued`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import Quantity, prints_figure, quantities_in
from finrag_pipeline.query.answers.passages.counting import (
    RATES,
    counted,
    counted_as,
    counted_in_characters,
)
from finrag_pipeline.query.answers.passages.numbered import is_of_name
from finrag_pipeline.query.answers.passages.series import (
    Yearly,
    over_years,
    without_years,
    years_named,
)

#: What a figure tells: what something was, by what share it has grown, by how much it has changed.
Role = Literal["level", "growth", "change"]

_CLAUSE = re.compile(r"[，；。,;]")
#: What ends a sentence.
SENTENCE = re.compile(r"[。；;！？!?\n]")
#: What tells how far something changed, and not what it has become: 增长至.
_CHANGED = re.compile(
    r"(?:新增|净增|增[加长幅]|增厚|减少|下降|降低|下滑|降幅|跌幅|涨幅|提升|提高|上升|上涨|下跌|回升|回落|收窄|"
    r"多出|多了|(?<!多)少了|涨了|跌了|同[比增减]|环比|(?<!公允价值)变动|变化)(?![至到为达]|.{0,6}[至到达])|"
    r"(?:增长|变动|变化)率为?|增[速幅]为?|[涨跌降]幅为?|(?<![a-z])(?:yoy|qoq|y/y|q/q|cagr)(?![a-z])|"
    r"\b(?:grew|grown|up|down|rose|fell|increas\w+|decreas\w+|declin\w+)\b"
    r"(?!.{0,12} to\b)|\bgrowth\b",
    re.IGNORECASE,
)
#: What leads to what something became, whatever was said before it of how far it changed:
#: 以20.3%的年复合增速增至2030年的.
_BECAME = re.compile(
    r"[增升降减扩涨跌提][加长高升大少]?[至到达](?:\s*\d{4}\s*年末?的?)?[^\d，。；]{0,6}$"
)
_FELL = re.compile(
    r"(?:下降|降低|下滑|减少|下跌|跌|降幅|跌幅|回落|收窄|同减|少了|fell|down|decreas\w+|declin\w+)\W*"
    r"(?:了|幅度|约|by|[为达])*\W*$",
    re.IGNORECASE,
)
_ON_QUARTER = re.compile(r"环比|qoq|q/q|(?:较|比)上(?:一)?季|sequential", re.IGNORECASE)
#: What a figure that says nothing of its own subject stands behind: ，同比增长, （yoy.
_ON_ANOTHER = re.compile(
    r"[\s，,（(、]*(?:(?:相[较比]|较|比|与|而|但|并|且|分别|及)*(?:于)?"
    r"(?:上年|去年|上一年|年初|期初|上期|上季度?|同期|上年末|去年末|[\d一二三四季年月末底QqHh]+)*(?:同期)?(?:相比)?"
    r"(?:同比|环比|yoy|qoq|y/y|q/q|同)?[\s，,:：]*"
    r"(?:新增|净增|大幅|小幅|显著|微|有所|进一步|增长率?|增加|增幅|增速|减少|下降|降低|下滑|降幅|提升|提高|上升|上涨|下跌|跌|"
    r"回升|回落|收窄|变动|变化|增|减|降|升|涨|了|约|为|达|幅度?|率|了约|[-+＋−－↑↓%])*[\s]*)*",
    re.IGNORECASE,
)
#: A day or a month whose year is written short, as pages space it: 从10 年9 月到15 年10 月.
_SHORT_DATE = re.compile(r"(?<![\d.,])\d\d\s*年\s*\d{1,2}\s*月")
#: A month, which counts nothing: 4月出售.
_MONTH = re.compile(r"(?:1[0-2]|0?[1-9])\s*月(?![内龄均薪度])")
#: What a figure is held against stands so: 较2023年的6,967元.
_BASE = re.compile(
    r"(?:较(?![多大快高低好少小强])|相比|(?<!占)比(?![率例重值])|相较)于?[^，。；,;]{0,14}$|"
    r"(?:前值|原值|原先|此前|\bprior|\bprevious(?:ly)?)[\s：:为是]*$"
)
#: What joins a figure to the one before it, of which the same is told: 增长18%和2%.
_JOINED = re.compile(r"\s*(?:[和与及、/／]|以及|and)\s*")
#: What a share is by what stands behind it: 以20.3%的年复合增速.
_GROWTH_BEHIND = re.compile(
    r"\s*的?\s*(?:(?:年[均化]?)?(?:平均)?(?:复合)?(?:增速|增长率?(?![至到为])|增幅|速度(?:增|上升))|CAGR(?![A-Za-z]))",
    re.IGNORECASE,
)
_TORN = re.compile(r"[\u3400-\u9fff]\d $")
#: What another figure is told of counts nothing itself: 每10股派现4.5元.
_EACH = re.compile(r"每\s?$")
_BOUND = re.compile(r"\s*[或及]?以[上下]")
_BRACKET = re.compile(r"\s*[（(][^（）()]*$")


#: What parts a figure that names what it is of from the one before: ）、止血产品毛利率为77.4%.
_ITEM = re.compile(
    r"\s*[)）]?\s*、(?=[^、，\d]*[\u3400-\u9fff]{2}[^、，\d]*[率额量价比入润本用][为是达约]*\s*$)"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A figure of a text.

    Attributes:
        quantity: with the word by which it counts; what fell is negative.
        role: what it tells; None where that is open: a bare share in brackets.
        own: what the text says of it.
        start: where that begins.
        on_quarter: whether it compares with the quarter before.
        part: whether it stands in brackets behind a figure of which it is a part.
        wide: all that stands behind the figure before: 国外随着获证，实现收入0.38亿元.
    """

    quantity: Quantity
    role: Role | None
    own: str
    start: int
    on_quarter: bool = False
    wide: str = ""
    part: bool = False


def mentions_in(text: str, times: Sequence[ReportingPeriod]) -> list[Mention]:
    """The figures of a text that are no part of its times, in order of print.

    >>> told = "海外收入2.58亿元（-22.9%），毛利率提升3pct至35%，研发人员120人，同比减少8人"
    >>> [(str(each.quantity.number), each.role, each.own[:4]) for each in mentions_in(told, ())]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('2.58', 'level', '海外收入'), ('-22.9', 'growth', '海外收入'), ('3', 'growth', '毛利率提'),
     ('35', 'level', '毛利率提'), ('120', 'level', '研发人员'), ('-8', 'change', '研发人员')]
    >>> told = mentions_in("8英寸和12英寸晶圆收入分别下降18%和2%", ())
    >>> [(str(each.quantity.number), each.role) for each in told if each.quantity.unit == "%"]
    [('-18', 'growth'), ('-2', 'growth')]
    >>> [each.own for each in mentions_in("拟每10股派现4.5元", ())]
    ['拟每10股派现4.5元']
    >>> [each.own for each in mentions_in("预计2025-2026年营收分别为5/8亿元", ())]
    ['2025年预计营收分别为5', '2026年预计营收分别为8亿元']
    >>> told = "修补产品毛利率为69.4%（yoy+9.8pp）、止血产品毛利率为77.4%"
    >>> [each.own for each in mentions_in(told, ()) if each.role == "level"][-1]
    '止血产品毛利率为77.4%'
    >>> [each.quantity.text for each in mentions_in("从10 年9 月到15 年10 月净值为7.44", ())]
    ['7.44']
    """
    found: list[Mention] = []
    told = (each for each in _figures(text, times) if not _EACH.search(text, 0, each.start))
    every = [counted(each, text) for each in told]
    for number, each in enumerate(every):
        before = every[number - 1].end if number else 0
        behind = every[number + 1].start if number + 1 < len(every) else len(text)
        one = _mention(text, each, before, behind, found)
        if one.role == "change" and each.upper is not None:
            # 增长2万片至97万片: by how much, and to what
            changed = replace(one.quantity, upper=None)
            found.append(replace(one, quantity=changed))
            one = replace(one, quantity=replace(changed, value=each.upper), role="level")
        found.append(one)
    return _by_year(text, found)


def _by_year(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions with those of a list over years each of its own year: they say what its first one
    does."""
    yearly = over_years(text, [each.quantity for each in mentions])
    leads = {each.quantity.start: each for each in mentions}
    found: list[Mention] = []
    for each in mentions:
        one = yearly.get(each.quantity.start)
        if one is None:
            found.append(each)
            continue
        lead = leads[one.first]
        quantity = one.quantity
        if lead.quantity.value < 0 < quantity.value and lead.quantity.text[:1] not in "-−－":
            quantity = replace(quantity, value=-quantity.value, number=-quantity.number)
        wider = lead.start - (len(lead.wide) - len(lead.own))
        own, wide = (_of_year(text, begins, one) for begins in (lead.start, wider))
        found.append(replace(lead, quantity=quantity, own=own, wide=wide))
    return found


def _of_year(text: str, start: int, one: Yearly) -> str:
    """What a text says of a figure of a list, from a place on: of its year alone."""
    said = without_years(text[start : one.first]).lstrip("，,、； ")
    return f"{one.year}年{said}{one.quantity.text}"


def counts(question: str, text: str) -> bool:
    """Whether a text has a figure that is counted in what a question asks for, in digits or in
    characters: 六个国家; its times are none.

    >>> counts("冷饮库存量多少", "冷饮收入95.67亿元"), counts("冷饮库存量多少", "冷饮库存6.8万吨")
    (False, True)
    >>> counts("多少个国家", "遍及六个国家"), counts("每股作价多少", "2022年12月23日公告获批")
    (True, False)
    """
    told = [counted(each, text) for each in _figures(text, list(periods_in(text)))]
    return any(counted_as(question, each) for each in told) or (
        not told and counted_in_characters(question, text)
    )


def is_torn(text: str, quantity: Quantity) -> bool:
    """Whether a page prints the first digit of a figure apart: 有4 6%的专家 may be 46% or 6%."""
    return _TORN.search(text[: quantity.start]) is not None


def _mention(
    text: str, quantity: Quantity, before: int, behind: int, earlier: Sequence[Mention]
) -> Mention:
    lead = text[before : quantity.start]
    start = _opening(text, before, quantity.start)
    clause = text[start : quantity.start]
    role = _role(quantity, lead if before else clause, clause)
    if role == "level" and quantity.unit in RATES and _GROWTH_BEHIND.match(text, quantity.end):
        role = "growth"
    base = earlier[-1] if earlier else None
    joined = base is not None and _JOINED.fullmatch(lead) and base.quantity.unit == quantity.unit
    if base is not None and joined and base.role in ("growth", "change"):
        role = base.role
    bracketed = base is not None and _BRACKET.fullmatch(lead)
    if base is not None:
        before_it = role == "level" and bool(_BASE.search(lead))
        if role in ("growth", "change"):  # how that has changed
            own_subject = not bracketed and bool(clause.strip())
            on_base = not own_subject or any(map(_ON_ANOTHER.fullmatch, (lead, clause)))
        else:  # what it was before; a share of it; 提升3pct至35%
            on_base = before_it or clause.startswith("占") or not _CLAUSE.search(lead)
        item = _ITEM.match(lead)
        start = before + item.end() if item else base.start if on_base else start
        role = None if before_it else role
    if _BOUND.match(text, quantity.end):
        role = None  # 5%或以上 holds for many
    end = _CLAUSE.search(text, quantity.end, behind)
    own = text[start : end.start() if end else behind]
    fell = bool(_FELL.search(lead)) or bool(joined and base and base.quantity.value < 0)
    if fell and role in ("growth", "change") and quantity.value > 0:
        quantity = replace(quantity, value=-quantity.value, number=-quantity.number)
    sentence = max((each.end() for each in SENTENCE.finditer(text, before, start)), default=before)
    wide = text[min(start, sentence) : start] + own
    opened = max(text.rfind(mark, 0, quantity.start) for mark in "（(")
    closed = max(text.rfind(mark, 0, quantity.start) for mark in "）)")
    # 1,036家（三级医院133家/医共体16家）
    part = opened > closed and any(
        each.quantity.end <= opened
        and opened - each.quantity.end <= 1
        and each.quantity.unit == quantity.unit
        for each in earlier
    )
    return Mention(quantity, role, own, start, bool(_ON_QUARTER.search(lead)), wide, part)


def _role(quantity: Quantity, lead: str, clause: str) -> Role | None:
    said = _CLAUSE.split(lead)[-1] or clause
    if (bracket := _BRACKET.search(said)) and not _ON_ANOTHER.fullmatch(bracket[0]):
        said = bracket[0]  # 毛利率下降较多（毛利率24%）: what the bracket says by itself
    changed = bool(_CHANGED.search(said)) and not _BECAME.search(said)
    if quantity.unit in RATES:
        if changed or quantity.unit in ("pp", "bp"):
            return "growth"
        if _BRACKET.fullmatch(lead):
            # （-73.51%） says how far it changed, （12%） may be a share
            return "growth" if quantity.text[:1] in "+-−＋－" or lead[-1] in "+-−＋－" else None
        return "level"
    return "change" if changed else "level"


def _figures(text: str, times: Sequence[ReportingPeriod]) -> list[Quantity]:
    named = [(each.start, each.end) for each in times] + [span for span, _ in years_named(text)]
    return [
        each
        for each in quantities_in(text)
        if prints_figure(each.text)
        and not _MONTH.match(text, each.start)
        and not _SHORT_DATE.match(text, each.start)
        and not is_of_name(text, each)
        and not any(start < each.end and each.start < end for start, end in named)
    ]


def _opening(text: str, start: int, end: int) -> int:
    """Where what is said of a figure begins that ends at a place: with its sentence, or with the
    clause behind the figure before it, which ends at `start`."""
    mark = _CLAUSE if start else SENTENCE
    return max((match.end() for match in mark.finditer(text, start, end)), default=start)
