"""Names that a document declares for itself: 以下简称“…”, (the "Company"), and who 公司 is in it.

Whether 公司 stands at a place as a word of its own is decided in `references`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.extraction.spans import Found

_QUOTED = r"[“\"「‘]([^“”\"「」‘’]{1,24})[”\"」’]"
#: A declaration behind a name, quoted or bare: （以下简称“甲”或“公司”）, ("Galaxy").
_DECLARED = re.compile(
    r"\s*[（(]\s*(?P<said>(?:以下|下称|下文|后文|简称|统称|全称|并称|合称|又称|英文简称|"
    r"hereinafter|hereafter"
    r"|referred to|collectively|together|the\s+[“\"]|[“\"])[^（）()]{1,90})[)）]",
    re.IGNORECASE,
)
_WORDS = re.compile(_QUOTED)
_BARE = re.compile(
    r"^(?:以下|下文|后文)?(?:统一|均)?(?:简称|下称|合称|统称|并称|又称)(?:为|：|:)?\s*([^，,"
    r"；;“”\"（）()]{2,16})$"
)
#: What stands for its antecedent in this document only.
_GENERIC = re.compile(
    r"(?:本|该)?(?:公司|集团|企业|银行|发行人|上市公司|标的公司|目标公司|收购人|受托管理人|基金|"
    r"行|我们|申请人|甲方|乙方)"
    r"|(?:the )?(?:company|group|issuer|registrant|corporation|bank|seller|buyer|purchaser|"
    r"borrower|parent|we|us|our"
    r"|agreement|plan|notes|act|code|exchange act|acquisition|merger|credit agreement|closing)",
    re.IGNORECASE,
)
#: All that stands between a name and another one of its own: 甲公司（Jia Inc.）, 英文名：Jia Inc.
_OTHER_NAME = re.compile(
    r"\s*[（(]\s*(?:(?:英文|中文)(?:全称|名称|名|简称)?|简称|即)?\s*(?:为|：|:)?\s*[“\"]?"
)
_SECURITY = re.compile(r"\d{4}")
_CLOSED = re.compile(r"[”\"]?\s*(?:[，,；;][^（）()]{0,60})?[)）]")
#: What is declared behind a company's name and is none: with DuPont (“TCS Settlement”).
_NO_FIRM = re.compile(
    r"(?:Settlement|Agreement|Plan|Notes?|Act|Acquisition|Transactions?|Merger|Loans?|Facility|Shares?|Order"
    r"|Litigation|Actions?|Lawsuit|Case|Program|Offer|Bonds?|Lease|协议|合同|项目|交易|计划|方案|股权|股份转让|标的资产|办法|规则)$"
)
_DECLARING_TYPES = ("company", "organisation", "policy", "product", "person", "event", "concept")


@dataclass(frozen=True, slots=True)
class Declared:
    """What a document declares.

    `names` maps an alias to the name it stands for, its type and code; `aliases` a name to the
    aliases fit for other documents; `generic` a lower-case word such as 公司 to its antecedent.
    """

    names: dict[str, Found] = field(default_factory=dict[str, Found])
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    generic: dict[str, Found] = field(default_factory=dict[str, Found])


def declared_by(chunks: Iterable[tuple[str, Sequence[Found]]], metadata: Metadata) -> Declared:
    """What the chunks of a document declare, the first declaration of a word winning.

    Args:
        chunks: text of each chunk and the names found in it.
        metadata: names the company that 公司 stands for where the document declares nobody.
    """
    declared = Declared()
    for text, found in chunks:
        for item in found:
            if item.type in _DECLARING_TYPES:
                for alias in declared_behind(text, item.end):
                    _declare(declared, text, item, alias)
        for item, other in pairwise(found):
            if _is_other_name(text, item, other):
                one, alias = sorted((item, other), key=lambda one: _is_english(text, one))
                _declare(declared, text, one, text[alias.start : alias.end])
    own = _own_company(metadata)
    if own:
        for word in ("公司", "本公司", "the company", "company"):
            declared.generic.setdefault(word, own)
    return declared


def declared_behind(text: str, end: int) -> Iterator[str]:
    """The aliases that brackets behind a name declare, in order.

    >>> list(declared_behind("星河新材料股份有限公司（以下简称“星河新材”或“公司”）", 11))
    ['星河新材', '公司']
    """
    match = _DECLARED.match(text, end)
    if not match:
        return
    said = match["said"].strip()
    quoted = _WORDS.findall(said)
    # a quotation alone behind a name may be anything but an English definition
    if quoted and (not said.startswith(("“", '"')) or said.isascii() or _is_definition(said)):
        yield from (alias.strip() for alias in quoted if alias.strip())
    elif bare := _BARE.match(said):
        yield bare[1].strip()


def _is_other_name(text: str, item: Found, other: Found) -> bool:
    """Whether a company in brackets behind a company is that one in another language, or short."""
    if item.type != "company" or other.type != "company":
        return False
    if not _OTHER_NAME.fullmatch(text, item.end, other.start) or not _CLOSED.match(text, other.end):
        return False
    if any(_SECURITY.match(text, one.start) for one in (item, other)):
        return False
    if _is_english(text, item) != _is_english(text, other):
        return True
    rest = iter(text[item.start : item.end])
    return other.code is None and all(char in rest for char in text[other.start : other.end])


def _is_english(text: str, item: Found) -> bool:
    return text[item.start : item.end].isascii()


def _is_definition(said: str) -> bool:
    return re.sub(r"[“”\"]", "", said).isascii()


def _declare(declared: Declared, text: str, item: Found, alias: str) -> None:
    name = item.name or text[item.start : item.end]
    if _GENERIC.fullmatch(alias):
        word = alias.lower().removeprefix("the ")
        if item.type in ("company", "organisation"):
            for form in {word, f"the {word}"} if word.isascii() else {word, f"本{word}"}:
                declared.generic.setdefault(form, replace(item, name=name))
        return
    if alias == name or len(alias) < 2:
        return
    if item.type == "company" and _NO_FIRM.search(alias):
        return
    if alias not in declared.names:
        declared.names[alias] = Found(
            0, 0, item.type, item.confidence, 6, name, item.company, item.code
        )
        declared.aliases[name] = (*declared.aliases.get(name, ()), alias)


def _own_company(metadata: Metadata) -> Found | None:
    """The one company of a document about one company."""
    if not metadata.company_name or metadata.kind not in ("company", "filing"):
        return None
    return Found(0, 0, "company", "medium", 6, metadata.company_name, code=metadata.company_code)
