"""Names out of the cells of a table: without notes and codes, parted where a cell lists several.

Whose names they are belongs to `stages.identity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.identity.names import opens_business
from finrag_pipeline.stages.identity.spelling import joined
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.words import fold

_HAN = r"\u3400-\u9fff"
_LONGEST = 80
#: 股东: who is a person, by the nature of the shareholder or the form of the name.
_PERSON = re.compile(
    rf"[{_HAN}]{{2,4}}|[{_HAN}]{{1,8}}·[{_HAN}]{{1,12}}"
    rf"|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){{1,2}}\s?[（(][{_HAN}]{{2,4}}[)）]"
)
_SHORT_FIRM = 4
_NATURAL = re.compile("自然人|个人|individual|natural person", re.IGNORECASE)
#: Ends of names that no person has: 中国工商银行 is long enough, 前海人寿 is not.
_FIRM_END = re.compile(
    "公司|集团|银行|基金|资本|投资|人寿|保险|证券|信托|股份|控股|财政|国资|社保|中心|学校|大学"
)
#: （以下简称“甲”）, （“甲”）: another name of the same.
_ALIAS = re.compile(
    r"\s*[（(](?:以下|下称|简称|统称|以下简称|曾用名[：:]?|原名[：:]?|原(?=[“\"「])"
    r"|the|hereinafter|[“\"「])(?:[^（）()]|[（(][^（）()]*[)）])*[)）]",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"「]([^“”\"「」]{2,20})[”\"」]")
#: （注1）, (a), [2], †: a mark, no part of the name; nor is a figure raised behind 公司.
_MARK = re.compile(
    r"\s*(?:[（(\[【]\s*(?:注\s*)?[\dⅠ-Ⅹ]{0,2}[a-z]?\s*[)）\]】]?|[†‡*#^]+|(?<=公司)\s*\d{1,2})$"
    r"|\s*[（(]\s*注[^（）()]*[)）]?$",
    re.IGNORECASE,
)
#: 甲及其子公司: what is said, is said of 甲.
_AND_ITS = re.compile(
    r"(?:及|和|与)?其?(?:下属|控股|关联|全资|附属|相关)*(?:子公司|附属公司|企业|公司|权益人)$"
)
_WITH = re.compile(r"(?:及|和|与)(?:其|下属|控股|关联|附属|相关)")
#: A currency out of the next column.
_ENOUGH = re.compile(
    r"(?:\s+(?:USD|HKD|CNY|RMB|TWD|EUR|GBP|JPY|KRW)|等(?:公司|企业|厂商)?"
    r"|\s+(?:et al\.?|and others|etc\.?))$"
)
#: A comma before these parts no names: Aviall Services, Inc.
_JOINT = re.compile(
    r"[、，；;|\n]|(?<!\s)/(?=[\u3400-\u9fff])"
    r"|,(?!\s*[A-Za-z]{2,12}$)(?!\s*(?:inc|ltd|llc|llp|l\.?p|co|corp|s\.?a|n\.?v|b\.?v|plc|gmbh|limited|pte|pty|the)\b)",
    re.IGNORECASE,
)
#: 中芯北方及中芯京城; 及其 belongs to the name before it.
_AND = re.compile(r"及(?!其|下属|控股|附属|相关|关联)")
_COMBINED = re.compile(r"联合|联用|\s+(?:and|in combination with|plus)\s+|\s\+\s|＋")
_CODE = re.compile(
    r"(?<![A-Za-z\d])(?:\d{4,6}\s?\.\s?[A-Z]{2}|(?:SH|SZ|HK|BJ)[.:]?\d{4,6}|\d{6}|\d{3,5}\s[A-Z]{2}"
    r"|[A-Z]{1,5}[. ](?:US|UN|UW|O|N|TT|HK|JP|KS|LN|GR|FP))(?![A-Za-z\d])(?:\s+Equity)?"
)
#: 6 Boyuan Holding Limited: the number of a note before a name that has none.
_NOTE = re.compile(r"\d{1,2}\s+(?=[A-Z][a-z]+ (?:[A-Z][a-z]+ )+(?:Limited|Ltd|Inc|Corp))")
#: What stands where names stand and is none.
_NO_NAME = re.compile(
    r"[合小总]\s*计|总额|.{0,40}(?:合计|小计|总计|余额|总额)|其[他它].{0,8}|.{0,10}(?:平均|均值|中位数?|中值)[值数]?"
    r"|最[高低大小]值?|第[一二三四五六七八九十\d]+(?:名|大|位|家)?.{0,6}|前\s*[一二三四五六七八九十\d]+\s*(?:名|大|位|家).*"
    r"|(?:客户|供应商|单位|公司|企业|主体|法人|自然人|经销商|供应商名称)?\s*[A-Za-z\d一二三四五六七八九十甲乙丙丁戊]"
    r"|(?:客户|供应商|单位|公司|企业|主体|经销商)\s*[A-Za-z\d一二三四五六七八九十甲乙丙丁戊]{1,2}|[甲乙丙丁戊A-Z]\s*(?:公司|客户|供应商|单位|企业)"
    r"|.{0,4}(?:说明|备注|注释?|来源|资料来源)[：:]?.{0,40}"
    r"|.{0,40}(?:情况|说明|事项|明细|关系|原因|措施|进展)(?:\s*[（(][^（）()]*[)）])?|(?:上述|前述|以上).*|.*表决权.*|不适用|未披露|保密|无|否|是|/|[-—–－]+"
    r"|[一二三四五六七八九十]+\s*[、.．].*|[（(][一二三四五六七八九十\d]+[)）].*|\d+[、.．]\s*\D{0,10}"
    r"|(?:境?[内外]资?股?|上市|社会|其[他它余]|[ABH]\s?股|流通股?|限售股?|非流通股?|个人|一般|的|[（(][ABH]股[)）]|、)*"
    r"(?:公众|中小|流通|散户)?(?:投资者|股东|持股人|持有人)(?:\s*[（(][^（）()]*[)）])?|(?:[ABH]\s?股|社会|其他)?公众持股.{0,4}"
    r"|[\u3400-\u9fff]{2,12}(?:开发|高新|保税)区|重要的.*|股权投资基金|其他投资|私募基金|本?公司|本集团|母公司|各?子公司|联营企业|合营企业|关联方"
    r"|(?:sub-?)?totals?\b.*|(?:all )?others?\b.*|averages?|means?|medians?|high|low|n\.?/?a\.?"
    r"|none|nil|various"
    r"|(?:customer|supplier|vendor|company|client|partner)\s+(?:[a-z]|\d+|one|two|three|four|five)"
    r"|.*(?:子公司|附属公司|关联公司|关联企业|管理人员|自然人|系列.{0,8}相关)",
    re.IGNORECASE,
)
#: 瑞普泊肽（HRS9531）, Ibrance (palbociclib) (a)
_IN_BRACKETS = re.compile(r"\s*[（(]")
#: Eliquis alliance revenues and direct sales
_SALES = re.compile(
    r"\s+(?:direct sales|alliance revenues?|revenues?|product sales)\b.*", re.IGNORECASE
)
#: What products are for, or all of a trade, is none.
_NO_PRODUCT = re.compile(
    r"抗?肿瘤(?:类|药)?|.{0,8}(?:行业|领域|系统|市场|地区|治疗|疾病)|代谢.{0,6}|免疫.{0,6}|心脑?血管.{0,4}"
    r"|神经.{0,4}|麻醉|呼吸|消化|影像|.{0,4}(?:境内|境外|国内|国外|海外).{0,4}|(?:主要)?产品"
    r"|primary care|specialty care|oncology|.*\bcare|.*\bsegment|u\.?s\.?|international",
    re.IGNORECASE,
)
#: The account of a fund whose name goes on behind the end of a page: …银行－易方达沪深.
_CUT_ACCOUNT = re.compile(r"[－–—-].*(?:[型式]|沪深|[中上]证|指数|证券(?:投资?)?|沪深\s?300)$")
_SENTENCE = re.compile(r"[。；：:？！]|(?<=[a-z]{3})\.\s+(?!ltd|inc|co\b|limited)")


@dataclass(frozen=True, slots=True)
class PartyName:
    """A name in a cell: where it stands in the cell's text, what it is called and its code."""

    start: int
    end: int
    name: str
    aliases: tuple[str, ...] = ()
    code: str | None = None


