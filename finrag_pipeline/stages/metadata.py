"""Reads what a report says of itself from its regions: company, broker, analysts, rating, date.

Rules only, no register of names: resolving a name to a company belongs to the store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.stages.cleaning.text import tighten
from finrag_pipeline.stages.people import read_analysts
from finrag_pipeline.stages.securities import named_codes, own_code

_RATING_WORDS = (
    r"(强烈推荐|谨慎推荐|审慎推荐|审慎增持|谨慎增持|强烈买入|优于大市|跑赢大市|跑赢行业|强于大市|"
    r"弱于大市|跑输大市|跑输行业|同步大市|买入|买进|增持|推荐|强推|持有|中性|减持|卖出|回避|区间操作|"
    r"buy|outperform|overweight|accumulate|hold|neutral|underperform|underweight|reduce|sell)"
)
_RATINGS = (
    re.compile(rf"评级\s*[:：]?\s*[“\"]?{_RATING_WORDS}", re.IGNORECASE),
    re.compile(rf"(?:rating|评级)\s*[:：]\s*{_RATING_WORDS}\b", re.IGNORECASE),
    re.compile(
        rf"{_RATING_WORDS}\s*[（(/|\s]\s*(?:维持|首次|上调|下调|maintain|reiterate|initiat|new)",
        re.I,
    ),
    re.compile(rf"^\W*(?:buy\s*)?{_RATING_WORDS}\W*$", re.IGNORECASE),
    re.compile(
        rf"(?:维持|给予|重申|上调至|上调|下调至|首次覆盖|调高至)\S{{0,12}}?[“\"]{_RATING_WORDS}[”\"]"
    ),
    re.compile(rf"(?:维持|给予|重申|上调至|下调至)\S{{0,8}}?{_RATING_WORDS}\S{{0,3}}评级"),
    re.compile(
        rf"\b(?:maintain|reiterate|initiate at|upgrade to)\s+{_RATING_WORDS}\b", re.IGNORECASE
    ),
)
_TARGET = re.compile(
    r"(?:目标价(?:格|位)?|target price|\bTP\b)(?!\d)\s*(?:[（(]([^（()）]{1,12})[)）])?"
    r"(?:\S{0,6}?[为至到])?\s*[:：]?\s*(RMB|CNY|HKD|HK\$|US\$|￥|¥|\$)?\s*(\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?! *[%％年月个]|[\d.])\s*(港元|港币|元|人民币)?",
    re.IGNORECASE,
)
_SHORT_NAME = re.compile(r"(?:证券|股票|公司)简称\s*[:：]\s*([\w*]{2,10})")
_DATES = (
    re.compile(r"(20\d\d)\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"),
    re.compile(r"(?<!\d)(20\d\d)[-./](\d{1,2})[-./](\d{1,2})(?!\d)"),
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ENGLISH_DATE = re.compile(
    rf"(?:(\d{{1,2}})\s+)?\b({'|'.join(_MONTHS)})[a-z]*\.?\s+(?:(\d{{1,2}})\s*,?\s+)?(20\d\d)", re.I
)
_BROKER = re.compile(
    r"(?:^|[^\u4e00-\u9fff]|[由请但])([\u4e00-\u9fff]{2,6}?(?:国际)?证券)"
    r"(?!投资|分析|交易|市场|业|监督|从业|账户|咨询|代码|简称|期货|登记|研究报告$|的)"
)
_LEGAL = re.compile(
    r"([\u4e00-\u9fff]{2,8}?(?:国际)?(?:证券|资本|咨询|金融|国际))(?:环球市场|控股|集团)?(?:（[^）]{1,6}）)?(?:股份|研究)?有限(?:责任)?公司"
)
_HOUSE = re.compile(
    r"(?:^|[^\u4e00-\u9fff])([\u4e00-\u9fff]{2,8}(?:研究院|咨询))(?![\u4e00-\u9fff]{0,2}业)"
)
_ENGLISH_HOUSE = re.compile(
    r"((?:[A-Z][A-Za-z.]+ |& ){1,4}(?:Securities|Capital|Research|International|Partners)"
    r"(?: (?:Co|Limited|Ltd|LLC|Inc)\b\.?,?)*)"
)
_BEFORE_HOUSE = re.compile(r"为|归|属于|由|请|系")
_NOT_A_HOUSE = re.compile(
    r"任何|代理|买卖|私募|购买|构成|报告|属于|版权|^(按|或|且|权归|根据|不|年|对|在|与|和|为|本|我|该|各|其|有价|中国证券|上市|公司|持有|从事|买卖|具[备有]|取得|以上|下列|上述|相关|注册)"
)
_FILING = re.compile(
    r"(年度|季度|半年度|中期)报告(全文|摘要)?$|招股(说明)?书|公告$|annual report|form 10-[kq]",
    re.IGNORECASE,
)
#: Filings print their code and short name on a line above the title.
_CODE_LINE = re.compile(r"(?:证券|股票|公司)代码\s*[:：]")
_KINDS = (
    ("industry", re.compile(r"行业|产业|专题|白皮书|市场研究|板块|industry|sector", re.IGNORECASE)),
    (
        "strategy",
        re.compile(r"策略|宏观|金融工程|量化|因子|固定收益|资产配置|strategy|macro", re.IGNORECASE),
    ),
)


def read_metadata(regions: Sequence[Region], source_name: str) -> Metadata:
    """Read the metadata of one document.

    Args:
        regions: all of its regions in order, dropped ones too: most metadata stands in them.
        source_name: file name, the last resort for the title.

    Returns:
        What could be read; codes carry a market suffix (``600519.SH``, ``00700.HK``), the
        company's own code is the one that the first page names most, mainland listings first.
    """
    first = [region for region in regions if region.page == 1]
    front = [region for region in first if region.kind != "invisible"]
    texts = [tighten(region.text) for region in front]
    title = _title(front, source_name)
    head = [
        tighten(region.text)
        for region in regions
        if region.rule == "page_header" or (region.page == 1 and _names_company(region))
    ]
    named = named_codes([title, *(line for text in head for line in text.splitlines())])
    codes = tuple(dict.fromkeys(code for code, _ in named))
    code = own_code([code for code, _ in named])
    name = next((name for c, name in named if c == code and name), None)
    if name is None and code:
        # a second listing or a bare code: any name printed beside one of the codes is the company's
        name = next((name for _, name in named if name), None) or _short_name(head)
    broker = _broker(regions)
    rating = _rating(front)
    analysts = read_analysts(texts)
    kind = _kind(title, texts, code)
    if _FILING.search(title) and not rating and not analysts:
        kind, broker = "filing", None  # houses are named in it, none wrote it
    return Metadata(
        title=title,
        kind=kind,
        language=_language(regions),
        company_name=name,
        company_code=code,
        company_codes=codes,
        broker=broker,
        analysts=analysts,
        rating=rating,
        target_price=_target_price(texts, code),
        published_on=_published_on(front),
    )


def _short_name(texts: Sequence[str]) -> str | None:
    """The company's short name where a filing states it."""
    matches = (_SHORT_NAME.search(text) for text in texts)
    return next((match[1] for match in matches if match), None)


