"""What a chunk claims of an entity: figures with metric, unit and period, ratings, risks.

A figure whose subject is unsure gets no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Claim, Mention
from finrag_pipeline.stages.extraction.modality import modality_of
from finrag_pipeline.stages.extraction.periods import period_before
from finrag_pipeline.stages.extraction.relations import Sentence

_UNIT = (
    r"个百分点|百分点|pct|pp|bps?|[%％]|万亿元|亿元|百万元|万元|千元|亿美元|百万美元|万美元|"
    r"亿港元|亿欧元|美元|港元|港币|人民币元|元/[吨股片桶克千瓦时平方米]+"
    r"|元|万吨|亿吨|吨|吉瓦时|兆瓦时|千瓦时|吉瓦|兆瓦|GWh|MWh|GW|MW|万片|万台|万辆|万套|亿片|片|"
    r"台|辆|套|万平方米|万人|万户|倍|家|人|亿股|万股"
)
_CHANGE = (
    r"同比(?:大幅|小幅|略有|分别)?(?:增长|增加|下降|减少|下滑|提升|上升|回落|增|降|持平|"
    r"上涨|下跌|变动|扩大|收窄)?|环比(?:大幅|小幅|略有)?(?:增长|增加|下降|减少|下滑|提升|上升|"
    r"回落|增|降|上涨|下跌)?"
)
#: From a metric to its figure: 为, 达到, 实现 and the change itself.
_FIGURE = re.compile(
    rf"(?:\s*[（(](?:扣非|亏损|[^（）()\d]{{1,8}})[)）])?(?P<change>\s*(?:{_CHANGE}|增长|增加|"
    rf"下降|减少|下滑|提升|上升))?"
    rf"(?:\s*(?:约|了|为|达|达到|至|到|实现|约为|仅|由|超|超过|近|高达|=|：|:))*\s*"
    rf"(?P<value>[-+－]?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>{_UNIT})"
)
#: What follows a figure about the same metric: ，同比增长15%; （+11.8%）.
_THEN = re.compile(
    rf"\s*(?:[（(，,、]|[，,]\s*)\s*(?P<change>(?:{_CHANGE})|yoy|YoY|qoq|QoQ|较上年[^，。\d]{{0,"
    rf"6}})?\s*(?:约|了|为|达|:|：)?\s*"
    rf"(?P<value>[-+－]?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>{_UNIT})"
)
#: One of several figures, each of another year or company.
_LISTED = re.compile(r"\s*[/、]\s*[-+]?\d")
_QUALIFIERS = re.compile(
    r"(?:海外|国内|境外|境内|国外|国际|线上|线下|单季度?|单季|季度|月均|年均|新增|累计|平均|"
    r"综合|整体|合计|总)*$"
)
_ENGLISH_FIGURE = re.compile(
    r"(?:\s+(?:for|in|during) [^.;]{3,40}?)?\s+(?P<change>increased|decreased|rose|fell|grew|"
    r"declined|was|were|of|totaled|totalled|reached|up|down)"
    r"(?: by| to)?\s+(?:approximately |about )?(?P<money>[$€£¥]|US\$|RMB|HK\$)"
    r"?\s?(?P<value>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>%|percent|billion|million|bps|basis points)?",
    re.IGNORECASE,
)
_RATING = re.compile(
    r"(?:维持|首次覆盖(?:并)?(?:，)?给予|给予|上调|下调|重申|调整)[^。；\n]{0,"
    r"24}?[“\"‘']?(?P<rating>买入|增持|推荐|强烈推荐|优于大市|跑赢行业|跑赢大市|中性|减持|卖出|"
    r"谨慎推荐|强推|审慎增持|持有|强于大市|看好)[”\"’']?\s*(?:的)?(?:投资)?评级"
)
_TARGET = re.compile(
    r"目标价(?:格)?(?:至|为|由[^，。至]{1,16}至|调至|上调至|下调至|：|:|\s)*(?P<value>\d[\d,"
    r"]*(?:\.\d+)?)\s*(?P<unit>港元|港币|美元|元|HKD|RMB)"
)
_RISK = re.compile(
    r"风险(?:提示|因素)?\s*[:：]\s*(?P<risks>[^。\n]{4,300})|(?:^|\n)"
    r"\s*[•●]?\s*风险提示\s*\n(?P<more>[^。\n]{4,300})"
)
_SUBJECTS = ("company", "product", "industry")


def claims_of(
    text: str, sentences: Sequence[Sentence], mentions: Sequence[Mention], metadata: Metadata
) -> tuple[Claim, ...]:
    """The claims of a chunk in order of print."""
    found: list[Claim] = []
    for sentence in sentences:
        found += _figures(sentence, mentions)
        found += _definitions(sentence, mentions)
    own = own_mention(mentions, metadata)
    if own is not None:
        found += _opinions(text, own)
    return tuple(sorted(found, key=lambda claim: (claim.start, claim.end, claim.kind)))


def _figures(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Claim]:
    for at in sentence.mentions:
        metric = mentions[at]
        if metric.type != "metric":
            continue
        subject = _subject(sentence, mentions, at)
        # 占收入3.5%: a share of the metric is none of its figures
        share = sentence.text[: metric.start - sentence.start].endswith(("占", "比", "占总"))
        if subject is None or share:
            continue
        end = metric.end - sentence.start
        start = metric.start - sentence.start
        qualifier = _QUALIFIERS.search(sentence.text, mentions[subject].end - sentence.start, start)
        name = (qualifier.group() if qualifier else "") + metric.text
        match = _FIGURE.match(sentence.text, end) or _ENGLISH_FIGURE.match(sentence.text, end)
        while match and not _LISTED.match(sentence.text, match.end()):
            change = (
                re.sub(r"\s+", "", match["change"] or "")
                if "money" not in match.groupdict()
                else match["change"]
            )
            unit = match["unit"] or ""
            if "money" in match.groupdict():
                if not (match["money"] or unit):
                    break
                unit = " ".join(filter(None, (match["money"], unit)))
                change = f" {change}" if unit in ("%", "percent") else ""
            yield Claim(
                subject=subject,
                kind="figure",
                start=sentence.start + start - len(qualifier.group() if qualifier else ""),
                end=sentence.start + match.end(),
                description=re.sub(r"\s+", " ", sentence.text).strip(),
                modality=modality_of(sentence.text, start, match.end()),
                metric=f"{name}{change or ''}",
                value=match["value"],
                unit=unit,
                period=period_before(sentence.text, 0, match.end()),
            )
            match = _THEN.match(sentence.text, match.end())
            if match and not match["change"]:
                if match["unit"] not in ("%", "％"):
                    break
                name = f"{metric.text}增速"


def _subject(sentence: Sentence, mentions: Sequence[Mention], metric: int) -> int | None:
    """Whose figure it is: the segment or company named last before it in its sentence.

    Unsure where two companies share the words before it, where a list stands there, or where more
    than a clause lies between.
    """
    before = [at for at in sentence.mentions if at < metric and mentions[at].type in _SUBJECTS]
    if not before:
        return None
    last = before[-1]
    between = sentence.text[
        mentions[last].end - sentence.start : mentions[metric].start - sentence.start
    ]
    if len(between) > _FAR or re.search(
        r"[；;：、]|分别|其中|行业|可比|平均|竞争对手|高出|高于|低于|客户|来自|对", between
    ):
        return None
    if len(between) > _NEAR and mentions[last].type != "company":
        return None
    companies = {mentions[at].name for at in before if mentions[at].type == "company"}
    return last if len(companies) <= 1 else None


_SHORT_RISK = 16
#: Characters between a subject and its metric: a clause or two of the same company's figures.
_FAR, _NEAR = 60, 12


def _definitions(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Claim]:
    for at in sentence.mentions:
        mention = mentions[at]
        if mention.description:
            said = sentence.text[mention.end - sentence.start :]
            length = said.find(mention.description)
            if length >= 0:
                end = mention.end + length + len(mention.description)
                words = mention.description
                yield Claim(at, "definition", mention.start, end, words, "asserted")


def own_mention(mentions: Sequence[Mention], metadata: Metadata) -> int | None:
    """The first mention of the company that the document is about."""
    for at, mention in enumerate(mentions):
        if mention.type == "company" and (
            (metadata.company_code and mention.code == metadata.company_code)
            or (metadata.company_name and mention.name == metadata.company_name)
        ):
            return at
    return None


def _opinions(text: str, own: int) -> Iterator[Claim]:
    for match in _RATING.finditer(text):
        yield _opinion(own, "rating", match, "评级", match["rating"], None)
    for match in _TARGET.finditer(text):
        yield _opinion(own, "target_price", match, "目标价", match["value"], match["unit"])
    for match in _RISK.finditer(text):
        group = "risks" if match["risks"] else "more"
        at = match.start(group)
        for risk in re.finditer(_item_of_list(match[group]), match[group]):
            words = risk.group().strip(" 等。")
            if len(words) > 3:
                start, end = at + risk.start(), at + risk.end()
                yield Claim(own, "risk", start, end, words, "conditional")


def _item_of_list(risks: str) -> str:
    """What one risk of a list is made of: commas part short ones, else they are within them."""
    items = re.split(r"[；;、，,]", risks)
    return r"[^；;、，,]+" if max(map(len, items)) <= _SHORT_RISK else r"[^；;]+"


def _opinion(
    own: int, kind: str, match: re.Match[str], metric: str, value: str, unit: str | None
) -> Claim:
    said = re.sub(r"\s+", " ", match.group())
    return Claim(own, kind, *match.span(), said, "asserted", metric, value, unit)
