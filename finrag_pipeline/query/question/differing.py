"""How far two figures lie apart, as a question for each: 比一年前多了几个."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.question.alike import with_another
from finrag_pipeline.query.question.relating import YEAR, year_before

_TIME = (
    r"(?:(?:19|20)?\d\d\s*年?(?:[hHqQ][1-4]|[上下]半年|全年|[一二三四]季度|(?:年?[中末底初])|\d{1,2}月[末底]?)?"
    r"|[1-4][qQ]\d\d|[hH][12]\s?\d\d)"
)
_BEFORE = r"(?:一年(?:前|以前)|(?:上一?年|去年|前一年)(?:同期|同季度?|末|底)?|年初|期初)"
_MORE = (
    r"净?(?:[多少高低升降涨跌掉贵长短快慢]|便宜|增加|增长|减少|下降|上升|提高|提升|上涨|下跌|回落)"
    r"(?:出|了)?"
)
#: 25H1的项目比24H1多了几个; what was done stands between: 多发了多少度.
_THAN = re.compile(
    rf"^(?P<head>.+?)[，,]?(?:(?:比|较)(?P<base>{_TIME}|{_BEFORE})的?时?(?:要|会|将)?{_MORE}|"
    r"同比[多少高低]了?)(?P<done>[\u3400-\u9fff]?)了?(?P<rest>(?:多少|几)(?!倍|成|%).*)$"
)
#: One of a kind with another: 中证1000里的均值比沪深300高多少.
_THAN_ANOTHER = re.compile(
    rf"^(?P<head>.+?)[，,]?(?:比|较)(?P<base>[^，,]{{2,12}}?)(?:的时候)?(?:要|会|将)?{_MORE}"
    r"(?P<done>)(?P<rest>(?:多少|几)(?!倍|成|%).*)$"
)
#: The change in X between A and B; how much X rose from A to B.
_CHANGED_BETWEEN = re.compile(
    r"(?:\b(?:change|difference|increase|decrease|rise|fall|decline|drop) in (?P<head>.+?)|"
    r"\bhow much did (?P<named>.+?) (?:change|grow|rise|increase|fall|decline|drop))"
    r",? (?:between|from) (?P<base>[^?]+?) (?:and|to) (?P<end>[^?]+?)(?:,? in [\w\s]+)?[?.]?$",
    re.IGNORECASE,
)
#: 从2023年到2028年要多出多少钱
_FROM = re.compile(
    rf"^(?P<head>.*?)从(?P<base>{_TIME})(?:到|至)(?P<end>{_TIME})(?:[要会将]|预计)?{_MORE}"
    r"(?P<done>[\u3400-\u9fff]?)了?(?P<rest>(?:多少|几)(?!个?(?:百分)?点|倍|成|%).*)$"
)
#: 东岫4月和铭沄6月对星河2025年净利润的预测相差多少
_OF_HOUSES = re.compile(
    r"^(?P<one>[^，,]{2,14}?)[和与跟](?P<other>[^，,]{2,14}?)对(?P<what>[^，,]+?)"
    r"(?:之间)?(?:相差|差了?|差距|差额|差异)(?:是|有|为)?(?:大概|大约)?(?:多少|几|多大).*$"
)
_OPENING = frozenset(("年初", "期初"))
_SINCE = re.compile(r"^(?:以来|至今|迄今|以后|起)")


def figures_apart(
    question: str, periods: Sequence[ReportingPeriod], names: Sequence[str] = ()
) -> tuple[str, str] | None:
    """The questions for the figure at the later and at the earlier time, or of one thing and of
    another; None where a question does not ask how far two lie apart.

    Args:
        periods: the times that it names.
        names: of firms, places and things that it has.

    >>> from finrag_pipeline.grammar.periods import periods_in
    >>> def read(question):
    ...     return figures_apart(question, list(periods_in(question, "question")))
    >>> read("药明25H1的商业化项目比24H1多了几个")
    ('药明25H1的商业化项目有几个', '药明24H1的商业化项目有几个')
    >>> read("药明2025年上半年的项目比一年前多了几个")[1]
    '药明2024年上半年的项目有几个'
    >>> read("长电2025年比2024年多发了多少度电")
    ('长电2025年发了多少度电', '长电2024年发了多少度电')
    >>> read("星河25年6月底存货比年初涨了多少金额")[1]
    '星河24年末存货有多少金额'
    >>> read("甲证券4月和乙证券6月对星河2025年净利润的预测相差多少？")[1]
    '乙证券6月对星河2025年净利润的预测是多少'
    >>> read("应收账款2024年末同比多多少")[1]
    '应收账款2023年末有多少'
    >>> read("诊疗市场从2023年到2028年要多出多少钱")
    ('诊疗市场2028年有多少钱', '诊疗市场2023年有多少钱')
    >>> read("因子在中证1000里的均值比沪深300高多少个百分点")
    ('因子在中证1000里的均值有多少个百分点', '因子在沪深300里的均值有多少个百分点')
    >>> read("十分组里第10组年化收益比第1组高多少个百分点")[1]
    '十分组里第1组年化收益有多少个百分点'
    >>> figures_apart("24Q4甲公司产能利用率比乙公司高几个百分点", [], ["甲公司", "乙公司"])[1]
    '24Q4乙公司产能利用率有几个百分点'
    >>> read("Change in Galaxy's inventories between August 3, 2024 and May 3, 2025, in dollars")[0]
    "how much was Galaxy's inventories at May 3, 2025"
    >>> read("毛利率比去年高了几个百分点"), read("营收是多少")
    (None, None)
    """
    question = question.strip()
    if between := _CHANGED_BETWEEN.search(question):
        head = between["head"] or between["named"]
        later, earlier = (f"how much was {head} at {between[at]}" for at in ("end", "base"))
        return later, earlier
    if houses := _OF_HOUSES.match(question):
        one, other = (f"{houses[at]}对{houses['what']}是多少" for at in ("one", "other"))
        return one, other
    over = _FROM.match(question)
    match = over or _THAN.match(question)
    if match is None:
        return _one_and_another(question, names)
    head, base = match["head"], match["base"]
    tail = f"{_asks(match['done'])}{match['rest']}"
    if over:
        return f"{head}{over['end']}{tail}", f"{head}{base}{tail}"
    named = [each for each in periods if each.text and each.end <= len(head)]
    if not named:
        return None
    last = named[-1]
    if base in _OPENING and (year := YEAR.search(last.text)):
        base = f"{year_before(year)}年末"
    if base is None or not re.fullmatch(_TIME, base):
        base = YEAR.sub(year_before, last.text, count=1)
        if base == last.text:
            return None
    rest = _SINCE.sub("", head[last.end :])
    return f"{head}{tail}", f"{head[: last.start]}{base}{rest}{tail}"


def compares_things(question: str) -> bool:
    """Whether a question asks by how much the figure of one thing exceeds that of another.

    >>> [compares_things(f"甲公司毛利率比{base}高几个点") for base in ("乙公司", "去年", "24H1")]
    [True, False, False]
    """
    match = _THAN_ANOTHER.match(question.strip())
    return match is not None and not re.fullmatch(rf"{_TIME}|{_BEFORE}", match["base"])


def _one_and_another(question: str, names: Sequence[str]) -> tuple[str, str] | None:
    """The questions for the figure of what a question names and of another of its kind."""
    match = _THAN_ANOTHER.match(question)
    if match is None:
        return None
    other = with_another(match["head"], match["base"], names)
    tail = f"有{match['rest']}"
    return (f"{match['head']}{tail}", f"{other}{tail}") if other else None


def _asks(done: str) -> str:
    return f"{done}了" if done else "有"