def party_names(text: str, type: EntityType | None) -> Iterator[PartyName]:
    """The names that a cell holds, in order of print.

    Args:
        text: of the cell, in one line.
        type: of what they name; None where it may be a person or a company.

    >>> [each.name for each in party_names("603259.SH 药明康德", "company")]
    ['药明康德']
    >>> [each.name for each in party_names("Aviall Services, Inc. (a)", "company")]
    ['Aviall Services, Inc.']
    >>> [each.name for each in party_names("6 Zyntrex Investment Holding Limited", "company")]
    ['Zyntrex Investment Holding Limited']
    >>> [each.name for each in party_names("甲能源有限公司及其子公司、客户A", "company")]
    ['甲能源有限公司']
    """
    code = printed_code(text)
    for first, last in _pieces(text, type):
        aliases: tuple[str, ...] = ()
        start, end = _trimmed(text, first, last)
        while match := _ALIAS.search(text, start, end):
            aliases = (*aliases, *_QUOTED.findall(match.group()))
            if (more := _ALIAS.match(text, match.end(), end)) and more.end() == end:
                aliases = (*aliases, *_QUOTED.findall(more.group()))
            elif match.end() != end:
                break
            start, end = _trimmed(text, start, match.start())
        for mark in (_IN_BRACKETS, _SALES) if type == "product" else ():
            if match := mark.search(text, start + 1, end):
                start, end = _trimmed(text, start, match.start())
        if type != "product" and (match := _AND_ITS.search(text, start, end)):
            with_its = _WITH.search(text, start + 2, match.end())
            end = with_its.start() if with_its else end
        name = joined(text[start:end])
        if is_name(name) and not (type == "product" and _NO_PRODUCT.fullmatch(name)):
            yield PartyName(start, end, name, aliases, code)


