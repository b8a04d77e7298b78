"""What a question spells out of a metric, said by its name: 剔除非经常性损益后…的归母净利润 is
扣非归母净利润, 一年以内的借款（短期借款） is 短期借款."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.fact_metrics import metric_of_label
from finrag_pipeline.grammar.periods import periods_in

_WITHOUT = re.compile(
    r"(?:如果|若|在)?(?:剔除|剔掉|扣除|扣掉|扣去|去掉|刨去|刨掉|刨除|除去|不算|不含|不计|不考虑)了?"
    r"非经常性?(?:损益|收益|项目)(?:项目)?(?:的?影响)?(?:以后|之后|后|的话)?的?[，,]?"
    r"(?P<between>(?![后的]|归母|归属)[^，,。？?]{2,40}?)"
    r"(?:归母|归属于?(?:母公司|上市公司)?(?:的)?(?:股东|所有者)?的?)?净利润?(?!率)"
)
#: 负债率 alone is of all assets.
_SHORT_RATIO = re.compile(r"(?<![产净息性债东])负债率")
#: What people call square metres.
_SQUARE_METRES = re.compile(r"(?<=[多少几万千百\d])平(?:米|(?=[？?]?$))")
_BRACKET = re.compile(r"[（(](?P<name>[^（）()]{2,20})[)）]")
#: What may stand between the time of a question, with its end, 年末的, and the name in brackets.
_EXPLAINED = re.compile(
    r"(?:年?报)?[，,]?[年月季期]?+[末底初]?+的?+(?P<said>[^，,。；;：:、？?（）()]{2,18})"
)
#: How far it changed, which is asked behind a metric: 卖货收入同比增减百分之几（营业收入）.
_GROWN = re.compile(r"(?:同比|环比|[较比](?:上年|去年|年初|期初)).*")
#: The opening of the year that is asked for: 2023年末的存货相比2023年初.
_OPENING = re.compile(
    r"(?P<said>(?P<year>(?:20)?\d\d)年[末底]?[^，,。？?\d]{2,16}?)(?:相?比于?|相?较于?)(?P=year)年?年?初"
)


def as_named(question: str) -> str:
    """A question with the names of metrics in the place of what spells them out; as it is where it
    spells none out.

    >>> as_named("剔除非经常性损益以后，中芯国际2024年第四季度单季的归母净利润是多少？")
    '中芯国际2024年第四季度单季的扣非归母净利润是多少？'
    >>> as_named("格力电器2025年末期限在一年以内的借款（短期借款）余额是多少？")
    '格力电器2025年末短期借款余额是多少？'
    >>> as_named("伊利2024年扣除非经常性损益后的归母净利润")
    '伊利2024年扣除非经常性损益后的归母净利润'
    >>> as_named("长江电力24年末负债率"), as_named("格力24年有息负债率")
    ('长江电力24年末资产负债率', '格力24年有息负债率')
    >>> as_named("新租了几万平米"), as_named("办公楼多少平")
    ('新租了几万平方米', '办公楼多少平方米')
    >>> as_named("格力2024年卖货收入同比增减百分之几（营业收入）")
    '格力2024年营业收入同比增减百分之几'
    >>> as_named("长电2023年年报，年末还有多少电费等账款没收回（应收账款）")
    '长电2023年年报，年末应收账款'
    >>> as_named("格力2023年末的存货相比2023年初变动多少元？")
    '格力2023年末的存货较年初变动多少元？'
    >>> as_named("何氏2021年隐形眼镜（角膜接触镜）收入")
    '何氏2021年隐形眼镜（角膜接触镜）收入'
    """
    question = _SQUARE_METRES.sub("平方米", question)
    question = _SHORT_RATIO.sub("资产负债率", question)
    question = _OPENING.sub(r"\g<said>较年初", question)
    question = _WITHOUT.sub(lambda found: f"{found['between']}扣非归母净利润", question)
    for bracket in _BRACKET.finditer(question):
        times = [each.end for each in periods_in(question) if each.end <= bracket.start()]
        if not times or metric_of_label(bracket["name"]) is None:
            continue
        explained = _EXPLAINED.fullmatch(question, times[-1], bracket.start())
        if explained and metric_of_label(explained["said"]) is None:
            ahead, behind = question[: explained.start("said")], question[bracket.end() :]
            grown = _GROWN.search(explained["said"])
            return f"{ahead}{bracket['name']}{grown[0] if grown else ''}{behind}"
    return question