def _names_company(region: Region) -> bool:
    """Cover matter and titles name the company of the report; running text names others too."""
    if region.kind in ("title", "heading", "header", "cover"):
        return True
    if len(region.text) < 200 and _CODE_LINE.search(region.text):
        return True
    listed = "《" in region.text or len(re.findall(r"20\d\d[-./]\d", region.text)) > 1
    box = region.rule == "table" and region.text.count("\n") < 6
    return (box or region.rule in ("cover_block", "contact")) and not listed


def _title(front: Sequence[Region], source_name: str) -> str:
    titles = [tighten(region.text) for region in front if region.kind == "title"]
    if titles:
        joined = titles[0]
        for text in titles[1:]:
            joined += text if joined[-1] > "\u2e80" or text[0] > "\u2e80" else f" {text}"
        # `公司（代码）：标题` prints the company before its title
        return re.sub(r"^.{2,20}[（(][\dA-Z./\s]+[)）]\s*[:：]\s*", "", joined)
    heading = next((region.text for region in front if region.kind == "heading"), None)
    return heading or re.sub(r"\.\w{2,4}$", "", source_name)


def _broker(regions: Sequence[Region]) -> str | None:
    """The house that the document names most, above all in what it repeats and disclaims."""
    votes: Counter[str] = Counter()
    for region in regions:
        own = region.rule in ("page_header", "page_footer", "disclaimer", "cover_block")
        text = tighten(region.text)
        weight = 3 if own else 1
        for pattern, factor in ((_LEGAL, 3), (_BROKER, 1)):
            for match in pattern.finditer(text):
                name = _BEFORE_HOUSE.split(match[1])[-1]
                if len(name) >= 4 and not _NOT_A_HOUSE.search(name):
                    votes[name] += weight * factor
    if not votes:
        for region in regions:
            for pattern in (_HOUSE, _ENGLISH_HOUSE):
                for match in pattern.finditer(tighten(region.text)):
                    if not _NOT_A_HOUSE.search(match[1]):
                        votes[match[1].strip()] += 1
    return max(votes, key=lambda name: (votes[name], -len(name)), default=None)


