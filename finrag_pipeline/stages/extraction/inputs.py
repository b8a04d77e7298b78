"""Who delivers what its sentence calls an input, without saying to whom: 正极来自甲, 向乙采购.

And who is called a customer without saying whose: 新增客户丙. The other one is the company that the
document is about; where the sentence itself names both, the rows of `patterns.csv` find them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.stages.extraction.triggers import Name

_JOINT = re.compile(r"\s*(?:、|,|和|与|及|以及|,? and )\s*")
#: 正极来自甲, 主要采购自甲
_FROM = re.compile(
    r"(?P<what>[^，。；：、,;:]{2,12}?)(?:主要|全部|均|分别|部分)?(?:来自|采购自|外购自|购自)$"
)
#: 铜箔由甲 … 供应
_BY = re.compile(r"(?P<what>[^，。；：、,;:]{2,12}?)(?:主要|全部|均|分别|部分)?由$")
_DELIVER = re.compile(r"(?:独家|主要|共同|负责|分别)?(?:供应|供货|供给|配套)(?!链|商)")
#: 碳酸锂主要向甲 …: without an adverb whoever stands there buys, 经销商向甲采购.
_TO = re.compile(
    r"(?:^|[，。；：、,;:\n])(?P<what>[^，。；：、,;:\n]{0,12}?)"
    r"(?:主要|全部|均|分别|部分|大部分|长期|独家|集中|一直|仍|还|也)+[向从]$"
)
_BOUGHT = re.compile(
    r"(?:等(?:公司|企业|厂商|供应商)?)?(?:长期|集中|独家|大量|批量|直接)?"
    r"(?:采购|外购|购买|购入|购进|订购|进口)"
    r"(?!部|员|商|方|平台|系统|中心|经理|总监|负责|[^，。；]{0,20}(?:持有|股权|股份|股票|资产|债))"
)
#: Who buys where it is not the company that the document is about.
_OTHER_BUYER = re.compile(
    r"商$|客户|用户|厂$|厂家|企业|同行|同业|行业|政府|机构|集团|公司|双方|对方"
)
#: Cathodes are mainly sourced from Acme; it buys them from Acme
_SOURCED = re.compile(
    r"(?P<what>[^.;:,]{2,60}?) (?:is|are|was|were|being|been) (?:\w+ly )?"
    r"(?:sourced|purchased|bought|procured) (?:\w+ly )?from $"
    r"|\b(?:it|we) (?:also )?(?:\w+ly )?(?:buys?|bought|sources?|purchases?d?|procures?d?) "
    r"(?P<which>[^.;:,]{2,60}?) from $",
    re.IGNORECASE,
)
#: 第二大客户甲; with 为 between them the sentence names both, or speaks of somebody else's.
_CUSTOMER = re.compile(
    r"(?:^|[，。；：、,;:\n])(?:第[一二三四五]大|最大|新增|新)(?:的)?(?:下游|核心|重要|海外)?客户$"
)
#: What is no input: money and what else has a source.
_NO_INPUT = re.compile(
    "收入|营收|利润|收益|业绩|订单|需求|增量|增长|贡献|资金|资本|数据|资料|信息|来源|客户|销量"
    "|份额|成本|压力|竞争|投资|股|权|款|费|消息|专利|人员|团队|高管|董事|专家|用户|流量|毛利|现金"
    "|风险|影响|支持|合作|其中|占比|%|％"
    r"|\b(?:revenues?|sales|profits?|shares?|stakes?|equity|interests?|business|assets?|data"
    r"|information|funds?|funding|capital|orders?|demand|loans?|debts?|bonds?|licen[cs]es?|land)\b",
    re.IGNORECASE,
)


def delivered_inputs(text: str, names: Sequence[Name]) -> Iterator[tuple[int, int, int]]:
    """Places of the delivering companies among the names, and where their words stand.

    Nothing where the sentence names another company before them: whose input it is is unsure.

    Args:
        text: one sentence.
        names: in order of print, none overlapping.
    """
    delivering: set[int] = set()
    for at, name in enumerate(names):
        others = [
            place
            for place, other in enumerate(names[:at])
            if other.type == "company" and place not in delivering
        ]
        if name.type != "company" or at in delivering or others:
            continue
        last = at
        while (
            last + 1 < len(names)
            and names[last + 1].type == "company"
            and _JOINT.fullmatch(text, names[last].end, names[last + 1].start)
        ):
            last += 1
        if said := _said(text, name.start, names[last].end):
            for place in range(at, last + 1):
                delivering.add(place)
                yield place, *said


def named_customers(
    text: str, names: Sequence[Name], own: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Places of the companies among the names that are called customers, and where it is said.

    Nothing where the sentence names another company before them and the own one not at all.

    Args:
        text: one sentence.
        names: in order of print, none overlapping.
        own: places of the company that the document is about.
    """
    for at, name in enumerate(names):
        companies = [place for place in range(at) if names[place].type == "company"]
        if name.type != "company" or at in own or (companies and not set(own) & set(companies)):
            continue
        if said := _CUSTOMER.search(text[: name.start]):
            yield at, said.start(), name.end


def _said(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where it is said that the companies between `start` and `end` deliver an input."""
    before = text[:start]
    found = _FROM.search(before) or (_BY.search(before) if _DELIVER.match(text, end) else None)
    if found is None and (bought := _BOUGHT.match(text, end)):
        found, end = _TO.search(before), bought.end()
        if found and _OTHER_BUYER.search(found["what"]):
            return None
    found = found or _SOURCED.search(before)
    if found is None:
        return None
    what = found["what"] or found.groupdict().get("which") or ""
    return None if _NO_INPUT.search(what) else (found.start(), end)
