"""Lists of one piece of evidence, in its sentences or its tables, and how well each fits.

Which of them are told together is `items`; what counts as a list `enumerations` and `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from finrag_pipeline.query.answers.lists.asking import RELATED, ListQuestion
from finrag_pipeline.query.answers.lists.enumerations import (
    Enumeration,
    enumerations,
    values_beside,
)
from finrag_pipeline.query.answers.lists.tables import (
    blocks,
    entries,
    name_column,
    rows_of_kind,
    rows_of_whom,
)
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.tagging import may_name
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.stages.tables.row_quotes import TableRow

#: Share of what is asked, beside the noun, that a list and what stands around it have to say.
MIN_SHARE = 0.5
#: The same where the title of a table has the noun.
_MIN_TITLED = 0.35
#: Where the noun stands: right beside the list, near it, in the heading over it, elsewhere in the
#: sentence.
BESIDE, _CLOSE, _OVER, _NEAR = 1.0, 0.85, 0.8, 0.5
#: A list whose ends are sure: words lead it in, or it is a column.
SURE = 0.3
#: What stands beside its items is wanted, and told.
_AMOUNTS = 0.3
#: What no word begins with.
_PARTICLE = re.compile(r"了(?!解)|的(?![士确])|得(?![力益利])|着(?![陆色])|等(?!离子|级)")
#: What leads in the uses of something, and not the thing.
_ELSEWHERE = re.compile(r"(?:应用于|适用于|用于|覆盖|面向)\s*$")
#: Kinds of nouns whose members are named so.
NAMED = RELATED | {"company", "shareholder"}
#: What a name never has: somebody does something in it, or at a time.
TOLD = re.compile(r"的|担任|出任|辞去|辞任|选举|聘任|\d{4}\s*年")
#: A risk that its text follows without a mark: 宏观经济波动风险公司销售的产品….
_RUN_IN = re.compile(r"[\u3400-\u9fff、及和与的]{2,20}?风险(?=[\u3400-\u9fff]{2})")
#: What leads in the first of several: 包括但不限于市场风险.
_INCLUDING = re.compile(r"^但?不限于")
#: What risks of a business are called by, and what leads in a list of them.
_RISKY = re.compile(
    "风险|不及|不达|低于预期|波动|下[降滑行跌]|加剧|恶化|变[化动]|受阻|失败|流失|竞争|减值|摩擦|涨价|"
    r"\b(?:risk|competition|decline|volatil\w+|failure|delay\w*)",
    re.IGNORECASE,
)
_LEADS_RISKS = re.compile(r"风险(?:提示|因素|揭示|警示|包括|有)|\brisks?\b", re.IGNORECASE)
#: What tells of risks, or of something else, and is none.
_OF_NO_RISK = re.compile(
    r"^(?:本?公司|实际|存在|敬请|可能|预测存在)|可能因|说明$|情况|不适用|报告$|差异$"
)
_RISKS = re.compile(
    r"风险(?:提示|因素|揭示|警示|包括|如下|有|主要)?\W*$|\brisks?\W*(?:include)?\W*$", re.I
)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is listed, where, and the amounts beside it, by their headings."""

    name: str
    quotes: tuple[Quote, ...]
    amounts: tuple[tuple[str, str], ...] = ()

    @property
    def spelled(self) -> str:
        return spelled(self.name)


@dataclass(frozen=True, slots=True)
class Listed:
    """Items that stand in one list.

    Attributes:
        headed: whether the heading of their column says what they are.
        ranked: whether their order, how many they are, or what stands beside them is wanted.
    """

    items: tuple[Item, ...]
    score: float
    headed: bool = False
    ranked: bool = False


def spelled(name: str) -> str:
    """A name as items are compared: 汇率波动风险 and 汇率波动的风险 are one."""
    return re.sub(r"[\s的等“”\"'（）()]|风险$|\brisks?$", "", name.casefold())


def of_chunk(
    item: ChunkItem,
    question: ListQuestion,
    predicate: Predicate,
    near: float,
    whose: Sequence[str] = (),
) -> Iterator[Listed]:
    """Lists of its sentences.

    Args:
        whose: names of which a sentence has to have one; empty: it need not.
    """
    section = "\n".join(item.section[-2:])
    over = f"{item.title or ''}\n{item.source}"
    for each in enumerations(item.text):
        if _are_values(each) or any(map(_is_torn, each.items)):
            continue
        noun = _nearness(question.noun.said, each, section)
        if not noun or (question.noun.kind == "risk" and not _is_of_risks(each)):
            continue
        text = f"{each.lead}{'、'.join(each.items)}{each.tail}"
        if whose and not any(name in text for name in whose):
            continue
        own = question.noun.of_documents
        share = share_of(predicate, text, f"{section}\n{over}\n{each.quotes[0]}", own=own)
        if share < MIN_SHARE:
            continue
        beside = values_beside(each) if question.ranking.amounts else ()
        found = tuple(
            Item(_called(name, question), (Quote(item, quote, places),), _amount(value))
            for name, quote, value in zip_longest(each.items, each.quotes, beside, fillvalue="")
            if (places := locate(quote, item.regions_text))
        )
        if question.noun.kind == "risk":
            found = tuple(each for each in found if not _OF_NO_RISK.search(each.name))
            if not (
                _LEADS_RISKS.search(each.lead) or any(_RISKY.search(one.name) for one in found)
            ):
                continue  # 高血压、卒中 are risks of a patient
        if question.noun.kind in NAMED and not _are_names(found, question):
            continue
        if len(found) > 1 or (found and question.noun.kind == "risk"):
            length = 0.03 * min(len(found), 8) + _AMOUNTS * bool(beside)
            yield Listed(found, noun + share + SURE * each.closed + length + near)


