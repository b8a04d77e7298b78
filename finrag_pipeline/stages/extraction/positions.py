"""Where in an industry chain things stand by a document's own words: 上游：药品, 中游的电芯, and
which companies are told there.

A heading such as 3.1 上游：药品与器械 holds for its section, a sentence that tells several for
itself. Who supplies whom belongs to `relations`, tables of such positions to `tables`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Chunk
from finrag_pipeline.records.graph import ChunkExtraction, Mention, RelationStatement
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal, tokens_of

_ORDER = ("上游", "中游", "下游")
#: 3.1 上游：药品与器械供应, （二）产业链中游——电芯制造
_HEADING = re.compile(
    r"^[\d.、\s（()）一二三四五六七八九十第章节]*(?:产业链)?(?P<stage>[上中下]游)"
    r"(?:环节|端|领域|产业|行业|分析)?\s*(?:[：:]|—+|-+|–)\s*(?P<name>[^：:，。；—]{2,20})$"
)
_STAGE = re.compile(
    r"(?:(?<=[，。；、：:\n\s为是由括以及和的“])|(?<=产业链)|(?<=行业)|^)(?P<stage>[上中下]游)"
    r"(?:环节|端|产业|行业)?(?P<link>(?:主要|则|涉及|为|是|包括|包含|涵盖|由|有|的|[：:，]){0,4})"
)
#: What stands behind 为, 的, 包括 up to the next mark.
_LISTED = re.compile(r"[\u3400-\u9fffA-Za-z]{2,12}(?=[，。；、：（(\n])")
#: What ends a name without being of it, and what names nothing by itself.
_TAIL = re.compile("(?:领域|环节|行业|产业|市场|板块|等)+$")
_GENERIC = re.compile(
    "(?:客户|需求|企业|厂商|公司|行业|产业|产业链|市场|价格|应用|领域|环节|供应商?|渠道|协同|机构|服务"
    "|相关|主要|产品|中国|全国|技术|资源|合作|伙伴|生态|端|终端|用户|[上中下]游)+"
)
_OF_ALL = re.compile("产业链|供应链|价值链|核心环节|的|替代|[涨跌增降]")
#: What says that companies stand in a line of business.
_PLAYERS = re.compile(
    "代表|龙头|主导|巨头|垄断|寡头|占据|领导者|领军|头部|参与者|玩家|国产品牌|外资品牌"
    "|(?:企业|厂商|公司|品牌)(?:主要)?(?:有|包括|为|如)|等(?:[^，。；、]{0,6})(?:企业|公司|厂商|集团)"
)
#: What a line of business may stand around: terms, never names.
_TERMS = ("industry", "commodity", "concept", "metric", "product")
#: Positions of one chain follow each other within so many characters.
_FARTHEST = 160
#: A company is told so near behind what names its line of business.
_NEAR = 200


@dataclass(frozen=True, slots=True)
class _Segment:
    """A line of business that a text gives a position: its name and where the text says it."""

    stage: int
    name: str
    start: int
    end: int


def positioned(
    chunks: Sequence[Chunk], extractions: Sequence[ChunkExtraction]
) -> list[ChunkExtraction]:
    """What is read of each chunk, with the positions that it tells.

    Args:
        chunks: of one document in order, with the headings over them.
        extractions: of each of them.

    Returns:
        The same with lines of business as mentions of industries, `upstream_of` between them where
        a passage tells several, and `operates_in` for the companies told there.
    """
    headed = dict(_headed(chunks))
    return [
        _told(chunk, extraction, headed)
        for chunk, extraction in zip(chunks, extractions, strict=True)
    ]


def _headed(chunks: Sequence[Chunk]) -> Iterator[tuple[int, str]]:
    """The line of business of each position that a heading names; the last heading counts."""
    for chunk in chunks:
        for heading in chunk.section:
            if (match := _HEADING.match(heading.strip())) and (name := _plain(match["name"])):
                yield _ORDER.index(match["stage"]), name


def _told(chunk: Chunk, extraction: ChunkExtraction, headed: Mapping[int, str]) -> ChunkExtraction:
    text = chunk.content
    if not headed and len(re.findall("[上中下]游", text)) < 2:
        return extraction
    segments = list(_segments(text, headed))
    stated: list[tuple[_Segment, str, _Segment | Mention]] = [
        (one, "upstream_of", other) for one, other in _followed(segments)
    ]
    for company, segment in _players(text, extraction.mentions, segments, _over(chunk, headed)):
        stated.append((segment, "operates_in", company))
    return _added(text, extraction, stated) if stated else extraction


def _segments(text: str, headed: Mapping[int, str]) -> Iterator[_Segment]:
    """What the sentences of a chunk give a position, in order of print."""
    tokens = tokens_of(text)
    matches = list(_STAGE.finditer(text))
    for match in matches:
        stage, start = _ORDER.index(match["stage"]), match.end()
        known = headed.get(stage, "")
        if known and text.startswith(known, start):
            yield _Segment(stage, known, start, start + len(known))
            continue
        strict, loose = (_run_end(tokens, start, verbs) for verbs in (False, True))
        if match["link"] and (listed := _LISTED.match(text, start)):
            strict = max(strict, listed.end())
        # verbs stand in names too, 诊疗服务, which only a heading can bear out
        ends = (loose, strict) if _same(_plain(text[start:loose]), known) else (strict,)
        for end in ends:
            name = _plain(text[start:end].rstrip("与和及"))
            begins = text.find(name, start, end) if name else -1
            if begins >= 0:
                shown = known if _same(name, known) else name
                yield _Segment(stage, shown, begins, begins + len(name))
                break
        else:
            beside = {m["stage"] for m in matches if abs(m.start() - match.start()) <= _FARTHEST}
            # told side by side the words themselves stand for what the headings name
            if known and len(beside) == len(_ORDER):
                yield _Segment(stage, known, *match.span("stage"))


def _run_end(tokens: Tokens, start: int, verbs: bool) -> int:
    """Where the nouns end that follow a place, what joins them included."""
    end = start
    for at in range(bisect_left(tokens.starts, start), len(tokens.starts)):
        word = tokens.text[tokens.starts[at] : tokens.ends[at]]
        inside = is_nominal(tokens.tags[at]) or (verbs and tokens.tags[at].startswith("v"))
        if tokens.starts[at] != end or not (inside or (word in "与和及" and end > start)):
            break
        end = tokens.ends[at]
    return end


def _same(name: str, known: str) -> bool:
    """Whether a name has most of its words from a heading's: 诊疗机构 of 宠物诊疗服务机构."""
    pairs = [name[n : n + 2] for n in range(len(name) - 1)]
    telling = [pair in known for pair in pairs if not _GENERIC.fullmatch(pair)]
    return any(telling) and 2 * sum(pair in known for pair in pairs) > len(pairs)


