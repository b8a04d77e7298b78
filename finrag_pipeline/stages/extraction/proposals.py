"""Companies and organisations that a tagger proposes: which of them what is around them bears out.

A tagger takes words for names and short names for persons, and cuts others. So a proposal counts
by itself only where it ends like a company; elsewhere what stands beside it has to say so, and what
is borne out at one place of a document holds at all of them. What is proposed is `proposed_spans`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from finrag_pipeline.stages.extraction.placing import cuts_firm, is_called_after
from finrag_pipeline.stages.extraction.proposed_spans import (
    CODED,
    MOST_PARTS,
    PARTING,
    Proposal,
    proposed_spans,
)
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.wording import (
    BODY,
    ORGANISATION,
    is_rare,
    is_short_of,
    may_be_name,
)

_FIRMS = (
    "公司|企业|厂商|厂家|客户|供应商|药企|车企|巨头|大厂|龙头|同行|品牌商|运营商|晶圆厂|代工厂|制造商|开发商|服务商|经销商"
    "|分销商|集成商|券商|投行|银行|机构|玩家|对手|股东|伙伴|标的"
)
#: What says that a company follows or stands before.
_BEFORE = re.compile(
    rf"(?:(?:{_FIRMS})(?:[^，。；、（）]{{0,3}}?(?:包括|涵盖|覆盖|有|为|是|如|即|以|：|:))?|子公司|孙公司|母公司|参股公司|被投企业|关联方"
    r"|收购了?|并购了?|入股了?|携手|联手|授权给|出售给|供应给|供货给|交付给|采购自|来自|对标|旗下|就职于|任职于|供职于)[“\"]?$"
)
_AFTER = re.compile(
    rf"[”\"]?(?:公司|集团|股份(?!比|数|有限)|等(?:[^，。；、（）]{{0,8}}?)(?:{_FIRMS})|{CODED}"
    rf"|为代表的?[^，。；、]{{0,12}}?(?:{_FIRMS}|集团)|的?(?:股东|子公司|董事长|首席执行官|CEO|总裁|创始人|产线|晶圆厂|市占率|股价|市值|财报|年报)"
    r"|(?:于|在)?(?:\d{4}年)?(?:\d{1,2}月)?(?:\d{1,2}日)?(?:宣布|推出了?|收购了?|签订|签署|公告|中标|扩产|上市(?!公司)|自主研发|成立于|主营|专注于))"
)
#: Between two members of a list.
_JOINT = re.compile(r"(?:[（(][^（）()]{1,30}[)）])?\s*(?:、|,|和|与|及|以及|/)\s*")
#: The rest of a member, or one member that the tagger did not see.
_CUT_MEMBER = re.compile(r"(?:[\u3400-\u9fff]{1,3}|(?:、|和|与)[\u3400-\u9fff]{2,8})(?:、|和|与)")
_LIST_END = re.compile(r"(?:、|，|,|和|与|及|以及|等|。|；|$)")
#: A member of a list that the tagger cut: 速腾|聚创.
_MEMBER = re.compile(r"[\u3400-\u9fffA-Za-z0-9]{2,8}(?=[、等和及与，。；])")
_ITEM = re.compile(r"([\u3400-\u9fff]{3,8}?)(?=[、等和及。，；\n])")
_SURE_MEMBERS = 2
#: What names stocks.
_PICKED = re.compile("(?:关注|推荐|标的|看好|覆盖)(?:[^，。；、：:]{0,4})[：:]?$")
_LEGAL = re.compile("(?:有限公司|有限责任公司|公司|（有限合伙）)$")
_OPEN = re.compile(r"(?:^|[、：:（(“\"])$")
_PERSONAL = re.compile(
    "先生|女士|教授|博士|院士|分析师|董事|监事|总经理|总裁|主任|医生|研究员|团队成员|持股"
)


def proposed_names(chunks: Sequence[Tagged], known: Sequence[Sequence[Found]]) -> list[list[Found]]:
    """Companies and organisations of a document beyond those that are known, chunk by chunk.

    Args:
        chunks: with the words of a tagger; without words nothing is found.
        known: the names that lists and forms give in each chunk; companies of them bear others
            out, and nothing is proposed where one stands.
    """
    proposed = [proposed_spans(chunk, some) for chunk, some in zip(chunks, known, strict=True)]
    borne = {
        chunk.text[each.start : each.end]
        for chunk, some, found in zip(chunks, proposed, known, strict=True)
        for each in _borne_out(chunk, some, found)
    }
    full = {
        chunk.text[each.start : each.end]
        for chunk, found in zip(chunks, known, strict=True)
        for each in found
        if each.type == "company" and _LEGAL.search(chunk.text, each.start, each.end)
    }
    names = {name: _full_name(name, full) for name in borne if _is_whole(name, chunks)}
    return [
        [*_named_again(chunk, names), *_organisations(chunk, found)]
        for chunk, found in zip(chunks, known, strict=True)
    ]


def _full_name(name: str, full: Iterable[str]) -> str:
    """The one company of a document whose short name it is, else itself."""
    whose = [each for each in full if is_short_of(name, each)]
    return whose[0] if len(whose) == 1 else name


def _borne_out(
    chunk: Tagged, proposals: Sequence[Proposal], known: Sequence[Found]
) -> Iterator[Proposal]:
    text = chunk.text
    for group in _lists(text, proposals, known):
        members = [each for each in group if isinstance(each, Proposal)]
        yield from _cut_members(chunk, group)
        before, after = text[: group[0].start], text[group[-1].end : group[-1].end + 24]
        said = _AFTER.match(after) or _BEFORE.search(before[-16:]) or _PICKED.search(before[-12:])
        sure = len(group) - sum(each.grade == "maybe" for each in members)
        tagged = sure + sum(each.tag == "ORG" for each in members if each.grade == "maybe")
        for each in members:
            if each.grade == "sure":
                yield each
            elif len(group) == 1:
                unsure = _is_short_latin(text, each) or _is_personal(text, each)
                if said and each.tag == "ORG" and not unsure:
                    yield each
            elif _PERSONAL.search(after[:8]) or (sure < 2 and _is_short_latin(text, each)):
                continue
            elif each.tag == "ORG":
                if sure or said or tagged > 2:
                    yield _whole_member(chunk, each)
            elif (said and tagged) or sure > 1 or (sure and tagged > 2):
                yield _whole_member(chunk, each)


def _cut_members(chunk: Tagged, group: Sequence[Proposal | Found]) -> Iterator[Proposal]:
    """Members of a list of companies that the tagger takes for other words: 楚|能|新能源."""
    text = chunk.text
    sure = [each for each in group if isinstance(each, Found) or each.grade == "sure"]
    picked = _PICKED.search(text[max(0, group[0].start - 12) : group[0].start])
    if len(sure) < (1 if picked else _SURE_MEMBERS):
        return
    places = [(one.end, two.start) for one, two in pairwise(group)]
    for first, last in [*places, (group[-1].end, len(text))]:
        for match in _ITEM.finditer(text, first, last + 1):
            if not text[first : match.start()].endswith(("、", "和", "与", "及")):
                break
            if is_rare(match[1]) and may_be_name(match[1]) and not BODY.search(match[1]):
                yield Proposal(match.start(1), match.end(1), "maybe", "ORG")


def _is_short_latin(text: str, each: Proposal) -> bool:
    """Whether it may be any abbreviation: OTC, IPO, ESG."""
    shown = text[each.start : each.end]
    return shown.isascii() and shown.isupper()


def _is_personal(text: str, each: Proposal) -> bool:
    return _PERSONAL.search(text[max(0, each.start - 6) : each.end + 8]) is not None


def _lists(
    text: str, proposals: Sequence[Proposal], known: Sequence[Found]
) -> Iterator[list[Proposal | Found]]:
    """Proposals with their neighbours of the same list, in order of print."""
    companies = [each for each in known if each.type == "company"]
    spans = sorted([*proposals, *companies], key=lambda each: (each.start, -each.end))
    group: list[Proposal | Found] = []
    for each in spans:
        if group and each.start < group[-1].end:
            continue
        if group and not _joined(text, group[-1].end, each.start):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _joined(text: str, end: int, start: int) -> bool:
    if _JOINT.fullmatch(text, end, start):
        return True
    # the rest of a member that the tagger cut: 速腾聚创、
    between = text[end:start]
    return _CUT_MEMBER.fullmatch(between) is not None


def _whole_member(chunk: Tagged, each: Proposal) -> Proposal:
    """The whole member of a list that the tagger cut, where it opens with the proposal."""
    if not _OPEN.search(chunk.text[: each.start]):
        return each
    member = _MEMBER.match(chunk.text, each.start)
    if member is None or member.end() <= each.end or not _LIST_END.match(chunk.text, member.end()):
        return each
    inside = chunk.words[chunk.at(each.start) : chunk.ending(member.end()) + 1]
    closed = chunk.text[member.end()] in "，。；"
    most = MOST_PARTS - closed  # a clause may go on behind the last member
    if not inside or len(inside) > most or any(word.tag in PARTING for word in inside):
        return each
    return Proposal(each.start, member.end(), each.grade, each.tag)


def _is_whole(name: str, chunks: Iterable[Tagged]) -> bool:
    """Whether a name is no piece of a longer one, before or behind which the same character would
    always stand, and not always said of a thing or a place right behind it."""
    before: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    cut = said = 0
    for chunk in chunks:
        for match in re.finditer(re.escape(name), chunk.text):
            cut += _goes_on(chunk.text, *match.span())
            said += _is_said_of(chunk, match.end())
            before[chunk.text[match.start() - 1 : match.start()]] += 1
            behind[chunk.text[match.end() : match.end() + 1]] += 1
    times = before.total()
    if times in (cut, said):
        return False
    if times < _OFTEN:
        return True
    return not any(
        count == times and "\u3400" <= char <= "\u9fff" and char not in _JOINING
        for counts in (before, behind)
        for char, count in counts.items()
        if char
    )


def _is_said_of(chunk: Tagged, end: int) -> bool:
    """Whether a name that ends there is said of a thing, a place or another name: 星河光伏|空调,
    检验集团——甲集团."""
    at = chunk.at(end)
    if at < 0:  # 星河智能|家居: the tagger takes more for one word
        return any(word.start < end < word.end for word in chunk.words)
    thing = chunk.words[at].tag in ("n", "nz", "nw", "vn", "LOC")
    return (thing and not _OWN.match(chunk.text, end)) or chunk.text.startswith("——", end)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a tagger cut a name out of a word, 美国医学|会, 公|司控|股; of what is called after
    somebody: 云岭智造|体验中心; of a field: 直流电器|等领域."""
    if is_called_after(text, end):
        return True
    longer = (text[start : end + more] for more in (1, 2))
    ends = any(ORGANISATION.search(each) for each in longer)
    own = ORGANISATION.search(text[start:end])
    return (ends and not own) or cuts_firm(text, start, end)


