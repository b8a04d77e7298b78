"""Figures of a sentence that are of another kind than what is asked, by their own clause: on
a share where all is asked, of related parties, the opposite, another rate.

Which of the others is asked for decides `valued`.
"""

from __future__ import annotations

import re

from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.mentions import Mention
from finrag_pipeline.query.answers.passages.opposites import is_opposed
from finrag_pipeline.query.answers.passages.planned import lacks_beginning

#: What says that a figure is held by nobody.
UNTOLD = re.compile(
    r"(?:数据)?(?:未(?:予)?(?:披露|公布|公开)|缺失|不详)|暂无数据|not (?:been )?disclosed",
    re.IGNORECASE,
)
#: Counted on a share.
ON_SHARE = re.compile(r"每(?:10|十)?股|[一1]股|/股|per share", re.IGNORECASE)
#: What all of something came to, and what one of it did.
IN_ALL = re.compile(r"总(?:价款?|对价|额|金额|投资|成本|收入)|一共|合计|总共|累计")
EACH = re.compile(r"每|单[价股位吨]|均价|平均|/")
_ON_SHARE = re.compile(r"每\s*(?:10|十)?\s*股[^，,。；;]*$")
#: Who asks what several are together is told a figure that says it is that; 合计有多少 asks no more
#: than 有多少.
_TOGETHER = re.compile(r"[和与及跟、加].{1,30}合计|加起来|之和|总和")
_SUMS = re.compile(r"合计|总|共|累计|全部|前[三四五六七八九十]")
#: 其中前五名客户销售额中关联方销售额 is a part of what is asked.
_RELATED = "关联方"
#: Counted on one of many: 单位产品用电量, 人均产值.
_ON_EACH = re.compile(r"单位[\u3400-\u9fff]{2}|(?<!户)人均|平均每|户均|单[台吨件](?!机)")
#: What is asked as a share of a whole, and rates that are none.
_SHARE = re.compile(r"占比|占(?!用|有|地|款)|比重|份额")
#: What asks how a share has changed.
_CHANGE_ASKED = re.compile(r"[同环]比|[增减升降涨跌]|提[高升]|变[动化]|扩大|收窄|改善|回落")
_RATES = re.compile(
    r"[毛净]利率|利润率|费用率|税率|利率|增[速幅]|收益率|回报率|良率|利用率|胜率|回撤"
)

#: What was before something changed is asked for.
_BEFORE = re.compile(
    r"之前|此前|以前|原先|原来|原本|(?:改进|调整|优化|上调|下调|调价|[涨降提]价|修正|集采|采购)前|"
    r"从(?:多少|几)|"
    r"before|previous"
)
#: What leads from one figure to what it became.
_TO = (
    r"(?:(?:增|升|降|减|扩|缩|提|涨|跌|拓)[加长少升高大低短展]{0,1}|上升|下降|回升|下滑|[上下]调)"
    r"(?:至|到|为)"
)
_RISEN, _RISEN_TO = re.compile(rf"\s?\S{{0,2}}?{_TO}"), re.compile(rf"{_TO}[^\d，。；]{{0,12}}$")


#: What one of several was bought or sold at.
_AT_PRICE = re.compile(r"\bprices? of (?:about |approximately )?$", re.IGNORECASE)
_PRICE = re.compile(r"price|\bat what\b|价", re.IGNORECASE)
#: Things of which amounts are told behind them.
_OF_THINGS = re.compile(
    r"\s*of (?:[a-z-]+ ){0,3}?(?P<what>assets|loans|deposits|bonds|notes|debt|backlog|orders|"
    r"inventor(?:y|ies)|receivables|shares|securities|goodwill)\b",
    re.IGNORECASE,
)


def is_other_end(question: str, text: str, quantity: Quantity) -> bool:
    """Whether a figure of a text is where another one rose or fell from, which few ask for:
    由208个增至2024年末的233个; of those who do, whether it is what that became."""
    if _BEFORE.search(question):
        return bool(_RISEN_TO.search(text[: quantity.start]))
    return bool(_RISEN.match(text, quantity.end))


def counts_another(question: str, text: str, quantity: Quantity) -> bool:
    """Whether an amount is one of something that a question does not ask for, as the words behind
    it say in English.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> told = "Fees rose on $96 million of net new assets."
    >>> [counts_another(asked, told, list(quantities_in(told))[0])
    ...  for asked in ("how much were fees", "how much were net new assets")]
    [True, False]
    """
    of = _OF_THINGS.match(text, quantity.end)
    return bool(of) and of["what"].casefold() not in question.casefold()


def is_on_share(question: str, ahead: str) -> bool:
    """Whether a figure is told of each share by the words ahead of it, where a question asks for
    what all of them come to.

    >>> [is_on_share(asked, "每 10 股派发现金红利") for asked in ("总共派多少", "每10股派多少")]
    [True, False]
    """
    asks = IN_ALL.search(question) and not EACH.search(question)
    return bool(asks and _ON_SHARE.search(ahead))


def is_of_another(question: str, mention: Mention) -> bool:
    """Whether the clause of a figure says that it is of another kind than a question asks."""
    own = mention.own
    if lacks_beginning(question, f"{mention.wide} {own}"):
        return True
    if _TOGETHER.search(question) and not _SUMS.search(own):
        return True
    if mention.part or (_RELATED in own and _RELATED not in question):
        return True
    if is_opposed(question, own):
        return True
    changed = mention.role in ("growth", "change")
    if changed and _SHARE.search(question) and not _CHANGE_ASKED.search(question):
        return True  # what share something is, not how it grew
    if ON_SHARE.search(question) and not ON_SHARE.search(f"{own} 1{mention.quantity.unit}"):
        return True
    led = own.partition(mention.quantity.text)[0]
    if is_on_share(question, led):
        return True
    if _AT_PRICE.search(led) and not _PRICE.search(question):
        return True  # what was paid for one is not what all of them cost
    if _ON_EACH.search(own) and not _ON_EACH.search(question):
        return True
    # 毛利率33% is no 比重
    return bool(_SHARE.search(question)) and _names_rate(question, own)


def _names_rate(question: str, own: str) -> bool:
    """Whether a clause names a rate, and not a share, that a question does not name."""
    rates = _RATES.findall(own)
    return bool(rates) and not _SHARE.search(own) and not any(each in question for each in rates)
