"""Whether a statement is asserted, negated, made under a condition, or only expected."""

from __future__ import annotations

import re

from finrag_pipeline.records.graph import Modality

_NEGATED = re.compile(
    r"未(?!来|必)|没有|并非|不是|不再|不会|不曾|不存在|不涉及|无关|否认|终止|解除|取消|放弃|"
    r"拒绝|流产|告吹|失败|中止|退出(?!机制)|非(?:为|系)|不受|不(?:参与|持有|包括|构成|拥有|推荐)"
    r"|尚未|从未|避免|无(?:直接|任何)"
    r"|\b(?:not|never|no longer|denied|denies|deny|terminat(?:ed?|ing|ion of)|"
    r"cancell?(?:ed|ation of)|abandon(?:ed)?|rejected|"
    r"without|neither|nor|none)\b|n['’]t\b",
    re.IGNORECASE,
)
#: What becomes of a deal, behind it in its clause: 收购乙的交易已告终止.
_CALLED_OFF = re.compile(
    r"[^，；：,;:。]{0,16}?(?:终止|取消|解除|失败|告吹|流产|告终|作罢|中止|搁置|未能|尚未|未完成)"
    r"|[^，；：,;:。]{0,8}[，,](?:但|后|最终|随后|此后|现)[^，；：,;:。]{0,6}"
    r"(?:终止|取消|放弃|告吹|流产|作罢|中止|搁置)"
)
_CONDITIONAL = re.compile(
    r"如果|假如|假设|若(?!干)|倘若|一旦|除非|只有|只要|如(?=[^，。]{0,12}(?:不及|低于|高于|"
    r"超预期|恶化|下滑|未能|发生|出现|进一步))|的话"
    r"|乐观情形|悲观情形|情景(?:下|假设)"
    r"|\b(?:if|unless|the extent to which|should (?:the|we|our|any|it)|assuming|in the event|"
    r"provided that|were to|whether)\b",
    re.IGNORECASE,
)
_FORECAST = re.compile(
    r"预计|预期|预测|有望|将(?!其|军|近)|拟|(?<!持股)(?<!激励)(?<!行动)(?<!五年)计划|或(?:将|会|"
    r"许|可)|可能|望(?:于|在|达|实现)|力争|目标(?!价|公司)|展望|未来|争取|"
    r"或(?=[\u4e00-\u9fff]{1,3}(?:影响|拖累|带动|受益))"
    r"|20\d\d\s?E\b"
    r"|\b(?:expect(?:s|ed|ing)?|may|might|could|would|will|plans?|planned|intends?|intend(?:ed)"
    r"? to|anticipates?|forecasts?|projected|likely"
    r"|potential(?:ly)?|proposed|proposes|guidance|estimated?|believe)\b",
    re.IGNORECASE,
)
#: May is a month, too.
_MONTH = re.compile(r"\bMay(?= \d| of|,)")
_CLAUSE = re.compile(r"[，；：,;:。]")


def modality_of(sentence: str, start: int, end: int) -> Modality:
    """The modality of a statement that stands between `start` and `end` of its sentence.

    A condition anywhere before the statement's end holds for it; a negation must stand in it or
    in its clause before it; expectations hold for all that follows them.

    >>> modality_of("如果宏观环境恶化，可能影响星河新材的订单", 0, 20)
    'conditional'
    >>> modality_of("甲公司否认收购乙公司", 0, 10), modality_of("甲公司有望受益于降息", 0, 10)
    ('negated', 'forecast')
    """
    shown = _MONTH.sub("   ", sentence)
    clauses = [m.end() for m in _CLAUSE.finditer(shown, 0, start)]
    clause = clauses[-1] if clauses else 0
    if _CONDITIONAL.search(shown, 0, end):
        return "conditional"
    if _NEGATED.search(shown, clause, end) or _CALLED_OFF.match(shown, end):
        return "negated"
    if _FORECAST.search(shown, 0, end):
        return "forecast"
    return "asserted"
