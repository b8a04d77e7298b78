"""How much of the library a question asks for: the whole of it, or what stands in some passages.

By its words alone; what answers the one and the other is chosen in `modes` and `engine`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from finrag_pipeline.query.terms import asks_figure, names, terms
from finrag_pipeline.words import fold, stem

#: Who supplies whom: what a report on a chain is drawn for.
_CHAIN = re.compile(
    r"(?:产业|价值|供应(?!链(?:金融|融资|管理))|产业供应)链|上下游|上中下游|上游.{0,6}下游|产业图谱|产业全景"
    r"|(?:value|supply|industry|industrial)[ -]chains?|upstream.{0,12}downstream"
    r"|suppliers and customers",
    re.IGNORECASE,
)
#: What holds for many: themes, sectors, what companies have in common.
_WHOLE = re.compile(
    r"全景|图谱|版图|格局|全貌|概览|概况|综述"
    r"|(?:行业|产业|整个行业|市场|板块)整体|整体(?:趋势|情况|走势|表现|来看|上)|总体(?:趋势|情况|来看|上)"
    # not who controls jointly, joint operations, mutual funds, accepted principles
    r"|共同(?!控制|经营|基金|富裕|体)|共性|普遍(?!接受)"
    r"|(?:哪些|哪几个)(?:重点|主要|关键|核心)?(?:板块|行业|公司|企业|环节|领域|赛道|主题|题材|主线)"
    r"|什么(?:板块|行业(?!分类)|赛道|主题|题材|主线)"
    r"|所有.{0,8}(?:公司|企业|行业|板块|报告|研报)|各(?:家|个|大)?(?:公司|企业|行业|板块|环节|报告(?!期))"
    r"|板块.{0,6}(?:有哪些|怎么|怎样|如何)|板块(?:之间|间|联动|关联|轮动)|跨(?:行业|板块|公司)|主要(?:主题|主线|分歧|共识)"
    r"|\b(?:overall|landscape|big picture|ecosystem|overview)\b|in common\b"
    r"|\bcommon(?:ly)?\b(?! (?:stock|share|equity|unit|dividend))"
    r"|\bacross (?:all |the |many |several )?(?:compan|industr|sector|report|document)"
    r"|\b(?:which|what) (?:key |main |major )?(?:companies|sectors?\b|industr|theme)"
    r"|\ball (?:of )?(?:the )?(?:compan|sector|industr|report)|\b(?:main|major|key) themes?\b",
    re.IGNORECASE,
)
_SECTORS = re.compile(r"板块|跨行业|行业(?:之间|间)|\bsectors?\b", re.IGNORECASE)
#: Words that go with those above and say as little about what is asked.
_GENERAL = re.compile(
    r"关键|重点|主要|核心|关系|公司|企业|行业|产业|板块|环节|领域|整体|总体|趋势|链|情况|参与者|玩家"
    r"|构成|组成|结构|分布|梳理|全部|所有|各家|上游|中游|下游|有何|面临|存在"
)
_GENERAL_ENGLISH = frozenset(
    map(
        stem,
        re.findall(
            r"\w+",
            """key main major core relation relationship company firm industry sector chain upstream
            midstream downstream overall landscape trend common commonly value supply across whole
            theme player structure overview picture big ecosystem supplier customer face facing
            share shared between among""",
        ),
    )
)
#: Who is asked after by name is answered from what stands about it.
_PARTICULAR = frozenset({"company", "person"})


def asks_whole(question: str, named: Collection[str] = ()) -> str | None:
    """The words by which a question asks for the whole, None where passages answer it.

    A figure stands in a passage; so does what is said of a company that the question names.

    Args:
        named: types of the entities that it names.

    >>> asks_whole("储能产业链有哪些关键公司？")
    '产业链'
    >>> asks_whole("What risks do the companies have in common?")
    'in common'
    >>> asks_whole("澄光储能的产业链地位如何？", {"company"}), asks_whole("毛利率为什么下降？")
    (None, None)
    """
    if asks_figure(question) or _PARTICULAR & set(named):
        return None
    text = fold(question)
    found = _CHAIN.search(text) or _WHOLE.search(text)
    return found[0] if found else None


def asks_chain(question: str) -> bool:
    """Whether a question asks who supplies whom.

    >>> asks_chain("上下游关系是什么？"), asks_chain("谁的毛利率高？")
    (True, False)
    """
    return bool(_CHAIN.search(fold(question)))


def wanted_kind(question: str) -> str:
    """The kind of report that is drawn for a question; empty where none is.

    >>> wanted_kind("储能上下游有谁？"), wanted_kind("板块如何联动？"), wanted_kind("有何风险？")
    ('industry_chain', 'sector_links', '')
    """
    if asks_chain(question):
        return "industry_chain"
    return "sector_links" if _SECTORS.search(fold(question)) else ""


def topic(question: str) -> list[str]:
    """The terms of a question but for those that only ask for the whole; may be empty.

    >>> topic("储能产业链有哪些关键公司？上下游关系是什么？"), topic("整体格局如何？")
    (['储能'], [])
    >>> topic("What does the whole value chain of lithium look like?")
    ['lithium', 'look', 'like']
    """
    return [term for term in terms(question) if not _is_general(term)]


def topic_names(question: str) -> list[str]:
    """The names of a question without which a text is about something else."""
    return [name for name in names(question) if not _is_general(name)]


def _is_general(term: str) -> bool:
    if term.isascii():
        return term in _GENERAL_ENGLISH
    left = _leftover(term, (_CHAIN, _WHOLE, _GENERAL))
    return len(left) < 2 and left != term


def _leftover(term: str, cues: Sequence[re.Pattern[str]]) -> str:
    for cue in cues:
        term = cue.sub("", term)
    return term