def _plain(name: str) -> str:
    """A name without words that name nothing; empty where nothing is left."""
    bare = _TAIL.sub("", "".join(name.split()))
    return "" if len(bare) < 2 or _GENERIC.fullmatch(bare) or _OF_ALL.search(bare) else bare


def _followed(segments: Sequence[_Segment]) -> Iterator[tuple[_Segment, _Segment]]:
    """Positions told one after the other, from the upper to the lower."""
    for at, one in enumerate(segments):
        for other in segments[at + 1 :]:
            if other.start - one.end > _FARTHEST or other.stage == one.stage:
                break
            first, last = sorted((one, other), key=lambda each: each.stage)
            between = any(each.stage == 1 for each in segments) and last.stage - first.stage == 2
            if first.name != last.name and not between:
                yield first, last
                break


def _over(chunk: Chunk, headed: Mapping[int, str]) -> tuple[int, str] | None:
    """The position that the headings over a chunk give it."""
    for heading in reversed(chunk.section):
        if match := _HEADING.match(heading.strip()):
            stage = _ORDER.index(match["stage"])
            return (stage, headed[stage]) if stage in headed else None
    return None


def _players(
    text: str,
    mentions: Sequence[Mention],
    segments: Sequence[_Segment],
    over: tuple[int, str] | None,
) -> Iterator[tuple[Mention, _Segment]]:
    """Companies that a sentence tells as those of a line of business, with where that is named."""
    start = 0
    for piece in (p for line in text.splitlines() for p in split_sentences(line)):
        start = text.index(piece, start)
        stop = start + len(piece)
        firms = [m for m in mentions if m.type == "company" and start <= m.start and m.end <= stop]
        for firm in firms if _PLAYERS.search(piece) else ():
            before = [s for s in segments if start <= s.start and s.end <= firm.start]
            segment = before[-1] if before else over and _named(text, over, firm)
            # without a heading a position holds where it is one of several
            if segment and (over or len({each.stage for each in segments}) > 1):
                yield firm, segment
        start = stop