def is_name(text: str) -> bool:
    """Whether what stands in a cell of names is one.

    >>> [is_name(text) for text in ("合计", "客户A", "第一名", "可比公司平均", "Total", "华虹公司")]
    [False, False, False, False, False, True]
    >>> is_name("星河银行股份有限公司－汐原沪深"), is_name("星河银行－汐原稳健混合型证券投资基金")
    (False, True)
    """
    plain = fold(text).strip()
    return (
        2 <= len(plain) <= _LONGEST
        and any(map(str.isalpha, plain))
        and not is_value(plain)
        and not _NO_NAME.fullmatch(plain)
        and not _SENTENCE.search(plain)
        and not _CUT_ACCOUNT.search(plain)
        and not re.fullmatch(r"(?:fy)?\d[\d\s.,%/年月日季度半qhae\-]*", plain)
    )


def holder_type(name: str, row: str) -> EntityType:
    """Whether a holder of shares is a person, by its name and the words of its row.

    >>> holder_type("张三", "张三 境内自然人 3.2"), holder_type("华润医药控股有限公司", "国有法人")
    ('person', 'company')
    >>> holder_type("JAN WU（吴渐）", "JAN WU（吴渐） 1.2%")
    'person'
    >>> holder_type("汐原电力", "汐原电力 A股 5.0%")
    'company'
    """
    # of four characters the last two call a trade: 汐原电力
    trade = len(name) == _SHORT_FIRM and opens_business(name[-2:])
    if trade or _FIRM_END.search(name):
        return "company"
    return "person" if _NATURAL.search(row) or _PERSON.fullmatch(name) else "company"


def _pieces(text: str, type: EntityType | None) -> Iterator[tuple[int, int]]:
    marks = [_JOINT] if type != "product" else [_JOINT, _COMBINED]
    cuts = sorted(
        match.span()
        for mark in marks
        for match in mark.finditer(text)
        if not _bracketed(text, match.start())
    )
    # 及 also stands inside names: two of them read as names by themselves
    if type != "product" and not cuts and (match := _AND.search(text)):
        one, other = text[: match.start()], text[match.end() :]
        if min(len(one), len(other)) >= _SHORTEST_OF_TWO and is_name(other):
            cuts.append(match.span())
    start = 0
    for first, last in cuts:
        yield start, first
        start = last
    yield start, len(text)


#: 中芯北方及中芯京城
_SHORTEST_OF_TWO = 4


def _bracketed(text: str, place: int) -> bool:
    before = text[:place]
    return len(re.findall(r"[（(]", before)) > len(re.findall(r"[)）]", before))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without spaces, marks of notes, codes and 等 at the edges."""
    while True:
        before = start, end
        while start < end and text[start] in " 　\t\n•·*":
            start += 1
        while start < end and text[end - 1] in " 　\t\n，,、;；":
            end -= 1
        if match := _CODE.match(text, start, end) or _NOTE.match(text, start, end):
            start = match.end()
        if (match := _MARK.search(text[start:end])) or (match := _ENOUGH.search(text[start:end])):
            end = start + match.start()
        if (match := _CODE.search(text, start, end)) and match.end() >= end - 1:
            end = len(text[: match.start()].rstrip("（( "))
        if (start, end) == before or start >= end:
            return start, max(start, end)


def printed_code(text: str) -> str | None:
    """The first securities code of a cell, with its market."""
    match = _CODE.search(text)
    codes = code_mentions(f"（{match.group()}）") if match else []
    return codes[0].code if codes else None