def _rating(front: Sequence[Region]) -> str | None:
    cover = [r for r in front if r.kind in ("side", "cover", "header", "title", "heading", "table")]
    body = [r for r in front if r.kept and r.kind == "text"]
    for regions, patterns in ((cover, _RATINGS[:4]), (body, _RATINGS[4:]), (front, _RATINGS[:3])):
        for pattern in patterns:
            for region in regions:
                match = pattern.search(tighten(region.text))
                if match:
                    return match[1]
    return None


def _target_price(texts: Sequence[str], code: str | None) -> float | None:
    """The target price in the currency of the company's own listing, else the first printed."""
    found: list[tuple[bool, float]] = []
    hong_kong = bool(code and code.endswith(".HK"))
    for text in texts:
        for match in _TARGET.finditer(text):
            unit = " ".join(part for part in (match[1], match[2], match[4]) if part)
            foreign = bool(re.search(r"港|HK|US|美", unit))
            found.append((foreign == hong_kong, float(match[3].replace(",", ""))))
    return next((value for own, value in found if own), found[0][1] if found else None)


def _dates_in(text: str) -> Iterator[tuple[date, str]]:
    """Days in a text, each with what the text says beside it."""
    for pattern in _DATES:
        for match in pattern.finditer(text):
            day = _day(match[1], match[2], match[3])
            if day:
                yield day, pattern.sub("", text)
    for match in _ENGLISH_DATE.finditer(text):
        number = match[1] or match[3]
        day = _day(match[4], str(_MONTHS.index(match[2][:3].lower()) + 1), number or "1")
        if day and number:
            yield day, _ENGLISH_DATE.sub("", text)


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _published_on(front: Sequence[Region]) -> date | None:
    """The day that the cover prints alone on a line, else beside a few words, else in text.

    Days of market data, earlier reports and events stand in tables, lists and sentences.
    """
    ranked: list[tuple[int, date]] = []
    for region in front:
        for line in tighten(region.text).splitlines():
            dates = list(_dates_in(line))
            for day, rest in dates:
                beside = len("".join(char for char in rest if char.isalnum()))
                data = region.kind in ("table", "picture", "source") and "\n" in region.text
                listed = "《" in region.text or line.startswith(("-", "—", "－"))
                if data or listed or "收盘" in line:
                    rank = 4
                elif len(dates) > 1 or beside > 24:
                    rank = 3
                else:
                    rank = 0 if beside <= 2 else 1 if beside <= 16 and line[-1] not in ")）" else 2
                ranked.append((rank, day))
    if not ranked:
        return None
    best = min(rank for rank, _ in ranked)
    days = [day for rank, day in ranked if rank == best]
    # a cover prints its own day first or alone; in lists and sentences what is past comes before
    return min(days) if best == 0 else max(days)


def _kind(title: str, texts: Sequence[str], code: str | None) -> str:
    """A code is a company's; else what the title says, then what stands first on the page."""
    if code:
        return "company"
    for text in (title, *texts[:6]):
        for kind, pattern in _KINDS:
            if pattern.search(text):
                return kind
    return "other"


def _language(regions: Sequence[Region]) -> str:
    # the first pages: disclaimers of Chinese reports are often in both languages
    text = "".join(region.text for region in regions if region.page <= 2)
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
    letters = sum(char.isalpha() for char in text)
    return "zh" if 5 * chinese >= letters else "en"
