"""A figure that says itself that it is not the one asked for: of another time, in another unit.

Figures of statements are looked up by metric and period; those that are read from rows and
sentences are held against the question once more, whoever reads them.
"""

from __future__ import annotations

import re

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import Quantity, quantities_in
from finrag_pipeline.query.answers.counted import counts_otherwise, is_in_another_unit
from finrag_pipeline.query.answers.passages.saying import OF_PLAN
from finrag_pipeline.query.answers.passages.synonyms import others
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.writers import Json
from finrag_pipeline.query.grounding.spans import Span

#: A time that is asked for beside those that are named.
_BESIDE = re.compile(
    r"[上前去]一?年|同期|[期年]初|上期|\b(?:prior|previous|last|preceding) (?:year|quarter|period)",
    re.IGNORECASE,
)
#: What parts a time from a figure that is none of it.
_BEYOND = re.compile(
    r"[，,；;]|\d.*(?:增|减|升|降|提高|扩大|收窄|[多少高低])|(?:增长|增加|减少|[上提]升|下[降滑跌]|回落|提高|"
    r"扩大|收窄)(?!率|幅|速)|\b(?:to|up|down|increas|decreas|rose|fell|grew)",
    re.IGNORECASE,
)
_MONTH = re.compile(r"(?<![年度\d])(?:1[0-2]|0?[1-9])月")
#: How far a number may be from the same as JSON has it.
_SAME = 1e-6
#: Figures that are told one after the other for times one after the other.
_IN_TURN = re.compile(r"分别|依次|\brespectively\b|\d\s*[/／、]\s*[-+]?\d", re.IGNORECASE)
#: What is left out of a figure; the characters by which a text is known to speak of it.
_LEFT_OUT = re.compile(r"(?:不含|不包括|不算|剔除|除去|刨除|扣掉)(?P<what>[\u3400-\u9fff]{2,6})")
_SHORT = 2
#: The same as a text says it behind its figure.
_WITHOUT = re.compile(r"[（(](?:不含|不包括|不包含|剔除|未含)(?P<what>[^（）()]{2,16})[)）]")
#: A rate by its name, and the share of a whole.
_RATE_ASKED = re.compile(r"(?:利润|净利|毛利|费用|回报|收益|利用|周转|复购|续费|不良|换手|翻台)率")
_RATES = re.compile(r"([\u3400-\u9fff]{2,6})率(?![先领])")
_SHARE = re.compile(r"[占佔]比|比重|份[额額]|[占佔].{0,12}(?:几成|多少|比例)")
#: What was spent until a time, and in one.
_SPENT_IN_ALL = re.compile(r"(?:累计|一共|总共|总计|到.{2,12}[底末止]).{0,6}(?:投|花|砸|用了|使用)")
_ONE_YEAR, _IN_ALL = re.compile(r"本[年期]|当[年期]|报告期内|本报告期"), re.compile(r"累计|截至")
#: What a figure is only held against: 较2024年的3亿元增长.
_COMPARED = re.compile(
    r"(?:[较比]|相比|对比|不?[高低]于|自|从|由|\b(?:from|than|versus|vs\.?|against))\s*$",
    re.IGNORECASE,
)


def is_told_of_another_time(wanted: Wanted, text: str, number: float) -> bool:
    """Whether the time that stands last before a figure in its sentence is none that is asked for:
    2024年发电计划完成情况及2025年计划：2024年发电量为2959亿千瓦时.

    Args:
        text: the sentence.
        number: the figure, in base units.
    """
    if not wanted.times.asked or _BESIDE.search(wanted.question) or _IN_TURN.search(text):
        return False
    places = [each.start for each in quantities_in(text) if _is(each, number)]
    if len(places) != 1:
        return False
    before = [
        each
        for each in periods_in(text)
        if each.end <= places[0] and not OF_PLAN.match(text, each.end)
    ]
    # 良品率提升至12月的95.2%: of which year that month is its sentence leaves open
    if not before or _MONTH.search(text, before[-1].end, places[0]):
        return False
    # 较2024年的3亿元增长2%: of the time it is held against is the first figure behind it
    beyond = _BEYOND.search(text[before[-1].end : places[0]])
    if beyond and _COMPARED.search(text[: before[-1].start]):
        return False
    own = Span(before[-1].first_on, before[-1].last_on)
    return wanted.times.agreement([own], Time.NAMED) == Time.OTHER


