"""A question as it is typed, read as figures of documents are written: years in characters, a unit
behind white space that stands for how many.

How periods are spelled otherwise is `grammar.period_forms`'; what is asked for once more in other
words `rewording`'s.
"""

from __future__ import annotations

import re

from finrag_pipeline.grammar.numerals import chinese_number
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.question.signals import cue
from finrag_pipeline.words import is_chinese

_DIGIT = "〇○零一二三四五六七八九"
_MONTH = r"十[一二]?|[一二三四五六七八九]"
_DAY = r"三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]"
#: 二〇二四年九月三十日; a month alone only where a word for its end tells it: 十月末.
_DATE = re.compile(
    rf"(?P<year>[一二][{_DIGIT}]{{3}})(?P<then>\s*年度?)(?:(?P<month>{_MONTH})月(?:(?P<day>{_DAY})(?=[日号]))?)?"
)
_MONTH_END = re.compile(rf"(?<![{_DIGIT}十\d个])(?P<month>{_MONTH})月(?=[末底初]|份(?!额))")
#: In what is counted, at the end of fragments: 造影剂 销售量 支.
_UNIT = re.compile(
    r"(?<=[\w)）])\s+[（(]?(?P<unit>[百千万亿]*(?:元/[\w]{1,4}|[美港欧日]?元|人民币|港币|股|吨|片|千瓦时)|"
    r"个百分点|[个颗支件户人名倍家台份项例眼套辆架岁天升盒箱]|平方米|[%％]|pct)[)）]?\s*[？?]?\s*$"
)
#: Months of a year as quarters and halves: 2022年头三个月, 2024年的最后三个月; without a year only
#: where the report that they are of is named.
_MONTHS = re.compile(
    r"(?<=年)(?:的|度)?(?:(?:[前头]|最?开[头始]的?|[最起]初的?)(?P<first>[三3六6])个?月|"
    r"(?:[最尾]后?的?|末尾?的?)(?P<last>[三3])个?月)(?!期)"
)
#: The middle of a year is the end of its half: 到2024年中还有多少.
_MID_YEAR = re.compile(r"(?<=\d\d年)中(?=还|时|末|底|为止|[，,。？?\s]|$)")
#: What the months of a year are counted from its beginning to, behind the report that says so.
_SINCE_JANUARY = re.compile(
    r"(?:(?P<year>(?:20)?\d\d年)(?:第?[一二三]?季度?报告?|半?年报|中报)[，,里中的]*)?"
    r"(?:从)?年初(?:起|开始)?[到至—~-](?P<month>\d{1,2}|[三六九])月份?(?:[末底])?"
)
_MONTHS_ALONE = re.compile(r"(?<=[，,：:在里])[前头](?P<first>[三3六6九9])个?月(?!期)")
_OF_MONTHS = {"三": "一季", "六": "半年|中报|中期", "九": "三季|前三季"}
_QUARTERS = {"三": "第一季度", "六": "上半年", "九": "前三季度"}
_DIGITS = str.maketrans("369", "三六九")
_ENGLISH_MONTHS = re.compile(
    r"\b(?P<first>first|opening|last|final|closing) (?P<count>three|six|3|6) months (?=of |in |\d)",
    re.IGNORECASE,
)
_ENGLISH_SPANS = {"three": "quarter", "3": "quarter", "six": "half", "6": "half"}
#: A forecast of a fiscal year in two figures: FY27E.
_FISCAL = re.compile(r"(?<![A-Za-z\d])FY\s?(?P<year>[0-3]\d)(?P<mark>[AEF])(?![A-Za-z\d])")
_YEAR = re.compile(r"(?<!\d)(?:20)?\d\d年")
#: A change that is asked for by its unit alone: 较年初变动%.
_MOVED = re.compile(r"(?<=变动)\s*[%％](?=\s*(?:[（(？?，,]|$))")
#: So many quarters from the beginning of a year.
_QUARTERS_AHEAD = re.compile(r"(?<=[年\d])前([两三])个季度?")
_AHEAD = {"两": "上半年", "三": "前三季度"}
#: A day with dots and a short year: 25.3.31.
_DOTTED = re.compile(
    r"(?<![\d.])(?P<year>[12]\d)\.(?P<month>0?[1-9]|1[0-2])\.(?P<day>3[01]|[12]\d)(?![\d.])"
)
#: What analysts write short in English; in small letters, too, but for what is a word.
_ABBREVIATED = (
    (re.compile(r"\b(?:PT|TP)s?\b"), "target price"),
    (re.compile(r"\b(?:YE|ye)(?= ?(?:20)?\d\d)"), "year-end"),
    *(
        (re.compile(rf"\b{short}\b", re.IGNORECASE), whole)
        for short, whole in (
            ("sbc", "stock-based compensation"),
            ("mgmt", "management"),
            ("op", "operating"),
            ("opex", "operating expenses"),
            ("rev", "revenue"),
            ("revs", "revenues"),
            ("qtr", "quarter"),
            ("intl", "international"),
            ("mfg", "manufacturing"),
            ("mkts?", "market"),
            ("custs?", "customers"),
            ("svcs?", "services"),
            ("avg", "average"),
            ("amort", "amortization"),
            ("ocf", "operating cash flow"),
            ("pp&e", "property, plant and equipment"),
            ("npls?", "nonperforming loans"),
            ("nii", "net interest income"),
            ("nim", "net interest margin"),
        )
    ),
)
#: Cash that went into something is none that is held.
_CASH_INTO = re.compile(
    r"\bhow much (?:cash|money) (?:went|flowed|was put) (?:in)?to\b", re.IGNORECASE
)
_RATE = re.compile(r"率|比例|占比|比重|ROE")
#: One time less another: 24年末减23年末差多少.
_LESS_THAN = re.compile(
    r"(?<=[\d年末底日度])\s*减去?\s*(?P<base>(?:20)?\d\d年[^，,。？?差（(]{0,10}?)\s*[，,]?\s*"
    r"(?:的?差额?|等于|得|是)+(?:多少|几)?(?=[？?。（(]|$)"
)
#: Wafers and screens are measured in inches.
_INCHES = re.compile(r"(?<=\d)寸")
#: A code of six digits that is typed right before a year or behind the part of one.
_GLUED = re.compile(
    rf"(?<![\d.])[03468]\d{{5}}(?=(?:19|20)\d\d\s*年?(?![\d.,])|二[{_DIGIT}]{{3}}年)|"
    r"(?:FY\d\d|(?<!\d)(?:20)?\d\dFY|[QH][1-4])(?=[03468]\d{5}(?!\d))"
)
#: The months of a part of a year that is named before them: 2025年第三季度（7-9月）.
_IN_MONTHS = re.compile(
    r"(?:单季|累计)?\s*[（(]\s*(?P<from>\d\d?)\s*月?\s*[-–—~～至到]\s*(?P<to>\d\d?)\s*月份?\s*[)）]"
)
_ASKS = re.compile(r"多少|几|百分之|是否|吗|呢|哪|谁|为什么|怎么")
#: What is told in words, and not by a figure.
_IN_WORDS = re.compile(
    r"什么|何|啥|如何|[？?！!。]$|原因|影响|风险|观点|看法|逻辑|进展|情况|优势|劣势|战略|策略|布局|规划|计划|方案|预案|措施|介绍|总结|"
    r"概括|概述|亮点|要点|评级|建议|展望|政策|竞争|格局|驱动|趋势|特点|背景|名单|名称|对比|比较|区别|分析|解读|请|列出|说明"
)
#: Characters of what is typed as keywords.
_LONGEST_FRAGMENT = 48


