"""Reads which house published a document: the one that its heads, feet, imprint and disclaimers
name most.

How houses are written is `grammar.publishers`; what a row says of its author is `imprint`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.publishers import canonical, publishers, publishers_in
from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.front import Block, Found
from finrag_pipeline.stages.metadata.imprint import alone_on_a_cover, stated_authors

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
#: House, title and day, as platforms name the files that they collect.
_ARCHIVED = re.compile(rf"(?P<house>[{_HAN}A-Za-z&. ]{{2,20}})-[^-].*-\d{{6}}(?:\.\w{{2,4}})?$")
_OWN_RULES = ("page_header", "page_footer", "disclaimer", "cover_block", "repeated_line")
#: What a mention in a head, a foot or a disclaimer counts; one in running text counts 1.
_OWN = 3
#: A statement of authorship outweighs a page of mentions; that of a house nobody lists is often a
#: translation or a cut of its name.
_STATED, _STATED_UNKNOWN = 12, 6
_ON_A_COVER = 4
#: A house that so many regions name, and this share of those that name any, wrote the document.
_NAMED_SHARE, _NAMED_REGIONS = 0.5, 3
_NAMING_PAGES = 40
#: What a house does in its own report; others' figures are shown, forecast or quoted.
_SHOWS = re.compile(r"(?:的|最新|相关)*(?:数据|统计|公布|发布|披露|公告|公报)")
_FINDS = re.compile(
    r"(?:研究|调研|分析|分析师)?(?:发现|认为|评选|建议)|\s(?:finds|believes|recommends)\b"
)


@dataclass(frozen=True, slots=True)
class _Vote:
    """A house that a place names; `own` where the document speaks of itself there."""

    name: str
    weight: int
    place: Place
    own: bool


def read_broker(
    blocks: Sequence[Block], company: str | None, names: Sequence[str] = ()
) -> Found[str] | None:
    """The house that the document names most, above all in what it repeats, states and disclaims.

    Args:
        blocks: of the whole document.
        company: whom the report is about: a house is not the author of a report on itself.
        names: of the file, which tell a house that the pages draw as a picture.

    Returns:
        Its name by `grammar.publishers`, else as printed.
    """
    found = [vote for block in blocks for vote in (*_stated(block), *_named(block))]
    if not any(vote.own for vote in found):
        found += [vote for block in blocks for vote in _named_alike(block)]
    votes: Counter[str] = Counter()
    places: dict[str, Place] = {}
    for vote in found:
        votes[vote.name] += vote.weight
        # running text names other houses: the author also signs, disclaims or stands on the cover
        if vote.own:
            places.setdefault(vote.name, vote.place)
    votes = Counter({name: votes[name] for name in places})
    others = {name: votes[name] for name in votes if not company or company[:4] not in name}
    best = max(others or votes, key=lambda name: (votes[name], -len(name)), default=None)
    if best:
        return Found(best, (places[best],))
    found_out = _named_throughout(blocks) or _finds_out(blocks)
    return found_out or next(filter(None, map(_archived_from, names)), None)


def _archived_from(name: str) -> Found[str] | None:
    """A house that is known, or that stands first where a platform names files."""
    known = next((house.name for house, _, _ in publishers_in(name)), None)
    first = _ARCHIVED.match(name)
    house = canonical(first["house"]) if first else known
    return Found(house) if house else None


def _stated(block: Block) -> Iterator[_Vote]:
    for author in stated_authors(block):
        name = canonical(author)
        if not _NOT_A_HOUSE.search(name):
            weight = _STATED if name in publishers() else _STATED_UNKNOWN
            yield _Vote(name, weight, block.place, own=True)
    if block.page == 1:
        for row in block.rows:
            name = alone_on_a_cover(row.text, block)
            if name:
                yield _Vote(canonical(name), _ON_A_COVER, row.place, own=True)


def _named(block: Block) -> Iterator[_Vote]:
    """Houses by their spellings, and securities companies and consultancies by their forms."""
    own = block.rule in _OWN_RULES
    weight = _OWN if own else 1
    cover = block.page == 1 and not block.prose and block.kind not in ("title", "table", "picture")
    for match in (*_LEGAL.finditer(block.passage), *_SELF.finditer(block.passage)):
        name = _BEFORE_HOUSE.split(match[1])[-1]
        if len(name) >= 4 and not _NOT_A_HOUSE.search(name):
            yield _Vote(canonical(name), weight * _OWN, block.place, own or block.page == 1)
    listed: list[tuple[int, int]] = []
    for house, start, end in publishers_in(block.passage) if own or block.page == 1 else ():
        listed.append((start, end))
        if house.kind == "securities" or own or cover:
            # others' data are quoted everywhere: they are the author where nothing else is said
            yield _Vote(house.name, weight, block.place, own or block.page == 1)
    for match in _SHORT.finditer(block.passage):
        name = _BEFORE_HOUSE.split(match[1])[-1]
        told = any(start < match.end(1) and match.start(1) < end for start, end in listed)
        if len(name) >= 4 and not told and not _NOT_A_HOUSE.search(name):
            yield _Vote(canonical(name), weight, block.place, own or block.page == 1)


def _named_alike(block: Block) -> Iterator[_Vote]:
    """What is formed like the name of a house, asked where no house is known."""
    own = block.rule in _OWN_RULES
    for pattern in (_HOUSE, _ENGLISH_HOUSE):
        for match in pattern.finditer(block.passage):
            if not _NOT_A_HOUSE.search(match[1]):
                name = canonical(match[1].strip())
                yield _Vote(name, _OWN if own else 1, block.place, own or block.page == 1)


def _named_throughout(blocks: Sequence[Block]) -> Found[str] | None:
    """The house that most regions name, source lines too, where nothing states an author: who
    speaks of nobody but itself wrote it, and names itself on the first page."""
    named: Counter[str] = Counter()
    places: dict[str, Place] = {}
    regions = 0
    for block in (block for block in blocks if block.page <= _NAMING_PAGES):
        houses = {house.name for house, _, _ in publishers_in(block.passage)}
        regions += bool(houses)
        for name in sorted(houses):
            named[name] += 1
            places.setdefault(name, block.place)
    for name, count in named.most_common(1):
        opens = places[name].page == 1
        if opens and count >= _NAMED_REGIONS and count >= _NAMED_SHARE * regions:
            return Found(name, (places[name],))
    return None


def _finds_out(blocks: Sequence[Block]) -> Found[str] | None:
    """The only house that a document names, where it tells what that house finds: it is its own."""
    houses: set[str] = set()
    finding: Found[str] | None = None
    for block in (block for block in blocks if block.page <= _NAMING_PAGES):
        for house, _, end in publishers_in(block.passage):
            if _SHOWS.match(block.passage, end):
                continue  # figures of others are quoted everywhere
            houses.add(house.name)
            if _FINDS.match(block.passage, end):
                finding = finding or Found(house.name, (block.place,))
    return finding if len(houses) == 1 else None
