"""Yes or no to a question by the clear words of one clause; neither where no clause is clear."""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.passages.synonyms import direction
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.words import is_chinese

#: Share of what is asked that one clause has to say, to say it clearly.
_CLEAR = 0.7
#: Cells of forms that say yes or no, and the share of what is asked that their row's label says.
_CELLS = {"是": True, "有": True, "否": False, "无": False, "yes": True, "no": False}
_CLEAR_ROW = 0.35
_CLAUSE = re.compile(r"[，；。！]|[,;.] ")
_NOT = re.compile(
    r"尚?未(?!来)|没有|并非|并?无(?!锡|线|人|形|菌|纺|机|忧)|不(?!断|仅|含|同|少|良|锈|动产|超过|低于|"
    r"及|但|只|错|俗|菲|等|乏|利|确定)|否认|取消|终止|暂停|"
    r"\b(?:not|no|never|without|neither|nor|unable|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)

_MAY = re.compile(r"会不会|能否|能不能|\bwill\b", re.IGNORECASE)
#: What may yet come about says neither.
_OPEN = re.compile(
    r"关注|寻求|探索|考虑|研究中|计划|拟(?!定)|将(?!军)|可能|有望|预计|预期|力争|争取|或将|若|如果|"
    r"\b(?:may|might|could|would|plans?|intends?|expects?|consider\w*|explor\w*|if|will)\b",
    re.IGNORECASE,
)


def verdict(wanted: Wanted, said: Quotable) -> bool | None:
    """Whether a quote says that what is asked is so; None where it does not say it clearly."""
    if said.row:
        told = [_CELLS[text] for _, text in said.row[1:] if text in _CELLS]
        return told[0] if told and wanted.covered(said.row[0][1]) >= _CLEAR_ROW else None
    quote = said.told
    clauses = [each for each in _CLAUSE.split(quote) if each.strip()]
    clear = [each for each in clauses if wanted.covered(each) >= _CLEAR]
    if not clear and wanted.covered(quote) >= _CLEAR and len(clauses) <= 3:
        clear = [quote]
    if not clear:
        return None
    clause = max(clear, key=wanted.covered)
    if _OPEN.search(clause) and not (_OPEN.search(wanted.question) or _MAY.search(wanted.question)):
        return None
    told = direction(clause)
    if wanted.direction and told and told != wanted.direction:
        return False
    if wanted.direction and not told:
        return None
    negated = bool(_NOT.search(clause))
    return negated == bool(_NOT.search(_unasked(wanted.question)))


def lead_of(question: str, holds: bool) -> str:
    """What an answer opens with.

    >>> lead_of("是否分红？", True), lead_of("Is it so?", False)
    ('是：', 'No: ')
    """
    if is_chinese(question):
        return "是：" if holds else "否："
    return "Yes: " if holds else "No: "


def _unasked(question: str) -> str:
    """A question without the words by which it asks for yes or no."""
    return re.sub(r"是不是|有没有|会不会|能不能|是否|(?:n['’]t|not)(?= )(?=.*\?)", " ", question)