def as_read(question: str) -> str:
    """A question with its years in figures, and with what its unit at the end asks.

    >>> as_read("二〇二五年九月三十日有多少股东"), as_read("银河十月末的评级")
    ('2025年9月30日有多少股东', '银河10月末的评级')
    >>> as_read("600276 22年 造影剂 销售量 支"), as_read("前五大客户 占主营业务收入 %")
    ('600276 22年 造影剂 销售量多少支', '前五大客户 占主营业务收入百分之多少')
    >>> as_read("2022年头三个月"), as_read("2025年中报，前六个月卖了多少"), as_read("FY27E利润")
    ('2022年第一季度', '2025年中报，上半年卖了多少', '2027E利润')
    >>> as_read("2025年第三季度（7-9月）营收"), as_read("25年三季报(7-9月)营收")
    ('2025年7-9月营收', '2025年7-9月营收')
    >>> as_read("6000802024年报每股收益"), as_read("FY23000651加权ROE")
    ('600080 2024年报每股收益', 'FY23 000651加权ROE')
    >>> as_read("600080二〇二三年四季度归母")
    '600080 2023年四季度归母'
    >>> as_read("存货，24年末减23年末差多少")
    '存货，24年末比23年末变动额是多少'
    >>> as_read("25.3.31合同负债多少"), as_read("涨了25.3")
    ('2025年3月31日合同负债多少', '涨了25.3')
    >>> as_read("2022年前三个季度扣非")
    '2022年前三季度扣非'
    >>> as_read("12寸晶圆占多少")
    '12英寸晶圆占多少'
    >>> as_read("到2024年中还有几股"), as_read("2024年中国有几家")
    ('到2024年6月末还有几股', '2024年中国有几家')
    >>> as_read("25年三季报，年初到9月底收的利息")
    '25年1-9月收的利息'
    >>> as_read("galaxy rev FY24"), as_read("How much cash went into buybacks in FY24?")
    ('galaxy revenue FY24', 'how much was paid for buybacks in FY24?')
    >>> as_read("前三个月的二手房"), as_read("营收是多少 元")
    ('前三个月的二手房', '营收是多少 元')
    """
    question = _INCHES.sub("英寸", question)
    question = _FISCAL.sub(r"20\g<year>\g<mark>", question)
    question = _ENGLISH_MONTHS.sub(_english_span, question)
    question = _GLUED.sub(r"\g<0> ", question)
    if not is_chinese(question):
        for short, whole in _ABBREVIATED:
            question = short.sub(whole, question)
        return _CASH_INTO.sub("how much was paid for", question)
    question = question.replace("增收不增利", "营业收入增长而净利润下降")
    question = _MID_YEAR.sub("6月末", _of_months(question))
    question = _MOVED.sub("百分之几", question)
    question = _QUARTERS_AHEAD.sub(lambda each: _AHEAD[each[1]], question)
    question = _DOTTED.sub(r"20\g<year>年\g<month>月\g<day>日", question)
    by = "了多少个百分点" if _RATE.search(question) else "额是多少"
    question = _LESS_THAN.sub(rf"比\g<base>变动{by}", question)
    question = _SINCE_JANUARY.sub(lambda each: _since_january(each, question), question)
    told = _in_quarters(_MONTH_END.sub(_month, _DATE.sub(_date, question)))
    unit = _UNIT.search(told)
    if unit is None or _ASKS.search(told):
        return told
    share = unit["unit"] in ("%", "％", "pct")
    return told[: unit.start()] + ("百分之多少" if share else f"多少{unit['unit']}")


