"""Who delivers what its sentence calls an input, without saying to whom: 正极来自甲与乙.

To whom is the company that the document is about; where the sentence itself names the customer,
the patterns of `rules` find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.stages.extraction.triggers import Name

_JOINT = re.compile(r"\s*(?:、|,|和|与|及|以及)\s*")
#: 正极来自甲, 主要采购自甲
_FROM = re.compile(
    r"(?P<what>[^，。；：、,;:]{2,12}?)(?:主要|全部|均|分别|部分)?(?:来自|采购自|外购自|购自)$"
)
#: 铜箔由甲 … 供应
_BY = re.compile(r"(?P<what>[^，。；：、,;:]{2,12}?)(?:主要|全部|均|分别|部分)?由$")
_DELIVER = re.compile(r"(?:独家|主要|共同|负责|分别)?(?:供应|供货|供给|配套)(?!链|商)")
#: What is no input: money and what else has a source.
_NO_INPUT = re.compile(
    "收入|营收|利润|收益|业绩|订单|需求|增量|增长|贡献|资金|资本|数据|资料|信息|来源|客户|销量"
    "|份额|成本|压力|竞争|投资|股|权|款|费|消息|专利|人员|团队|高管|董事|专家|用户|流量|毛利|现金"
    "|风险|影响|支持|合作|其中|占比|%|％"
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
        end = names[last].end
        before = text[: name.start]
        from_them = _FROM.search(before)
        by_them = _BY.search(before) if _DELIVER.match(text, end) else None
        said = from_them or by_them
        if said and not _NO_INPUT.search(said["what"]):
            for place in range(at, last + 1):
                delivering.add(place)
                yield place, said.start("what"), end
