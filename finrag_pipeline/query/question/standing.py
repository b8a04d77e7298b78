"""Where a question says that its answer stands, ahead of what it asks: 年报的大客户名单里，

No document writes such words beside the figure. Which report is meant stays; what only leads to a
place in it goes.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.question.signals import asks_figure

#: What is polite, and what follows is asked.
_POLITE = re.compile(
    r"^(?:(?:您?好|请[问教]|请(?=告[知诉]|帮|查一?下|核[实对]|确认)|麻烦|劳驾|烦请|能否|可否|帮(?:我|忙)|"
    r"(?:我们?)?想(?:请问|问|确认|了解|知道|请教|核[实对]))"
    r"(?:一下|下|您|帮忙|帮我|查一?下?|告知|告诉我?|确认|核[实对])*[，,：:]?)+"
)
#: A report as people call it, with the section of it that is named behind.
_REPORT = (
    r"(?:年度报告|半年度报告|[一三]季度报告|季度报告|年报|半年报|中报|[一三]季报|季报|财报|公告|报告|研报|点评|"
    r"白皮书|纪要|专题|深度)(?:业绩)?(?:点评|摘要|正文|全文|附注)?"
)
#: Parts of a document, none of which is a thing that figures are of.
_PART = (
    r"(?:名单|名册|清单|图表|表格|列表|数据|预案|方案|回顾|附注|章节|部分|一[节章栏]|介绍|说明|分析|讨论|展望|统计|"
    r"测算|明细|[率表值]表|表(?=里|中)|摘要|正文|口径|提示|概述|段落|专栏)"
)
_IN = r"(?:里面?|之?中|当中|内|上面?|来看)"
_SAYS = r"(?:提到|提及|指出|表示|披露|写道|显示|给出|列示|说明|引用|援引|解释|强调)"
_WHERE = rf"[^，,？?：:\d]{{0,14}}?(?:{_PART}(?:{_IN}|{_SAYS})?|(?:时|中|里)?{_SAYS})(?:的是)?"
_AHEAD = re.compile(
    rf"^(?:在|从|根据|依据|按照?|依照|据|参照|对照)?(?P<whose>[^，,？?]{{2,24}}?{_REPORT})的?(?P<where>{_WHERE})[，,：:]"
)
_BY = re.compile(
    rf"^(?:根据|依据|按照?|依照|据)(?P<whose>[^，,？?]{{2,24}}?)的?(?:最新)?{_PART}(?:{_IN}|{_SAYS})?[，,：:]"
)


def without_courtesy(question: str) -> str:
    """A question without the polite words that it opens with, which no document says.

    >>> without_courtesy("请告知星河新材2024年末应收账款有多少"), without_courtesy("想要上涨靠什么")
    ('星河新材2024年末应收账款有多少', '想要上涨靠什么')
    """
    return _POLITE.sub("", question) or question


def without_standing(question: str) -> str:
    """A question without where it says that its answer stands; as it is where it does not say so.

    >>> without_standing("在长江电力2023年年报的大客户名单里，广东电网的销售额是多少亿元？")
    '长江电力2023年年报，广东电网的销售额是多少亿元？'
    >>> without_standing("请问按照嘉世咨询的测算，诊疗市场2025年有多大？")
    '嘉世咨询，诊疗市场2025年有多大？'
    >>> without_standing("三九年报研发人员中，硕士有多少人？")
    '三九年报研发人员中，硕士有多少人？'
    """
    bare = without_courtesy(question)
    for pattern in (_AHEAD, _BY):
        ahead = pattern.match(bare)
        if ahead and not asks_figure(ahead[0]):
            return f"{ahead['whose']}，{bare[ahead.end() :]}"
    return question