def _named(text: str, over: tuple[int, str], firm: Mention) -> _Segment | None:
    """The nearest words before a company that the name of its section's line of business has."""
    stage, name = over
    parts = [name[n : n + 2] for n in range(len(name) - 1)]
    parts = [part for part in parts if not _GENERIC.search(part) and part[0] not in "与和及"]
    first = max(0, firm.start - _NEAR)
    places = [(text.rfind(part, first, firm.start), part) for part in parts]
    place, part = max(places, default=(-1, ""))
    return _Segment(stage, name, place, place + len(part)) if place >= 0 else None


def _added(
    text: str,
    extraction: ChunkExtraction,
    stated: Sequence[tuple[_Segment, str, _Segment | Mention]],
) -> ChunkExtraction:
    """An extraction with further statements; what names a line of business becomes a mention in
    the place of terms that stand within it and of which nothing is said."""
    old = extraction.mentions
    said = {at for each in extraction.relations for at in (each.head, each.tail)}
    said |= {each.subject for each in extraction.claims}
    new: dict[_Segment, Mention] = {}
    ends: dict[_Segment, Mention] = {}
    for each in dict.fromkeys(s for one, _, other in stated for s in (one, other)):
        if not isinstance(each, _Segment):
            continue
        held = [at for at, m in enumerate(old) if m.start < each.end and each.start < m.end]
        if all(at not in said and old[at].type in _TERMS for at in held) and not any(
            m.start < each.end and each.start < m.end for m in new.values()
        ):
            shown = text[each.start : each.end]
            new[each] = Mention(each.start, each.end, shown, each.name, "industry", "medium")
        elif len(held) == 1 and old[held[0]].type in _TERMS and old[held[0]].text in each.name:
            ends[each] = old[held[0]]  # of which something is said already
    ends |= new
    kept = [
        m
        for m in old
        if not any(m.start < other.end and other.start < m.end for other in new.values())
    ]
    mentions = sorted([*kept, *new.values()], key=lambda m: m.start)
    place = {id(m): at for at, m in enumerate(mentions)}
    moved = {at: place[id(m)] for at, m in enumerate(old) if id(m) in place}
    added: list[RelationStatement] = []
    for segment, relation, other in stated:
        pair = (segment, other) if relation == "upstream_of" else (other, segment)
        found = [ends.get(end) if isinstance(end, _Segment) else end for end in pair]
        between = [end for end in found if end is not None]
        if len(between) < 2:
            continue
        head, tail = (place[id(end)] for end in between)
        start, stop = min(end.start for end in between), max(end.end for end in between)
        told = " ".join(text[start:stop].split())
        added.append(
            RelationStatement(head, relation, tail, start, stop, told, "asserted", "medium")
        )
    known = {(r.head, r.relation, r.tail): r for r in reversed(added)}
    relations = [
        *(replace(r, head=moved[r.head], tail=moved[r.tail]) for r in extraction.relations),
        *reversed(known.values()),
    ]
    claims = (replace(each, subject=moved[each.subject]) for each in extraction.claims)
    order = sorted(relations, key=lambda r: (r.start, r.head, r.tail, r.relation))
    return replace(
        extraction, mentions=tuple(mentions), relations=tuple(order), claims=tuple(claims)
    )
