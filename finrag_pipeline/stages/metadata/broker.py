"""Reads which house wrote a report: the one that its heads, feet and disclaimers name most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.front import Block, Found

_HAN = r"\u4e00-\u9fff"
_SHORT = re.compile(
    rf"(?:^|[^{_HAN}]|[由请但])([{_HAN}]{{2,6}}?(?:国际)?证券)"
    r"(?!投资|分析|交易|市场|业|监督|从业|账户|咨询|代码|简称|期货|登记|研究报告$|的)"
)
_LEGAL = re.compile(
    rf"([{_HAN}]{{2,8}}?(?:国际)?(?:证券|资本|咨询|金融|国际))(?:环球市场|控股|集团)?"
    r"(?:（[^）]{1,6}）|\([^)]{1,6}\))?(?:股份|研究所?)?有限(?:责任)?公司"
)
#: A disclaimer introduces its house: any company that it goes on to call "the company".
_SELF = re.compile(
    rf"([{_HAN}]{{4,20}}?)(?:股份|研究所?)?有限(?:责任)?公司\s*[（(](?:以下|下)?简?称"
)
_HOUSE = re.compile(
    rf"(?:^|[^{_HAN}]|[为由归])([{_HAN}]{{2,8}}(?:研究院|咨询))(?![{_HAN}]{{0,2}}业)"
)
_ENGLISH_HOUSE = re.compile(
    r"((?:[A-Z][A-Za-z.]+ |& ){1,4}"
    r"(?:Securities|(?:Capital|Research|International|Partners|Markets)"
    r"(?=,? (?:Co|Limited|Ltd|LLC|Inc)\b))(?:,? (?:Co|Limited|Ltd|LLC|Inc)\b\.?,?)*)"
)
_BEFORE_HOUSE = re.compile(r"为|归|属于|由|请|系|是|指|公司|和|及|与")
_NOT_A_HOUSE = re.compile(
    r"任何|代理|买卖|私募|购买|构成|报告|属于|版权|提供|战略|"
    r"^(按|或|且|权归|根据|不|年|对|在|与|和|为|本|我|该|各|其|有价|中国证券|上市|公司|持有|从事|买卖|"
    r"具[备有]|取得|以上|下列|上述|相关|注册|经|及|未经|所有|这|将|被|向|于|就|以)"
)
_OWN_RULES = ("page_header", "page_footer", "disclaimer", "cover_block")


def read_broker(blocks: Sequence[Block], company: str | None) -> Found[str] | None:
    """The house that the document names most, above all in what it repeats and disclaims.

    Args:
        blocks: of the whole document.
        company: whom the report is about: a house is not the author of a report on itself.
    """
    votes: Counter[str] = Counter()
    places: dict[str, Place] = {}
    for name, weight, place in _named(blocks):
        votes[name] += weight
        # running text names other houses: the author also signs, disclaims or stands on the cover
        if weight > 1 or place.page == 1:
            places.setdefault(name, place)
    votes = Counter({name: votes[name] for name in places})
    others = {name: votes[name] for name in votes if not company or company[:4] not in name}
    best = max(others or votes, key=lambda name: (votes[name], -len(name)), default=None)
    return Found(best, (places[best],)) if best else None


def _named(blocks: Iterable[Block]) -> list[tuple[str, int, Place]]:
    found: list[tuple[str, int, Place]] = []
    last: list[tuple[str, int, Place]] = []
    for block in blocks:
        weight = 3 if block.rule in _OWN_RULES else 1
        for pattern, factor in ((_LEGAL, 3), (_SELF, 3), (_SHORT, 1)):
            for match in pattern.finditer(block.passage):
                name = _BEFORE_HOUSE.split(match[1])[-1]
                if len(name) >= 4 and not _NOT_A_HOUSE.search(name):
                    found.append((name, weight * factor, block.place))
        for pattern in (_HOUSE, _ENGLISH_HOUSE):
            for match in pattern.finditer(block.passage):
                if not _NOT_A_HOUSE.search(match[1]):
                    last.append((match[1].strip(), weight, block.place))
    return found or last
