"""What a string must be made of to be the name of a company or an organisation.

How a name is marked by what stands around it is `proposals`; which names are one is identity.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import rjieba

from finrag_pipeline.stages.identity.names import core_of
from finrag_pipeline.stages.identity.spelling import spelling

_WORDS_PATH = Path(__file__).with_name("name_words.csv")
with _WORDS_PATH.open(encoding="utf-8", newline="") as _rows:
    _WORDS = {row["kind"]: row["words"].split("|") for row in csv.DictReader(_rows)}


def _any_of(kind: str) -> str:
    return f"(?:{'|'.join(sorted(_WORDS[kind], key=len, reverse=True))})"


_HAN = r"\u3400-\u9fff"
#: What a business is called at the end of a name: 星河医药, 澄光储能科技.
ENDING = re.compile(f"{_any_of('ending')}$")
#: Those that taggers cut off, and that are hardly ever said of a company: 迈普|医学.
EXTENSION = re.compile(_any_of("extension"))
#: Behind these words of business what they belong to is no company: 诺泰|医药行业.
NO_ENDING = tuple(_WORDS["no_ending"])
ORGANISATION = re.compile(f"{_any_of('organisation')}$")
#: Authorities and what is a part of something: no company by themselves.
BODY = re.compile(f"{_any_of('body')}$")
#: Bodies inside every company.
_INNER = re.compile(
    "(?:董事会|监事会|股东大会|股东会|管理层|(?:审计|战略|提名|薪酬|考核|风险|治理|ESG).*委员会|.*(?:事业部|业务部|普药部|运部|分公司|子公司"
    "|孙公司|母公司|总公司|董事会))$"
)
_SHAPE = re.compile(rf"[{_HAN}A-Za-z0-9·・•&（）()\-+.'’ ]{{2,40}}")
_LATIN = re.compile(r"(?=[^a-z]*[A-Z])[A-Za-z][A-Za-z0-9&.'’\-]*(?: [A-Z0-9&][A-Za-z0-9&.'’\-]*)*")
#: A sentence, not a name: 科辉先导公司系本公司, 主要系本集团.
_SENTENCE = re.compile(
    "[省市].*[区县]|[一二两三四五六七八九十几多数]家|公司股份$|限售|质押|存量|流通股|股本|大学.|医院.|本(?:公司|集团|行|次|期|年)|我们|[系指](?:本|由|公司)|公司(?:系|为|的|与|和)|以及|[，。；：、？！]|[经据按因至到的了与和及等由将被把给让使]$"
    "|股份(?:有限公司)?(?:[^（(公有].*)|有限公司.+"
)
#: Of accounts, of holders of shares, of hiring: what nobody is called.
_NOBODY = re.compile(
    r"证券投资?$|人民政府.|^(?:全资|控股|参股)子(?:公司|企业)|[\u3400-\u9fff][A-Z]{3,}$|"
    r"权益|股权$|^荣获|^扎实|落实|实力$|可交换|专用证券账户|一致行动人|损益|公允价值|净资产|如有|措施|进展|[校社]招|^[否根]|所处$|播客$|(?:开发|高新|保税)区$|^ETF|^荣膺|(?:联合会|学会|协会)科技$"
)
_LATIN_END = re.compile(r"^[A-Z].* (?:Limited|Ltd\.?|Inc\.?|Corporation|Company)$")
#: Names as long hardly differ from another one in their first character alone.
_TORN_LENGTH = 9
_FULL = re.compile(r"有限(?:责任)?公司$")
#: A fund in its bank's hands, and the end of its name where a cell ends before it does.
_FUND = re.compile(r"公司－|银行－")
_CUT_FUND = re.compile(r"证券投(?:资)?$")
#: What a fund's whole name does not end with.
_CUT = re.compile(r"(?:交易型(?:开放式)?|指数|行业|型|证券(?:投资?)?)$")
#: Words of no name, whatever stands beside them.
_COMMON = frozenset(_WORDS["common"])
#: Single characters that hold a sentence together; any other one that stands alone belongs to a
#: word that no dictionary has, which is what most names are.
_PARTICLES = frozenset(_WORDS["particle"])
#: Two companies hardly share so many characters of their names, the same core among them.
_SURE_LENGTH = 4
_PROPER = ("nr", "nt", "nz", "x", "eng", "nrt", "nrfg", "j")


def is_latin_name(text: str) -> bool:
    """Whether a text is Latin words, each with a capital: Daiichi Sankyo, ModMed."""
    return len(text) > 2 and _LATIN.fullmatch(text) is not None


def reads_as_sentence(text: str) -> bool:
    """Whether words of a sentence stand in what is taken for a name: 主要系本集团."""
    return _SENTENCE.search(text) is not None


def may_be_name(text: str) -> bool:
    """Whether a text can be the name of a company or an organisation at all.

    >>> [may_be_name(text) for text in ("诺亦腾", "主要系本集团", "眼科医疗服务集团", "一致行动人")]
    [True, False, False, False]
    >>> [may_be_name(text) for text in ("澳优乳业MSCI", "全资子企业长电新能", "制冷配件公司")]
    [False, False, False]
    """
    if not _SHAPE.fullmatch(text) or _SENTENCE.search(text) or _INNER.search(text):
        return False
    if _NOBODY.search(text):
        return False
    if text.count("（") != text.count("）") or text.count("(") != text.count(")"):
        return False
    return is_latin_name(text) or (_han(text) >= 2 and says_which(text))


def is_short_of(short: str, full: str) -> bool:
    """Whether a name is a full one without place, legal form and lines of business.

    >>> [is_short_of(short, "西安曙光汽车销售服务有限公司") for short in ("曙光汽车", "曙光")]
    [True, False]
    """
    core = core_of(spelling(short))
    same = len(core) > 1 and core_of(spelling(full)).startswith(core)
    return len(short) >= _SURE_LENGTH and short != full and short in full and same


def whole_names(names: Collection[str]) -> dict[str, str]:
    """By each of the names of a document the one that it is cut from, else itself: a company's
    that begins inside a word of a longer one, a fund's that ends before it does.

    >>> whole_names(["南省能源集团有限公司", "云南省能源集团有限公司"])["南省能源集团有限公司"]
    '云南省能源集团有限公司'
    >>> whole_names(["星河医药有限公司", "上海星河医药有限公司"])["星河医药有限公司"]
    '星河医药有限公司'
    >>> whole_names(["集峡投资管理有限公司", "长江三峡投资管理有限公司"])["集峡投资管理有限公司"]
    '长江三峡投资管理有限公司'
    >>> whole_names(["星河电网有限公司", "中国星河电网有限公司"])["星河电网有限公司"]
    '中国星河电网有限公司'
    >>> whole_names(["某银行－沪深300指数证券投资"])["某银行－沪深300指数证券投资"]
    '某银行－沪深300指数证券投资基金'
    """
    return {name: _whole_name(name, names) for name in names}


def _whole_name(name: str, names: Iterable[str]) -> str:
    if _FUND.search(name) and _CUT.search(name):
        longer = [each for each in names if each != name and each.startswith(name)]
        return longer[0] if len(longer) == 1 else _CUT_FUND.sub("证券投资基金", name)
    if _LATIN_END.search(name):
        longer = [each for each in names if each.endswith(f" {name}")]
    elif _FULL.search(name):
        whole = f"中国{name}"
        longer = [
            each
            for each in names
            if each == whole or _is_end_of(name, each) or _is_torn_from(name, each)
        ]
    else:
        return name
    return longer[0] if len(longer) == 1 else name


def _is_end_of(name: str, longer: str) -> bool:
    # 上海星河医药有限公司 is another company, and no longer name of 星河医药有限公司
    return longer.endswith(name) and _begins_inside_word(longer, len(longer) - len(name))


def _is_torn_from(name: str, longer: str) -> bool:
    """Whether a character of another line stands before the end of a longer name:
    集|峡投资管理有限公司 of 长江三峡投资管理有限公司."""
    torn = len(name) > _TORN_LENGTH and next(iter(_cut(name))) == name[0]
    return torn and longer.endswith(name[1:]) and len(longer) > len(name)


def _begins_inside_word(text: str, start: int) -> bool:
    at = 0
    for word in _cut(text):
        if at < start < at + len(word):
            return True
        at += len(word)
    return False


def is_company_like(text: str) -> bool:
    """Whether a text ends like a company and says before that which one.

    >>> [is_company_like(text) for text in ("善臻科技", "中国医疗", "诺亦腾")]
    [True, False, False]
    """
    ending = ENDING.search(text)
    return ending is not None and may_be_name(text)


@lru_cache(maxsize=20_000)
def says_which(text: str) -> bool:
    """Whether a text says more than a kind of firm, a place or a quality.

    >>> says_which("金花国际大酒店"), says_which("全国性连锁集团")
    (True, False)
    """
    core = core_of(spelling(text))
    left = [word for word in _cut(core) if word not in _COMMON]
    said = any(word not in _PARTICLES and not word.isdigit() for word in left)
    return said and len("".join(left)) >= 2


@lru_cache(maxsize=20_000)
def is_rare(text: str) -> bool:
    """Whether a text has a word that no dictionary has, or that it has as a name.

    >>> [is_rare(text) for text in ("诺亦腾", "默沙东", "核心竞争力", "人民币")]
    [True, True, False, False]
    """
    for word in _cut(core_of(spelling(text))):
        if len(word) == 1 and word not in _PARTICLES:
            return True
        if len(word) > 1 and word not in _COMMON and _tag(word).startswith(_PROPER):
            return True
    return False


def is_common(text: str) -> bool:
    """Whether a text has but words that say no name.

    >>> is_common("宠物食品用品集团"), is_common("上海国际集团")
    (True, False)
    """
    return all(word in _COMMON or word in _PARTICLES for word in _cut(text))


def _cut(text: str) -> Sequence[str]:
    # without guesses at new words, what the dictionary does not know falls apart
    return cast("Sequence[str]", rjieba.cut(text, False))


def _tag(word: str) -> str:
    tagged = cast("Sequence[tuple[str, str]]", rjieba.tag(word))
    return tagged[0][1] if len(tagged) == 1 else "x"


def _han(text: str) -> int:
    return len(re.findall(f"[{_HAN}]", text))
