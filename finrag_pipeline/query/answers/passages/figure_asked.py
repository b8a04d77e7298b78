"""What a question asks of a figure: one or several, what it was or how far it has changed.

Which figure of a line that is decides `valued`.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.passages.asks import asks_of
from finrag_pipeline.query.answers.passages.counting import asks_share
from finrag_pipeline.query.answers.passages.mentions import Role
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.signals import asks_figure, cue, is_aside

#: Who asks for one of each of several is not told one figure.
_MORE = re.compile(
    r"分别|第几(?![个项位名款层，,？?]|$)|各(?!类|项|国|大)|前一年|respectively|\beach\b",
    re.IGNORECASE,
)
#: What asks for a figure by more than ending with what is measured.
_SPELT = re.compile(r"多少|几")
#: Who asks how a figure has grown is told no level, and how far it changed in what it counts.
_GROWTH = re.compile(
    r"同比|环比|增[速幅]|增长率|复合增长|变动率|[涨降跌]幅|\bgrowth\b|\bgrew\b|"
    r"year on year|(?<![a-z])(?:yoy|qoq|cagr)(?![a-z])|"
    r"(?:变动|变化|增长|增加|提升|提高|上升|下降|下滑|减少|降低|上涨|下跌|[涨降跌升])了?"
    r"(?:百分之|多少[%％]|几[%％]|(?:多少|几)个?(?:百分)?点|(?:多少|几)(?=[，,？?（(\s]|$))",
    re.IGNORECASE,
)
_WHY = re.compile(r"为[啥什何]|原因|怎么|如何|是否|吗|说明(?![会书])|呢$|why|how", re.IGNORECASE)
#: Who asks which of several is told that, too.
_WHICH = re.compile(
    r"哪|谁|\bwho\b|\bwhich\b"
    r"(?! (?:[\w-]+ ){0,2}(?:rate|ratio|price|amount|share|percentage|margin|value)\b)",
    re.IGNORECASE,
)
#: What came anew in a time, which texts write as an addition, too.
_ADDED = re.compile(r"新[签开设建获接立招]|签约|签[了下]|中标|拿下|落地")
#: What asks for what was added or lost, and not for what there is.
_CHANGED = re.compile(
    r"(?:新增|净增|增加|增长|减少|下降|下滑|提升|提高|上升|上涨|下跌|多出|多了|(?<!多)少了|涨了|跌了)(?![至到为达])"
)


def asks_one(wanted: Wanted) -> bool:
    """Whether one figure is asked for, and nothing else."""
    question = wanted.question
    asks = [each for each in asks_of(wanted) if _asks(each.text)]
    asks = [each for each in asks if not is_aside(each.text)] or asks
    if [bool(_SPELT.search(each.text)) for each in asks] == [False, True] and not asks[-1].metrics:
        asks = asks[-1:]  # 派发的现金股利，含税一共是多少: of what the first clause names
    several = len(asks) > 1 or _MORE.search(question) or _WHICH.search(question)
    return asks_figure(question) and not several


def asks_growth(question: str) -> bool:
    """Whether a question asks how a figure has changed."""
    return bool(_GROWTH.search(question))


def roles_asked(question: str) -> frozenset[Role]:
    """What figures may tell that are asked for."""
    if asks_growth(question):
        return frozenset({"growth"} if asks_share(question) else {"growth", "change"})
    return frozenset({"change" if _CHANGED.search(question) else "level"})


def roles_in_turn(question: str) -> tuple[frozenset[Role], ...]:
    """The same, and what else may answer where nothing tells that: 新增签约36家 says how many were
    signed."""
    roles = roles_asked(question)
    added: frozenset[Role] = frozenset({"change"})
    return (roles, roles | added) if _ADDED.search(question) else (roles,)


def _asks(clause: str) -> bool:
    """Whether a clause asks for anything: FY24 or 看行业报告 does not."""
    return asks_figure(clause) or bool(cue("asks_what", clause) or _WHY.search(clause))