def _is(quantity: Quantity, number: float) -> bool:
    return abs(abs(float(quantity.value)) - abs(number)) <= _SAME * max(abs(number), 1.0)


def holds_what_is_left_out(question: str, text: str) -> bool:
    """Whether a text tells of something together with what a question leaves out.

    >>> holds_what_is_left_out("液压泵（不含马达）卖了多少", "液压泵及马达收入8.63亿元")
    True
    >>> holds_what_is_left_out("收入多少，不含税", "收入8.63亿元（不含税）")
    False
    """
    gone = (each["what"] for each in _LEFT_OUT.finditer(question))
    return any(
        re.search(rf"[和与及、/]\s*{re.escape(each[:_SHORT])}", text)
        and not re.search(rf"(?:不含|不包括|剔除|除)\S{{0,4}}{re.escape(each[:_SHORT])}", text)
        for each in gone
    )


def is_share_and_no_rate(question: str, text: str) -> bool:
    """Whether a rate is asked for by its name, and a text has a share of a whole.

    >>> is_share_and_no_rate("门店的经营利润率是多少", "潮记小馆 佔比")
    True
    >>> is_share_and_no_rate("占比多少", "占比")
    False
    """
    asks = _RATE_ASKED.search(question) and not _SHARE.search(question)
    return bool(asks) and bool(_SHARE.search(text)) and not _RATE_ASKED.search(text)


def is_another_rate(question: str, text: str) -> bool:
    """Whether a rate is asked for by its name, and a text names others alone.

    >>> [is_another_rate("产能利用率多少", each) for each in ("毛利率 台积电", "利用率", "产能")]
    [True, False, False]
    >>> [is_another_rate(*each) for each in (("不良率", "不良贷款率"), ("稼动率", "产能利用率"))]
    [False, False]
    """
    asks, told = _RATES.findall(question), _RATES.findall(text)
    if not asks or not told:
        return False
    if {each[-1] for each in asks} & {each[-1] for each in told}:
        return False  # 月胜率, 月度胜率
    words = "\n".join((question, *(way for each in asks for way in others(f"{each[-2:]}率"))))
    pairs = (each[at : at + 2] for each in told for at in range(len(each) - 1))
    return not any(pair in words for pair in pairs)


def is_of_one_year(question: str, text: str) -> bool:
    """Whether a row says that its figure was spent in one year, where all that was spent until
    then is asked for.

    >>> asked = "研发中心到2025年6月底一共砸进去多少"
    >>> is_of_one_year(asked, "研发中心 本年投入金额"), is_of_one_year(asked, "研发中心 累计投入")
    (True, False)
    """
    asks = _SPENT_IN_ALL.search(question)
    return bool(asks and _ONE_YEAR.search(text) and not _IN_ALL.search(text))


def leaves_out_what_is_asked(wanted: Wanted, text: str) -> bool:
    """Whether a text says of its figure that it is without what is asked for: 员工4,287人
    （不含外包骑手） are no 骑手."""
    if _LEFT_OUT.search(wanted.question):
        return False
    gone = "\n".join(each["what"] for each in _WITHOUT.finditer(text))
    return any(each in gone and each not in _WITHOUT.sub("", text) for each in wanted.terms)


def contradicts(wanted: Wanted, value: Json) -> bool:
    """Whether a figure, as JSON has it, is of no time that is asked for by its own row or sentence,
    or counted in another unit than is asked for."""
    question = wanted.question
    if counts_otherwise(question, value) or is_in_another_unit(question, value):
        return True
    if not wanted.times.asked or _BESIDE.search(question):
        return False
    own = list(periods_in(str(value.get("period") or ""), "heading"))
    if not own:
        return False
    span = Span(min(each.first_on for each in own), max(each.last_on for each in own))
    return wanted.times.agreement([span], Time.NAMED) == Time.OTHER
