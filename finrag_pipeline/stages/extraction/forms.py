"""Names that their form gives away: …有限公司, 《…办法》, … Inc., securities codes, segments.

Names known beforehand belong to `matches`, people to `people`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.stages.extraction.english import english_acts, english_companies
from finrag_pipeline.stages.extraction.lexicon import is_ordinary
from finrag_pipeline.stages.extraction.proposed_spans import name_start
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal
from finrag_pipeline.stages.extraction.wording import may_be_name, reads_as_sentence

_HAN = r"\u3400-\u9fff"
_COMPANY_END = re.compile(
    r"(?:股份有限公司|有限责任公司|集团有限公司|有限公司|有限合伙企业|（有限合伙）|\(有限合伙\)|"
    r"集团公司|集团)"
)
_FULL_END = re.compile(r"(?:有限公司|有限责任公司|有限合伙企业|（有限合伙）|\(有限合伙\))$")
#: What a company's name is made of, leftwards from its end.
_NAME_BEFORE = re.compile(rf"[{_HAN}A-Za-z0-9·&（）()\-]{{2,30}}$")
_BRACKETED = re.compile(r"[（(][^（）()]{1,12}[）)]$")
#: Words that end the name to the left: they belong to the sentence.
_STOPS = re.compile(
    "公司|子公司|母公司|孙公司|股东|控股股东|大股东|企业|客户|供应商|上市公司|龙头|旗下"
    "|下属|其中|包括|例如|以及|其|该|本|与|和|及|由|向|对|为|是|系|在|于|从|将|被|把|给"
    "|以|而|等|各|某|方式|全称|简称|变更|更名|法定代表人|分别|关联方|董事长|总经理|担任|历任|现任|曾任|兼任|原任|任|经|即|或"
    "|年|月|日|主办|主办方"
)
#: What stands before a name and is none of it: 上期子公司|甲乙财务有限公司.
_WHOSE = re.compile("[子母孙]公司$|^[上本下][期年]")
_NO_NAME = re.compile(
    "(?:大型|本|该|各|子|母|跨国|企业|产业|国际|行业|两大|三大|四大|五大|大|央企|国有|民营"
    "|医疗|药业|上市|整个|公司|保险|银行|投资|控股|我|医药|外商|中外|合资|有限|房地产|置业|开发|建设|科技|技术|管理"
    "|贸易|商贸|实业|服务|销售|工程|设备|咨询|物业|建筑|文化|传媒|发展|金融|租赁|担保|电子|材料|新能源|能源|环保|股权)+"
)
#: Of the sentence, though the segmenter joins it with the name: 股份由…, 原因…, 而….
_NOT_OF_NAME = re.compile(
    "(?:.*(?:股股份|股份|股权|权益|原因|现金流量|金额|余额|收入|费用|附注|主体|情况))?"
    "(?<![自理缘])(?:由(?=.{2})|而(?=.{2})|自(?![贡然由动力主立信在治])|(?<=原因)|(?<=金额)|(?<=余额)|(?<=情况))"
)
#: What somebody is elsewhere: 副总经理兼|云澜（控股）有限公司.
_OFFICE = re.compile(f"[{_HAN}]{{1,8}}[长理裁事记任师监员]兼(?=.{{2}})")
_TITLED = re.compile(r"《([^《》\n]{2,60})》")
_POLICY_END = re.compile(
    r"(?:法|办法|条例|规定|通知|意见|方案|指引|准则|规则|细则|标准|规划|纲要|决定|目录|计划|"
    r"措施|制度|规范|清单|指南|解释"
    r"|政策|宪法|法案|公约|协定|若干措施|解释第\d+号|章程|要求)(?:[（(][^）)]*[）)])"
    r"?(?:（?第?[一二三四五六七八九十\d]+[号版]?）?)?$"
)
#: Indices have codes, too: 中证全指（000985.SH）.
_INDEX = re.compile("(?:指数?|ETF|中证[0-9]+|沪深300|上证[0-9]+)\\s*$")
_CODE = re.compile(r"[（(\[【]?(\d{4,6}\s?\.\s?(?:SH|SZ|BJ|HK|SS))[）)\]】]?", re.IGNORECASE)
_SEGMENT_END = re.compile(
    r"(?:业务|板块|分部|事业部)(?!模式|员|收入确认|流程|量|拓展|发展|开展|合并|规模|布局|能力|"
    r"结构|范围|条线)"
)
_NO_SEGMENT = re.compile(
    "主营|主要|相关|新|各项|公司|该|其他|其它|核心|各|两大|三大|四大|五大|多|现有|原有"
    "|全部|本|有关|重点|传统|新兴|所有|具体|整体|不同|上述|此|成熟|同类|类似|支柱|战略"
    "|单一|优势|多元|国内|海外|境外|境内|国际|第一|第二|自有|创新|基础|日常|经营|附属"
    "|配套|合作|关联|竞争|国外|预计|预期|假设|占比|比超|一|一项|这|这些|综合|盈利|开展|拓展|发展|其|子"
)
_PREPOSITION = re.compile("向(?![日阳上前])|[由与]")
#: What every company has, or its accounts speak of, or only says how good it is: no segment.
_NO_KIND = re.compile(
    "(?:平台|基石|金融|常规|普通|一般|融通|转融通|增量|存量|区域|终端|预付|预收|团队|客户|产品|技术|市场|战略|平均|项目"
    "|生产|销售|采购|研发|管理|服务|经济|实体|业绩|利润|收入|毛利|成长|现金|投资|融资|[高低双多强优轻重](?:毛利|消费|增长|附加值"
    "|端|成长|利润|价值|壁垒|质量|景气))+|集团.*|.*(?:业务|报告|阶段|运营|套期|套期保值|回租|授信|担保|团队.{0,2}|质押|理财|存款|借款|票据)"
)
_PERIOD = re.compile(r"[QHFYqh\d]+")
_POINTING = re.compile("[该本其此各这那]|情况")
_NO_SEGMENT_END = tuple(word for word in _NO_SEGMENT.pattern.split("|") if len(word) > 1)
_NAME_PARTS = 6
#: Single characters that a tagger takes for words before a name.
_HEADS = ("新", "大", "老", "东", "西", "南", "北", "华")
_IN_NAMES = ("LOC", "ORG", "nz", "PER")


def formed_names(chunk: Tagged, tokens: Tokens) -> Iterator[Found]:
    """Companies, policies, products and codes of a chunk by their form."""
    text = chunk.text
    yield from _chinese_companies(chunk, tokens)
    yield from english_companies(text)
    yield from english_acts(text)
    for match in _TITLED.finditer(text):
        title = match[1].strip()
        if _POLICY_END.search(title):
            yield Found(match.start(), match.end(), "policy", "high", 5, f"《{title}》")
    for match in _CODE.finditer(text):
        if _INDEX.search(text[: match.start()]) or text.startswith("指数", match.end()):
            continue
        code = next((found.code for found in code_mentions(f"（{match[1]}）")), None)
        if code:
            start, end = match.span(1)
            yield Found(start, end, "company", "high", 1, code, code=code)


def segments(text: str, tokens: Tokens) -> Iterator[Found]:
    """Business segments such as 游戏业务; whose they are is settled where all names are known."""
    for match in _SEGMENT_END.finditer(text):
        words = tokens.words_before(match.end(), 5)
        if not words or words[0][0] > match.start():
            continue
        start = match.start()
        for first, last, tag in words:
            if first >= match.start():
                continue
            word = text[first:last]
            nearest = start == match.start()
            # 小分子业务, 健康消费品业务: a quality belongs to the noun behind it
            quality = not nearest and tag.startswith("a")
            if _NO_SEGMENT.fullmatch(word) or _PERIOD.fullmatch(word):
                break
            # the segmenter calls what it finds in names alone a morpheme: 晶圆, vg
            named = tag.endswith("g") and len(word) > 1
            if not (is_nominal(tag) or quality or named or (nearest and tag == "v")):
                break
            start = first
        kind = text[start : match.start()]
        verb = len(words) > 1 and words[1][0] == start and words[1][2] == "v"
        if (
            2 <= len(kind) <= 10
            and not verb
            and not kind.endswith(_NO_SEGMENT_END)
            and not _POINTING.search(kind)
            and says_which_business(text[start : match.end()])
        ):
            yield Found(start, match.end(), "product", "medium", 1)


def says_which_business(segment: str) -> bool:
    """Whether a segment has words of its own, beyond those that every company's may have.

    >>> says_which_business("游戏业务"), says_which_business("平台业务")
    (True, False)
    """
    return not _NO_KIND.fullmatch(re.sub(f"{_SEGMENT_END.pattern}$", "", segment))


def _chinese_companies(chunk: Tagged, tokens: Tokens) -> Iterator[Found]:
    text = chunk.text
    for match in _COMPANY_END.finditer(text):
        if tokens.tag_after(match.end()) in ("n", "vn") and match.group() == "集团":
            continue
        if text.startswith("——", match.end()) and not _FULL_END.search(match.group()):
            continue  # 知名检验认证集团——甲集团: what it is before what it is called
        start = _left_edge(text, tokens, match.start())
        # the segmenter takes 向 and what follows for a person's name
        start += _PREPOSITION.match(text, start, match.start() - 1) is not None
        joined = _NOT_OF_NAME.match(text, start, match.start() - 1)
        start = _agreed(chunk, joined.end() if joined else start, match.end())
        office = _OFFICE.match(text, start, match.start())
        start = office.end() if office else start
        name = text[start : match.end()]
        bare = name.removesuffix(match.group())
        if (
            len(bare) < 2
            or _NO_NAME.fullmatch(bare)
            or name[0] in "（(否"
            or not re.search(f"[{_HAN}A-Z]", bare)
        ):
            continue
        full = _FULL_END.search(name) is not None
        if reads_as_sentence(name) or not (full or may_be_name(name)):
            continue
        if not full and (
            len(bare) > 8 or (is_ordinary(bare) and tokens.bounded(start, start + len(bare)))
        ):
            continue
        yield Found(start, match.end(), "company", "high" if full else "medium", 3)


def _agreed(chunk: Tagged, start: int, end: int) -> int:
    """Where a name begins that ends at `end`, as a tagger corrects the rules: 告|西安曙光…公司.

    What it cuts off is no part of the name, but for a place, and another name before it; what it
    adds is one.
    """
    first = name_start(chunk, end)
    if first is None:
        return _begun_within(chunk, start, end)
    if first == start:
        return start
    if first < start:
        added = chunk.text[first:start]
        named = may_be_name(chunk.text[first:end]) and not _WHOSE.search(added)
        return first if named else start
    if chunk.text[first - 1] in "）)":
        return start
    cut = [word for word in chunk.words if start <= word.start and word.end <= first]
    # 以|新|瑞鹏集团
    if cut and chunk.shown(cut[-1]) in _HEADS:
        return cut[-1].start
    joined = cut and cut[0].start == start and all(word.tag in _IN_NAMES for word in cut)
    return start if joined else first


def _begun_within(chunk: Tagged, start: int, end: int) -> int:
    """Where an organisation begins that goes on behind the name of its company, where the rules cut
    its first word: 中国石|油天然气集团有限公司资本运营部."""
    around = next((word for word in chunk.words if word.start < start < end < word.end), None)
    said = _COMPANY_END.split(chunk.text[start:end], maxsplit=1)[0]
    if around is None or around.tag != "ORG" or len(said) < 2:
        return start
    name = chunk.text[around.start : end]
    return start if reads_as_sentence(name) or " " in name else around.start


def _left_edge(text: str, tokens: Tokens, end: int) -> int:
    """Where the name begins that stands before a company's legal form."""
    before = _NAME_BEFORE.search(text[:end])
    if not before:
        return end
    start, at = end, end
    for _ in range(_NAME_PARTS * 2):
        bracket = _BRACKETED.search(text[before.start() : at])
        if bracket and at < end + 1:
            at -= len(bracket.group())
            start = at
            continue
        words = tokens.words_before(at, 1)
        if not words:
            # the form's first word may have been joined with the name's last one
            at -= 1
            if at < before.start() or at < end - 4:
                break
            start = at
            continue
        first, last, tag = words[0]
        word = text[first:last]
        if _STOPS.fullmatch(word) or tag in (
            "p",
            "c",
            "u",
            "ul",
            "uj",
            "r",
            "d",
            "m",
            "w",
            "ud",
            "uz",
        ):
            break
        if (
            tag in ("v", "vd") and len(word) > 1 and not _NAME_VERBS.fullmatch(word)
        ) or first < before.start():
            break
        at = start = first
    return start


#: Verbs that names of companies are made of.
_NAME_VERBS = re.compile(
    "投资|控股|发展|建设|制造|开发|管理|服务|贸易|设计|运输|创新|联合|利用|动力|创业|设备|工程"
)
