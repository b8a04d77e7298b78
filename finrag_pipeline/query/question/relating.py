"""How much a hundred one figure is of another, or has grown from it, or what both come to, as a
question for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.question.adding import figures_together
from finrag_pipeline.query.question.alike import with_another

#: What grew by how much a hundred, and what is a part of what.
_GROWN = re.compile(
    r"^(?P<head>.+?)的?(?:(?:同比)?(?:增[长速幅]率?|变动率|增减幅度?|增长)(?:了)?(?:是|为|有)?(?:多少|百分之[几多]少?)?"
    r"|同比(?:上?涨|下?[降跌滑]|提高|提升|减少)了?(?:多少|百分之[几多]少?))[？?]?$"
)
#: How much a hundred it grew between two years that are named.
_GROWN_FROM = re.compile(
    r"^(?P<head>.+?)[，,]?(?:比|较|相比)(?P<base>(?:19|20)?\d\d年?(?:末|底)?)(?:时|的)?"
    r"(?:增长|上涨|提高|增加|[涨增])了?百分之(?:几|多少)[？?]?$"
)
_SHARE = re.compile(
    r"^(?P<head>.+?)[，,]?(?:大[约概])?占(?!比)(?:了|到)?(?P<whole>[^，,]{2,16}?)(?:里面?|中)?的?"
    r"(?:(?:多大|多少)的?(?:比重|比例|份额|百分比)|(?:比重|比例|份额|百分比)(?:大[约概])?(?:是|为|有)?(?:多少|多大|百分之(?:几|多少))?"
    r"|百分之(?:几|多少)|多少|几成|几个(?:百分)?点)[？?]?$"
)
#: How a whole is called for short: 全员 are all who are employed.
_WHOLES = {"全员": "员工总数", "全体员工": "员工总数", "总营收": "营业总收入"}
#: X as % of Y
_SHARE_AS = re.compile(
    r"^(?P<part>.+?) as (?:an? )?(?:%|per ?cent(?:age)?|share|proportion) of "
    r"(?P<whole>[^?]+?)[?.]?$",
    re.IGNORECASE,
)
_BY_PERCENT = r"\bby (?:what|how many) (?:percent(?:age)?|per cent)\b.*?"
_GREW = (
    r"(?:grow|grown|rise|risen|increased?|changed?|fall|fallen|declined?|drop|dropped|"
    r"expand(?:ed)?)"
)
_YEAR_ON_YEAR = (
    r"(?:year[- ](?:on|over)[- ]year|yoy|y/y|from (?:a|the) (?:year|period) (?:ago|earlier|before))"
)
#: By what percentage did X grow between A and B.
_GROWN_BETWEEN = re.compile(
    rf"{_BY_PERCENT}\b(?:did|has|have) (?P<head>.+?) {_GREW} (?:between|from) "
    r"(?P<base>.+?) (?:and|to) (?P<end>[^?]+)",
    re.IGNORECASE,
)
#: How fast did X grow year on year in A; X's growth in A; year-over-year growth of X in A.
_GROWN_IN = (
    re.compile(
        rf"(?:\bhow (?:fast|much|quickly) |{_BY_PERCENT})\b(?:did|has|have) (?P<head>.+?) {_GREW}\b"
        rf"(?P<rest>[^?]*?)[?.]?$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_YEAR_ON_YEAR} (?:percent(?:age)? )?(?:growth|change|increase|decrease|decline) "
        r"(?:rate )?(?:of|in) (?P<head>.+?)(?P<rest> (?:for|in|during) [^?]*?)[?.]?$",
        re.IGNORECASE,
    ),
)
#: What share of the whole came from, belonged to, or was a part.
_SHARE_OF = re.compile(
    r"\b(?:what|which|how much of a) "
    r"(?:share|percent(?:age)?|proportion|fraction|part|portion|per cent) of (?P<whole>.+?) "
    r"(?:(?:did|do|does|has|have) (?P<maker>.+?) "
    r"(?:make up|account for|represent|contribute|provide|bring in)|"
    r"(?:came|comes?|is|was|were|are|derived?|stemmed?|belong(?:ed|s)?)"
    r"(?: (?:earned|generated|made|spent|held|represented|contributed|accounted for|attributable|"
    r"related|due))?(?: (?:from|to|by|in|on|of|for|with))? (?P<part>[^?]+?))[?.]?$",
    re.IGNORECASE,
)
#: 甲是乙的几倍; X was how many times Y.
_MULTIPLE = (
    re.compile(
        r"^(?P<head>.+?)[，,]?(?:大[约概])?(?:是|相当于|为)(?P<base>[^，,是]{2,16}?)的?(?:大[约概])?"
        r"(?:多少|几)倍[？?]?$"
    ),
    re.compile(
        r"^(?P<head>.+?) (?:was|were|is|are) how many times (?P<base>[^?]+?)[?.]?$", re.IGNORECASE
    ),
)
_ON_QUARTER = re.compile(r"环比|较上(?:一)?季|quarter[- ](?:on|over)[- ]quarter|\bqoq\b|sequential")
#: Who asks for more than one figure, or for anything else.
_OTHERWISE = re.compile(
    r"为[何啥]|为什么|原因|怎么|如何|哪|谁|是否|是不是|[吗嘛]|什么|分别|各[^种类项国]|各占|\b(?:why|each|respectively)\b",
    re.IGNORECASE,
)
#: The number of a year, for which that before is asked for.
YEAR = re.compile(r"(?:19|20)?\d\d")
_FULL_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Related:
    """Questions for two figures and how the one stands to the other: by how much
    a hundred it has grown from it, how much a hundred of it it is, what it makes with it, how many
    times it it is."""

    how: Literal["growth", "share", "sum", "multiple"]
    one: str
    other: str


def asks_multiple(question: str) -> bool:
    """Whether a question asks how many times another figure one is.

    >>> asks_multiple("甲的销量是乙的几倍"), asks_multiple("甲的销量增长了几倍")
    (True, False)
    """
    return any(each.match(question.strip()) for each in _MULTIPLE)


def figures_related(
    question: str, periods: Sequence[ReportingPeriod], company: str, names: Sequence[str] = ()
) -> Related | None:
    """The questions for two figures of which a growth, a share or the sum is asked; None where
    none is.

    Args:
        periods: the times that it names.
        company: as it names it; empty where it names none.
        names: of firms, places and things that it has.

    >>> from finrag_pipeline.grammar.periods import periods_in
    >>> def read(question):
    ...     return figures_related(question, list(periods_in(question, "question")), "星河")
    >>> read("星河2024年营业收入同比增速")
    Related(how='growth', one='星河2024年营业收入是多少', other='星河2023年营业收入是多少')
    >>> read("星河2024年售后服务费占销售费用的比重是多少").other
    '星河2024年销售费用是多少'
    >>> read("星河研发人员占全员多少比例")
    Related(how='share', one='星河研发人员是多少', other='星河员工总数是多少')
    >>> read("How fast did Galaxy's sales in Asia grow year on year in 2025?").other
    "how much was Galaxy's sales in Asia in 2024"
    >>> read("What share of Galaxy's 2025 sales came from pumps?").one
    "how much was Galaxy's 2025 sales from pumps"
    >>> read("星河2024年铜箔和铝箔加起来卖了多少吨").how
    'sum'
    >>> figures_related("2025年甲国确诊人数是乙国的几倍", [], "", ["甲国", "乙国"]).other
    '2025年乙国确诊人数是多少'
    >>> read("星河2025年营收是2023年的几倍").other
    '星河2023年营收是多少'
    >>> read("星河2025年收入较2023年增长了百分之多少").other
    '星河2023年收入是多少'
    >>> read("星河研发人员平均薪酬24年同比涨了多少").other
    '星河研发人员平均薪酬23年是多少'
    >>> read("Galaxy FY24: pump sales as % of total sales").other
    'how much was 星河 FY24 total sales'
    >>> read("星河海外客户的占比是多少") is None
    True
    >>> read("星河三季度营收环比增速"), read("星河2024年利润增速为何高于收入增速")
    (None, None)
    """
    question = question.strip()
    if _ON_QUARTER.search(question) or _OTHERWISE.search(question):
        return None
    if multiple := _of_another(question, periods, names):
        return Related("multiple", *multiple)
    if together := figures_together(question, periods, company):
        return Related("sum", *together)
    return _in_english(question, periods, company) or _in_chinese(question, periods, company)


def _of_another(
    question: str, periods: Sequence[ReportingPeriod], names: Sequence[str]
) -> tuple[str, str] | None:
    """The questions for the figure of what a question names, and of another time or thing."""
    match = next((found for each in _MULTIPLE if (found := each.match(question))), None)
    if match is None:
        return None
    head, base = match["head"], match["base"].removesuffix("’s").removesuffix("'s")
    named = [each for each in periods if each.text and each.end <= len(head)]
    if any(each.text == base for each in periods):
        last = named[-1] if named else None
        other = f"{head[: last.start]}{base}{head[last.end :]}" if last else None
    else:
        other = with_another(head, base, names)
    if other is None:
        return None
    asks = _how_much if head.isascii() else "{}是多少".format
    return asks(head), asks(other)


def _in_english(question: str, periods: Sequence[ReportingPeriod], company: str) -> Related | None:
    if share := _SHARE_AS.match(question):
        when = (each.text for each in periods if each.text and each.text not in share["whole"])
        context = " ".join(dict.fromkeys(filter(None, (company, *when))))
        part = re.sub(r"\s*[:：]\s*", " ", share["part"])
        return Related("share", _how_much(part), _how_much(f"{context} {share['whole']}"))
    if between := _GROWN_BETWEEN.search(question):
        one, other = (_how_much(f"{between['head']} at {between[at]}") for at in ("end", "base"))
        return Related("growth", one, other)
    if share := _SHARE_OF.search(question):
        whole, part = share["whole"], share["part"] or share["maker"]
        return Related("share", _how_much(f"{whole} from {part}"), _how_much(f"total {whole}"))
    grown = next((found for each in _GROWN_IN if (found := each.search(question))), None)
    if grown is None:
        return None
    told = re.sub(rf",?\s*{_YEAR_ON_YEAR}", "", f"{grown['head']}{grown['rest']}", flags=re.I)
    years = set(_FULL_YEAR.findall(told))
    if len(years) != 1:
        return None  # of two years it is between them, and of none nobody knows
    [year] = years
    return Related("growth", _how_much(told), _how_much(told.replace(year, str(int(year) - 1))))


def _how_much(what: str) -> str:
    return f"how much was {what.strip(' ,')}"


def _in_chinese(question: str, periods: Sequence[ReportingPeriod], company: str) -> Related | None:
    named = list({each.start: each for each in periods if each.text}.values())
    if (over := _GROWN_FROM.match(question)) and len(named) == 2:
        head, [first, _] = over["head"], named
        if first.end <= len(head):
            before = f"{head[: first.start]}{over['base']}{head[first.end :]}"
            return Related("growth", f"{head}是多少", f"{before}是多少")
    if len(named) > 1:
        return None
    times = [each.text for each in named]
    if match := _SHARE.match(question):
        whole = _WHOLES.get(match["whole"], match["whole"])
        context = "".join(each for each in (company, *times) if each not in whole)
        return Related("share", f"{match['head']}是多少", f"{context}{whole}是多少")
    match = _GROWN.match(question)
    if match is None or not named or named[0].end > len(match["head"]):
        return None
    head = match["head"]
    base = YEAR.sub(year_before, named[0].text, count=1)
    if base == named[0].text:
        return None
    before = f"{head[: named[0].start]}{base}{head[named[0].end :]}"
    return Related("growth", f"{head}是多少", f"{before}是多少")


def year_before(match: re.Match[str]) -> str:
    """The year before that of a match of `YEAR`, in as many digits."""
    return str(int(match[0]) - 1).zfill(len(match[0]))