def _amount(value: str) -> tuple[tuple[str, str], ...]:
    return (("", value),) if value else ()


def _called(name: str, question: ListQuestion) -> str:
    """What an item is called: a risk that a page runs in ahead of its text ends with the word."""
    return _INCLUDING.sub("", run_in(name) if question.noun.kind == "risk" else name)


def run_in(name: str) -> str:
    """The name of a risk that a page runs in ahead of its text: 汇率风险公司出口的……."""
    risk = _RUN_IN.match(name)
    return risk[0] if risk else name


def _is_torn(name: str) -> bool:
    """Whether an item begins with what ends a word, or holds half of a pair of marks: 了《关于."""
    marks = [(name.count(one), name.count(other)) for one, other in ("《》", "“”", "（）")]
    return bool(_PARTICLE.match(name)) or any(one != other for one, other in marks)


def _are_values(listed: Enumeration) -> bool:
    """Whether most items are figures, of what is listed elsewhere."""
    return 2 * sum(map(is_value, listed.items)) > len(listed.items)


def _are_names(items: Sequence[Item], question: ListQuestion) -> bool:
    """Whether most items may be names: 重要的非全资子公司 is none."""
    said = None if question.noun.kind == "company" else question.noun.said
    none = sum(
        1
        for each in items
        if TOLD.search(each.name) or (said and said.search(each.name)) or not may_name(each.name)
    )
    return 2 * none < len(items)


def _nearness(said: re.Pattern[str], listed: Enumeration, section: str) -> float:
    """How near to a list the noun stands."""
    if _ELSEWHERE.search(listed.lead) and not said.search(listed.lead[-5:]):
        return _NEAR if said.search(listed.quotes[0]) else 0.0
    lead = listed.lead if listed.led else ""
    if said.search(f"{lead[-10:]} {listed.tail[:8]}"):
        return BESIDE
    if said.search(f"{lead[-24:]} {listed.tail[:14]}"):
        return _CLOSE
    if said.search(section):
        return _OVER
    return _NEAR if said.search(listed.quotes[0]) else 0.0


def _is_of_risks(listed: Enumeration) -> bool:
    """Whether a list stands under such a heading, or most of its items are called so."""
    if _RISKS.search(listed.lead[-20:]):
        return True
    called = sum(1 for each in listed.items if "风险" in each or "risk" in each.casefold())
    return 2 * called > len(listed.items)


def of_table(
    item: TableItem,
    question: ListQuestion,
    predicate: Predicate,
    near: float,
    page: str,
    whose: Sequence[str] = (),
    *,
    theirs: bool = True,
) -> Iterator[Listed]:
    """Rows of its parts, by the column that the noun heads, or whose title has it.

    Args:
        page: what else was found on its page.
        whose: names of whom its rows have to be; empty: of anybody.
        theirs: whether the document is on them, and what it lists, unless a row says whose.
    """
    said, own = question.noun.said, question.noun.of_documents
    for block in blocks(item):
        column = name_column(block, said, titled=True)
        if column is None:
            continue
        if question.noun.kind in RELATED:
            block = rows_of_kind(block, column, said)
        if whose and (block := rows_of_whom(block, column, whose, own=theirs)) is None:
            continue
        headed = bool(said.search(block.header.get(column, "")))
        heads = " ".join(block.header.values())
        text = f"{block.title}\n{heads}\n{item.text[:300]}"
        share = share_of(predicate, text, f"{item.identity}\n{page}", own=own and not page)
        if share < (_MIN_TITLED if said.search(block.title) and not own else MIN_SHARE):
            continue
        found = tuple(
            Item(each.name, (_row_quote(item, each.row),), each.amounts)
            for each in entries(item, block, column, question.asked, question.ranking)
        )
        if len(found) > 1 or (found and (question.ranking.most == 1 or whose)):
            noun = (BESIDE if headed else _OVER) + SURE
            noun += _AMOUNTS * any(each.amounts for each in found)
            length = 0.03 * min(len(found), 8)
            ranked = question.ranking.most is not None or question.ranking.amounts
            yield Listed(found, noun + share + length + near, headed, ranked)


def _row_quote(item: TableItem, row: TableRow) -> Quote:
    return Quote(item, row.quote, (row.place,) if row.place else item.places)


def share_of(predicate: Predicate, text: str, around: str, *, own: bool) -> float:
    """The share of what is asked beside the noun that a list says; all where nothing is.

    Args:
        own: whether the list itself has to say some of it: whom something holds of is not told by
            the title of a report.
    """
    if not predicate.wanted:
        return 1.0
    said = predicate.said(text.replace("，", " "), around)
    if said is not None:
        return said.share
    # what stands over a list need not be said in it again
    over = None if own else predicate.said(around)
    return over.share * 0.8 if over else 0.0