#: What a firm has or is, behind its name.
_OWN = re.compile(
    "公司|集团|股份|股东|股权|董事|监事|总裁|总经理|创始|首席|高管|团队|员工|业务|收入|营收|股价|市值|财报|年报|季报|"
    "技术|平台|工厂|旗下|子公司|客户|供应|订单|产能|产线|市场|份额|项目|等|中国|研发|研究|亚太"
)
#: Characters that stand beside any name.
_JOINING = "的和与及等在为由向对被从是有如了以将给于或至到后前中并也"
#: A name printed so often is not always followed by the same character.
_OFTEN = 2


def _named_again(chunk: Tagged, names: Mapping[str, str]) -> Iterator[Found]:
    """Every place of names in a chunk where the tagger's words begin and end, too."""
    for name, whose in sorted(names.items()):
        for match in re.finditer(re.escape(name), chunk.text):
            start, end = match.span()
            first, last = chunk.at(start), chunk.ending(end)
            if (len(name) > 3 or (first >= 0 and last >= 0)) and not _is_within_latin(
                chunk.text, start, end
            ):
                yield Found(start, end, "company", "medium", 1, whose)


def _is_within_latin(text: str, start: int, end: int) -> bool:
    return any(
        one.isascii() and other.isascii() and one.isalnum() and other.isalnum()
        for one, other in (
            (text[start - 1 : start], text[start]),
            (text[end - 1], text[end : end + 1]),
        )
        if one and other
    )


def _organisations(chunk: Tagged, known: Sequence[Found]) -> Iterator[Found]:
    firms = {each.start for each in known if each.type == "company"}
    for word in chunk.words:
        # the institute of a company is that company
        if word.tag == "ORG" and word.start not in firms and _is_organisation(chunk.shown(word)):
            yield Found(word.start, word.end, "organisation", "low", 0)


def _is_organisation(text: str) -> bool:
    return ORGANISATION.search(text) is not None and may_be_name(text) and is_rare(text)
