"""A change on the year before that is spelled out, 较上年增长了百分之几, said as it is printed."""

from __future__ import annotations

import re

_YEAR = r"(?P<year>(?:19|20)\d\d)\s*年?"
_BEFORE = rf"(?:上一?年度?|前一年度?|去年|{_YEAR})"
_SAME = (
    r"(?P<same>度|[年全]?[末底](?:时)?|全年|同期|同季|同一?季度?|同一?时期|同?上半年|"
    r"同?(?:前三|第?[一二三四])季度?)?"
)
_BEHIND = r"(?:的?(?:水平|数字|数据|情况))?(?:相?比较?|相较|而言|来看|来说)?"
_WITH = r"(?:相?较(?:之|于)?|相比(?:之下|于)?|相对(?:于)?|对比|比起?|与|同|和|跟)"
_AGAINST = rf"[，,]?\s*{_WITH}其?{_BEFORE}{_SAME}{_BEHIND}[，,]?"
_MOVE = (
    r"(?:增长|增加|提高|提升|上升|上涨|下降|下滑|下跌|减少|降低|扩大|缩小|收缩|增减|"
    r"变动|变化|改善|高出|多出?|少|涨|跌|降|升|高|低)"
)
_BY = (
    r"(?:百分之(?:几|多少)|多少个?百分(?:之|比|点)|几个(?:百分)?点|"
    r"多少(?=[？?。，,\s]|$)|几个p(?:p|ct)|多大)"
)
#: 较上年增长了百分之几, 与去年同期相比，变动幅度是多少; what stands at a day counts as well.
_MOVED = (
    rf"(?P<move>{_MOVE})(?:或者?{_MOVE})?(?:了|的)?"
    rf"(?:幅度|比例|百分比|比率|程度|速度)?(?:是|为|达到?|有|约|大约|大概)*(?P<by>{_BY})"
)
_SPELT = re.compile(rf"{_AGAINST}(?:的|是|又|究竟|大约|总共)*{_MOVED}")
#: The same with what changed in between: 与前一年度相比，每股收益变动了百分之几.
_AHEAD = re.compile(rf"^{_WITH}{_BEFORE}{_SAME}{_BEHIND}[，,](?P<what>[^，,？?]{{4,40}}?){_MOVED}")
_YEARS = re.compile(r"(?:19|20)\d\d")
#: The end of a year, which is no time a year before where a part of the next one is asked for.
_YEAR_END = re.compile(r"[末底]")
_PART_OF_YEAR = re.compile(
    r"季|上半年|半年|H1|Q[1-3]|9M|(?<![\d-])[1-9]\s*月|[一二三四五六七八九]月|中期", re.IGNORECASE
)
#: What is higher than the year before has risen.
_MOVES = {"高": "提高", "低": "降低"}


def as_printed(question: str) -> str:
    """A question with a change on the year before as statements print it; as it is where it spells
    none out, or one on another year.

    >>> as_printed("成都先导2025年前三季度毛利与上年同期相比，变动幅度是百分之多少？")
    '成都先导2025年前三季度毛利同比变动百分之几？'
    >>> as_printed("格力2025年的营业收入相较2024年，增减的百分比是多少")
    '格力2025年的营业收入相比2024年增减百分之几'
    >>> as_printed("与前一年度相比，伊利2024年每股收益变动了百分之多少")
    '伊利2024年每股收益同比变动百分之几'
    >>> as_printed("2023年毛利率相对2022年变动了几个百分点")
    '2023年毛利率相比2022年变动几个百分点'
    >>> as_printed("伊利2024年毛利率比2023年高几个点")
    '伊利2024年毛利率相比2023年提高几个百分点'
    >>> as_printed("长期借款，2024年9月末比2023年末变化百分之几")
    '长期借款，2024年9月末比2023年末变化百分之几'
    >>> as_printed("毛利率比去年提高了几个点"), as_printed("2025年营收较2022年增长多少")
    ('毛利率同比提高几个百分点', '2025年营收较2022年增长多少')
    """
    ahead = _AHEAD.search(question)
    match = ahead or _SPELT.search(question)
    if match is None:
        return question
    what = ahead["what"] if ahead else question[: match.start()]
    if match["year"]:
        own = [int(each) for each in _YEARS.findall(what)]
        if len(own) != 1 or own[0] - 1 != int(match["year"]):
            return question
    compared = question[match.start() : match.start("move")]
    if _YEAR_END.search(compared) and _PART_OF_YEAR.search(what):
        return question
    by = match["by"]
    if re.search("点|pp|pct", by):
        by = "几个百分点"
    elif "百分" in match[0]:
        by = "百分之几"
    move = _MOVES.get(match["move"], match["move"])
    if match["year"] and not match["same"] and not _PART_OF_YEAR.search(what):
        # of two years that are named each is as its own report prints it
        return f"{what}相比{match['year']}年{move}{by}{question[match.end() :]}"
    return f"{what}同比{move}{by}{question[match.end() :]}"
