"""What a chunk claims of an entity: figures with metric, unit and period, ratings, risks.

A figure whose subject is unsure gets no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.grammar.quantities import MEASURE, NUMBER
from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Claim, Mention
from finrag_pipeline.stages.extraction.modality import modality_of
from finrag_pipeline.stages.extraction.periods import listed_periods, period_before, periods_in
from finrag_pipeline.stages.extraction.relations import Sentence

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
    rf"(?P<value>[-+－]?{NUMBER})\s*(?P<unit>{MEASURE})"
)
#: What follows a figure about the same metric: ，同比增长15%; （+11.8%）.
_THEN = re.compile(
    rf"\s*(?:[（(，,、]|[，,]\s*)\s*(?P<change>(?:{_CHANGE})|yoy|YoY|qoq|QoQ|较上年[^，。\d]{{0,"
    rf"6}})?\s*(?:约|了|为|达|:|：)?\s*"
    rf"(?P<value>[-+－]?{NUMBER})\s*(?P<unit>{MEASURE})"
)
#: One more of several figures, each of another year or company.
_MORE = re.compile(
    rf"\s*(?:/|、|和|与|及|以及)\s*(?:约|为|达|达到)?\s*(?P<value>[-+－]?{NUMBER})\s*"
    rf"(?P<unit>{MEASURE})?"
)
#: A fall of -1.6 is one of 1.6.
_FALLS = re.compile(r"(?:下降|减少|下滑|回落|降|下跌|收窄)$")
#: Units of changes in English, where a sum of money is one of its own.
_RELATIVE = ("%", "percent", "bps", "basis points")
_RATIO = re.compile("(?:率|占比|比例|margin)$", re.IGNORECASE)
#: What may stand between a subject, or the mark of a clause, and a metric of that subject.
_PLAIN = re.compile(
    r"[\s\d“”\"'’/.\-–—~+%％]+|合计|累计|共计|全年|报告期|期内|年度|半年|季度|单季|季|上|下|前|第|实现|录得|取得|完成|贡献|销售|归属于?|母公司|上市公司|股东"
    r"|Non-IFRS|Non-GAAP|预计|有望|整体|综合|主营业务?|经调整|调整后|扣非后?|归母|稀释|摊薄|基本|分别|同时|此外|其|公司|本期|当期|同期|同比"
    r"|继续|持续|对应|来看|方面|单看|由于|末|底|年|月|日|度|共|的|将|且|并|也|则|为|了|约|达|总|[一二三四两和与及、]"
)
_OTHER_WORDS = re.compile(r"[\u3400-\u9fffA-Za-z]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[，,。；;：:（()）\n]")
_QUALIFIERS = re.compile(
    r"(?:经调整后?|调整后|Non-IFRS\s*|Non-GAAP\s*|扣非后?|海外|国内|境外|境内|国外|国际|线上|线下|单季度?|单季|(?<![一二三四])季度|月均|年均|新增|累计|平均|"
    r"综合|整体|合计|总)*$"
)
_ENGLISH_FIGURE = re.compile(
    r"(?:\s+(?:for|in|during) [^.;]{3,40}?)?\s+(?P<change>increased|decreased|rose|fell|grew|"
    r"declined|was|were|of|totaled|totalled|reached|up|down)"
    r"(?: by| to)?\s+(?:approximately |about )?(?P<money>[$€£¥]|US\$|RMB|HK\$)"
    rf"?\s?(?P<value>{NUMBER})\s?(?P<unit>%|percent|billion|million|bps|basis points)?",
    re.IGNORECASE,
)
_RATING = re.compile(
    r"(?:维持|首次覆盖(?:并)?(?:，)?给予|给予|上调|下调|重申|调整)[^。；\n]{0,"
    r"24}?[“\"‘']?(?P<rating>买入|增持|推荐|强烈推荐|优于大市|跑赢行业|跑赢大市|中性|减持|卖出|"
    r"谨慎推荐|强推|审慎增持|持有|强于大市|看好)[”\"’']?\s*(?:的)?(?:投资)?评级"
)
_TARGET = re.compile(
    r"目标价(?:格)?(?:至|为|由[^，。至]{1,16}至|调至|上调至|下调至|：|:|\s)*"
    rf"(?P<value>{NUMBER})\s*(?P<unit>港元|港币|美元|元|HKD|RMB)"
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
    strayed: set[int] = set()
    for at in sentence.mentions:
        metric = mentions[at]
        if metric.type != "metric":
            continue
        subject = _subject(sentence, mentions, at)
        end = metric.end - sentence.start
        start = metric.start - sentence.start
        # 占收入3.5%: a share of the metric is none of its figures
        share = sentence.text[:start].endswith(("占", "比", "占总"))
        match = _FIGURE.match(sentence.text, end) or _ENGLISH_FIGURE.match(sentence.text, end)
        if subject is None or share or match is None:
            continue
        behind = mentions[subject].end - sentence.start
        qualifier = _QUALIFIERS.search(sentence.text, behind, start)
        named = qualifier.start() if qualifier else start
        # once figures of something else were told, those behind them may be its, too
        if subject in strayed or not _is_plain(sentence.text, behind, named):
            strayed.add(subject)
            continue
        name = re.sub(r"\s+", "", sentence.text[named:start]) + metric.text
        periods = listed_periods(sentence.text, start)
        while match:
            figures, stop = _with_listed(sentence.text, match)
            unit, change = _unit_and_change(match)
            if unit is None or len(figures) != max(len(periods), 1):
                break
            one = period_before(sentence.text, 0, match.end())
            for (value, other), period in zip(figures, periods or [one], strict=True):
                yield Claim(
                    subject=subject,
                    kind="figure",
                    start=sentence.start + named,
                    end=sentence.start + stop,
                    description=re.sub(r"\s+", " ", sentence.text).strip(),
                    modality=modality_of(sentence.text, start, stop),
                    metric=f"{name}{change}",
                    value=value.lstrip("-－") if _FALLS.search(change) else value,
                    unit=other or unit,
                    period=period,
                )
            match = _THEN.match(sentence.text, stop)
            if match and not match["change"]:
                # +2% behind a ratio: of it or points of it, nobody says
                if match["unit"] not in ("%", "％") or _RATIO.search(metric.text):
                    break
                name = f"{name}增速"


def _with_listed(text: str, match: re.Match[str]) -> tuple[list[tuple[str, str | None]], int]:
    """A figure and those listed behind it, each with its own unit or None; where they end.

    Of 3.2和3.5亿元 the last one has the unit of all.
    """
    figures: list[tuple[str, str | None]] = [(match["value"], None)]
    stop = match.end()
    while more := _MORE.match(text, stop):
        figures.append((more["value"], more["unit"]))
        stop = more.end()
    return figures, stop


def _unit_and_change(match: re.Match[str]) -> tuple[str | None, str]:
    """The unit of a figure, None where it is no figure, and in which way it changed."""
    if "money" not in match.groupdict():
        return match["unit"] or "", re.sub(r"\s+", "", match["change"] or "")
    if not (match["money"] or match["unit"]):
        return None, ""
    unit = " ".join(filter(None, (match["money"], match["unit"])))
    return unit, f" {match['change']}" if unit.lower() in _RELATIVE else ""


def _is_plain(text: str, start: int, end: int) -> bool:
    """Whether the words before a metric name nothing else whose figure it may be.

    Of 公司国内实现营收 it is a part of the company, of 公司检测服务实现营收 a business.
    """
    if not _HAN.search(text):
        return True
    clause = max((mark.end() for mark in _CLAUSE.finditer(text, start, end)), default=start)
    said = text[clause:end]
    for first, last, _ in periods_in(said):
        said = said[:first] + " " * (last - first) + said[last:]
    return not _OTHER_WORDS.search(_PLAIN.sub("", said))


def _subject(sentence: Sentence, mentions: Sequence[Mention], metric: int) -> int | None:
    """Whose figure it is: the segment or company named last before it in its sentence.

    Unsure where two companies share the words before it, where a list stands there, where more
    than a clause lies between, or where an industry is but a part of a longer term.
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
    if mentions[last].type != "company" and mentions[last].company is None:
        start = mentions[last].start - sentence.start
        if not _is_plain(sentence.text, 0, start) or re.match(r"\s*[)）]|及|和|与|、", between):
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