def is_fragment(question: str) -> bool:
    """Whether a question only names what is of a time, as who wants its figure types: no word of it
    asks, and none is of what is told in words.

    >>> [is_fragment(each) for each in ("药明26E总资产", "药明26E总资产多少", "药明24年竞争优势")]
    [True, False, False]
    >>> [is_fragment(each) for each in ("galaxy goodwill sep 30 2025", "galaxy q3 margin drivers")]
    [True, False]
    """
    if not is_chinese(question):
        return cue("terse", question) is not None
    if len(question) > _LONGEST_FRAGMENT:
        return False
    asks = _ASKS.search(question) or _IN_WORDS.search(question)
    return not asks and any(periods_in(question, "question"))


def _of_months(question: str) -> str:
    """A question with months in brackets in the place of the part of a year that they explain."""
    months = _IN_MONTHS.search(question)
    if months is None:
        return question
    for period in periods_in(question, "question"):
        if period.end == months.start():
            year = period.last_on.year
            said = f"{year}年{months['from']}-{months['to']}月"
            return question[: period.start] + said + question[months.end() :]
    return question


def _in_quarters(question: str) -> str:
    question = _MONTHS.sub(
        lambda each: _QUARTERS[each["first"].translate(_DIGITS)] if each["first"] else "第四季度",
        question,
    )
    return _MONTHS_ALONE.sub(lambda each: _alone(each, question), question)


def _since_january(match: re.Match[str], question: str) -> str:
    """The months from a year's beginning; of the year that is named last, if none stands right
    before it."""
    month = match["month"]
    before = question[: match.start()]
    years = [] if before.endswith("年") else _YEAR.findall(match["year"] or before)
    return f"{years[-1] if years else ''}1-{month if month.isdigit() else chinese_number(month)}月"


def _alone(match: re.Match[str], question: str) -> str:
    count = match["first"].translate(_DIGITS)
    return _QUARTERS[count] if re.search(_OF_MONTHS[count], question) else match[0]


def _english_span(match: re.Match[str]) -> str:
    span = _ENGLISH_SPANS[match["count"].lower()]
    if match["first"].lower() in ("first", "opening"):
        return f"first {span} "
    return f"{'fourth' if span == 'quarter' else 'second'} {span} "


def _date(match: re.Match[str]) -> str:
    told = f"{chinese_number(match['year'])}{match['then']}"
    if match["month"]:
        told += f"{chinese_number(match['month'])}月"
    if match["day"]:
        told += f"{chinese_number(match['day'])}"
    return told


def _month(match: re.Match[str]) -> str:
    return f"{chinese_number(match['month'])}月"
