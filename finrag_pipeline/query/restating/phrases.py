"""The phrases of a Chinese question that may say in other words what tables call by a term."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: What parts a question: punctuation, and the blanks that whom and when leave behind.
_PIECES = re.compile(r"[^\s，,。；;！!：:？?“”‘’《》]+")
#: What is said ahead of what is asked for.
_LEAD = re.compile(
    r"^(?:请问|请教|请?告知|麻烦|劳驾|烦请|帮[忙我]|请|我?想|确认|核[对实]|了解|知道|查(?=[一下清看])|问(?=[一下])|"
    r"一下|下(?![游属一])|在(?![建手职产途研])|的|其中?(?!他|余|它)|该(?=公司)|公司(?=[在的将为把])|为(?=[其把])|把|将|按照?|"
    r"里面?|中(?=的)|时(?=的)|末(?=的)|底(?=的)|账上的?|全年的?|当年的?|当期的?|那天的?|合并口径下?的?|预计|估算|预估|预测|"
    r"给出的?|列示的?|所列的?|关于|、|[（(])+"
)
#: What is said behind it, before how much.
_TAIL = re.compile(
    r"(?:的|在|账上|账面上?|金额|数额|总额|数字|合计|总计|余额|预[估计测]|估[计算]|录得|取得|实现|列示?|一项|这一项|科目|"
    r"具体|大[约致概]|将|会|能|是|为|有|了|还|共|到|做|作何|定|究竟|到底|、|[）)])+$"
)
#: Where a piece begins to ask how much, or how far it changed.
_ASKS = re.compile(
    r"(?:大?约|大概|合计|总共|一?共|还剩|剩下|究竟|到底|具体)*(?:是|为|有|达到?|占了?|到|在)*"
    r"(?:多少|几[个成何倍元亿万千百]|百分之|多[大高长]|什么水平|哪)|"
    r"(?:相?较|相比|相对于?(?=[\d上去前期年])|与[^，]{0,6}相比|同比|环比|比(?:[上去前]|期初|年初))|"
    r"(?<=.{3})(?:增长|增加|下降|下滑|减少|提高|提升|上升|上涨|变动|变化|增减|扩大|改善)(?:了|幅度|比例|或|$)|"
    r"[涨跌降增]幅|增速|(?<=.{2})[涨跌降升掉增减]了?(?=多少|几|百分)"
)
#: Behind what a shorter phrase may begin.
_CUTS = re.compile(r"(?<=[的里中内上于在以因由被给])")
#: What leaves something out of what is asked behind it, or supposes something of it.
_CONDITION = re.compile(
    r"剔除|扣除|扣掉|去掉|刨去|除去|不计|考虑|计入|假[如设定]|转换|摊薄|稀释|加权|口径|加总|以后$|之后$"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_LEAST, _MOST = 3, 30


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a question, from `start` up to `end`; `ahead`: where those stand that go before
    them, 剔除偶发性损益之后."""

    text: str
    start: int
    end: int
    ahead: tuple[int, int] | None = None


def phrases_in(bare: str) -> Iterator[Phrase]:
    """The phrases of a question whose company and time are blanked, and those that end them.

    >>> [each.text for each in phrases_in("截至      ，客户尚未付清的货款在账上有多少元？")]
    ['客户尚未付清的货款']
    >>> [each.text for each in phrases_in("剔除偶发项目后，        的净利润同比增长多少？")]
    ['剔除偶发项目后', '净利润', '剔除偶发项目后净利润']
    >>> [each.text for each in phrases_in("      税前利润涨了百分之几")]
    ['税前利润']
    """
    before: Phrase | None = None
    for piece in _PIECES.finditer(bare):
        text = piece[0]
        if asks := _ASKS.search(text):
            text = text[: asks.start()]
        lead = _LEAD.match(text)
        begin = lead.end() if lead else 0
        text = _TAIL.sub("", text[begin:])
        start = piece.start() + begin
        found = [
            Phrase(text[cut:], start + cut, start + len(text))
            for cut in dict.fromkeys((0, *(each.start() for each in _CUTS.finditer(text))))
        ]
        if before is not None and text:
            whole = found[0]
            spans = (before.start, before.end)
            found.append(Phrase(before.text + whole.text, whole.start, whole.end, spans))
        for phrase in found:
            if _LEAST <= len(phrase.text) <= _MOST and _HAN.search(phrase.text):
                yield phrase
        own = Phrase(piece[0], piece.start(), piece.end())
        before = own if _CONDITION.search(piece[0]) and not asks else None
