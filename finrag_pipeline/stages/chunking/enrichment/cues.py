"""Words by which a sentence shows that it reasons, judges, foresees, or repeats a set phrase.

What is made of them is decided in `value` and `summary`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from finrag_pipeline.words import is_chinese


class Cues(NamedTuple):
    """What one sentence shows; `amount` is a figure with its unit, unlike a year or a number."""

    cause: bool
    judgement: bool
    forecast: bool
    template: bool
    amount: bool


@lru_cache(maxsize=4096)
def cues_in(sentence: str) -> Cues:
    """The cues of a sentence, looked for in its own language as it is printed.

    >>> cues_in("毛利率提升3个百分点，主要受益于原料降价。")
    Cues(cause=True, judgement=False, forecast=False, template=False, amount=True)
    """
    # lower case beats the flag by a factor of three: the first letters of all choices are known
    chinese = is_chinese(sentence)
    text = sentence if chinese else sentence.lower()
    patterns = _CHINESE if chinese else _ENGLISH
    return Cues(*(pattern.search(text) is not None for pattern in patterns))


_CHINESE = (
    re.compile(
        "因为|由于|原因|所致|缘于|源于|归因|得益于|受益|主要系|主要是|主要受|主要因|系因"
        "|受[^，。；]{1,16}(?:影响|拖累|带动|推动|驱动|冲击)|带动|驱动|推动|拉动|拖累|导致|致使|使得"
        "|从而|因此|进而|促使|压制|支撑"
    ),
    re.compile(
        "我们(?:认为|判断|看好|建议|维持|测算|发现|强调)|有望|看好|或将|超预期|低于预期|好于预期|不及预期"
        "|符合预期|拐点|承压|景气|竞争力|优势|壁垒|龙头|首次覆盖|维持[^，。；]{0,12}评级"
        # a form without a figure judges nothing
        r"|目标价[^，。；—-]{0,8}\d|[上下]调[^，。；]{0,8}目标价"
        "|值得关注|关键在于|表明|意味着|显示出"
    ),
    re.compile(
        "预计|预期|预测|展望|指引|将(?:会|保持|持续|继续|进入|达到|实现|成为|受益|迎来|逐步)"
        "|未来[^，。；]{0,6}年"
        r"|20\d\d(?:\s?[-–~至]\s?(?:20)?\d\d)?\s?E"
    ),
    # set phrases of filings and disclaimers: laws and forms word them, they say nothing of a case
    re.compile(
        "虚假记载|误导性陈述|重大遗漏|个别和连带|连带(?:的)?法律责任|真实性?、准确性?(?:、|和)完整"
        r"|[□☐√✓]\s*(?:适用|不适用|是|否)|(?:适用|不适用)\s*[□☐√✓]"
        "|未亲自出席|全体董事[^。]{0,12}出席"
        "|标准无保留意见|非经营性占用资金|违反规定决策程序|前瞻性(?:陈述|描述)[^。]{0,30}不构成"
        "|不构成[^。]{0,24}(?:承诺|建议|要约|依据)|投资者[^。]{0,10}注意投资风险|投资有风险"
        "|入市需谨慎"
        "|本报告仅供|未经[^。]{0,16}(?:授权|许可|同意)[^。]{0,24}不得|版权(?:所有|归)"
        "|不承担[^。]{0,20}责任|不因(?:收件|接收)人|分析师[^。]{0,8}(?:声明|承诺)|执业资格"
        "|不曾[^。]{0,12}报酬|备查文件|指定(?:的)?信息披露"
        "|企业会计准则[^。]{0,30}(?:规定|编制|确认|计量)|初始确认(?:时|金额)|摊余成本[^。]{0,12}计量|公允价值计量且其变动计入|按照(?:预期信用损失|实际利率法)"
    ),
    re.compile(
        r"\d\s?(?:[%％]|pct|bps?|个百分点|[万百千]?亿|万|元|美元|倍|家|人|项|吨|台|[xX](?![A-Za-z]))"
        r"|[$¥￥€£]\s?\d"
    ),
)
_ENGLISH = (
    re.compile(
        r"\b(?:because|due to|owing to|as a result of|resulted (?:in|from)|attributable to"
        r"|driven by|led (?:to|by)|offset by|reflect(?:s|ed|ing)|caused by|thanks to"
        r"|benefit(?:s|ed|ing)? from|primarily from|weighed on|therefore|consequently)\b"
    ),
    re.compile(
        r"\b(?:we (?:believe|think|expect|view|see|like|prefer|recommend|maintain|reiterate"
        r"|argue)|in our (?:view|opinion)|upside|downside|outperform|underperform|overweight"
        r"|underweight|target price|(?:above|below|in line with) (?:expectations|consensus)"
        r"|competitive advantage|suggests? that|indicates? that|implies)\b"
    ),
    re.compile(
        r"\b(?:(?:is|are) (?:expected|likely|projected|forecast|set) to|we (?:forecast|project"
        r"|anticipate)|outlook|guidance|going forward|forecasts?"
        r"|will (?:continue|remain|reach|grow|increase|decline))\b"
    ),
    re.compile(
        r"\b(?:forward-looking statements?|actual results (?:could|may|might) differ|no warranty"
        r"|not (?:constitute|intended as|be construed as) (?:an? )?(?:offer|solicitation|investment"
        r"|advice)|no representation|past performance (?:is|may|does) not|all rights reserved"
        r"|without (?:the )?(?:prior )?(?:express )?written (?:consent|permission)|check mark"
        r"|incorporated (?:herein )?by reference|pursuant to (?:the requirements|section|rule|item)"
        r"|securities (?:and )?exchange act of|analyst certif\w+|hereby certif\w+"
        r"|in accordance with (?:u\.?s\.? )?(?:gaap|generally accepted)|refer to note|see note \d"
        r"|exhibit \d+(?:\.\d+)?)\b"
    ),
    re.compile(r"\d\s?(?:%|pct\b|bps?\b|percent|million|billion|thousand|x\b)|[$¥€£]\s?\d"),
)
