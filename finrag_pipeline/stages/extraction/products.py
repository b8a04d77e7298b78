"""Products, drugs and models where something shows that they are one: an ending that only drugs
have, a form that they are taken in, quotation marks behind what they are, a model number.

A noun before 产品 or 平台 is no product. Segments of a company are `forms`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.wording import is_rare

_WORDS_PATH = Path(__file__).with_name("product_words.csv")
with _WORDS_PATH.open(encoding="utf-8", newline="") as _rows:
    _WORDS = {row["kind"]: row["words"] for row in csv.DictReader(_rows)}

_HAN = r"\u3400-\u9fff"
_DRUG = re.compile(rf"[{_HAN}]{{1,8}}?(?:{_WORDS['drug']})(?=[^{_HAN}]|[{_HAN}])")
_LATIN_DRUG = re.compile(rf"(?<![A-Za-z])[A-Z]?(?:{_WORDS['drug_latin']})(?![a-z])")
_BEGUN = re.compile(rf"[{_HAN}]")
_NO_DRUG = re.compile(rf"(?:{_WORDS['no_drug']})+")
_DOSAGE = re.compile(rf"(?:{_WORDS['dosage']})(?![{_HAN}]?(?:机|线|设备|市场|行业|业务|剂型))")
#: What a name is behind: 创新药“普佑克”, and before: “盘古”大模型.
_QUOTED = re.compile(
    rf"(?P<before>(?:{_WORDS['made']})[^，。；、“”「」]{{0,4}})?"
    rf"[“「](?P<name>[{_HAN}A-Za-z0-9\-·+ ]{{2,16}})[”」]"
    rf"(?P<after>(?:{_WORDS['head']})(?![A-Za-z]))?"
)
_HEADED = re.compile(
    rf"(?<![A-Za-z0-9\-])(?P<name>[A-Za-z][A-Za-z0-9\-.+]{{1,15}}) ?"
    rf"(?P<head>{_WORDS['head']})(?![A-Za-z])"
)
_MODEL = re.compile(
    r"(?<![A-Za-z0-9\-./])(?=[A-Za-z\-]*\d)[A-Z][A-Za-z]{0,5}(?:-[A-Z]{0,3})?\d{1,6}"
    r"(?:[A-Z][A-Za-z]{0,3}|-\d{1,4})?(?![A-Za-z0-9\-/%.]|\.\d)"
)
_NO_MODEL = re.compile(f"(?:{_WORDS['no_model']})")
_NO_PRODUCT = frozenset(_WORDS["no_product"].split("|"))
_MADE_BEFORE = re.compile(rf"(?:{_WORDS['made']})[^，。；（）]{{0,6}}$")
_TESTED = re.compile(rf"{_WORDS['made']}|{_WORDS['tested']}")
_HEAD_AFTER = re.compile(rf" ?(?:{_WORDS['head']}|系列|项目)")
#: A code with letters and three figures is hardly a step, a grade or a quarter: SHR-A1811, HRS9531.
_LONG_MODEL = re.compile(r"[A-Z]{1,5}-?[A-Z]?\d{3,6}[A-Z]?(?:-\d{1,4})?")
#: A brand and the model behind it: 问界|M9, 昇腾|910B.
_BRAND_MODEL = re.compile(
    rf"(?<=[{_HAN}])(?:[A-Z]{{1,3}}-?\d{{1,4}}[A-Za-z+]{{0,4}}|\d{{3,4}}[A-Z][A-Za-z]{{0,3}})(?![A-Za-z0-9.%％])"
)
_NO_BRAND = re.compile(
    "图表?|附?表|附录|附件|方案|版本|阶段|等级|公式|指数|沪深|中证|上证|科创|创业板?|国证|深证|系列|型号|产品|芯片|项目"
    "|步骤|编号|股票|代码|抑制剂|激动剂|拮抗剂|靶点|突变|基因|受体|合计"
)
#: Tags of words that are no brand.
_PARTING = ("p", "c", "u", "xc", "w", "d", "r", "m", "q", "f", "TIME")
_WORK = re.compile(r"《([^《》\n]{2,16})》")
_WORK_CUE = re.compile(_WORDS["work"])
#: Parts of speech of words that a drug's name may be cut into.
_PARTS = ("nz", "n", "nw", "PER", "ORG", "LOC", "vn", "v", "a", "j", "nr")
#: What is put in quotation marks and is no name: “引领力”, “双千亿”战略.
_QUALITY = re.compile(
    "(?:力|性|化|者|人|度|率|体系|模式|战略|计划|工程|行动|中心|库|引擎|年|元|亿|级|型|类|板块)$"
)
#: How and where it is taken or sold stands before a drug's name: 口服|司美格鲁肽.
_NOT_OF_DRUG = re.compile(
    ".*(?:口服|注射用|国产|进口|重组|化学药|生物药|中药|西药|原研|仿制|制剂|品种)(?=..)"
)
_CLAUSE = re.compile(r"[，。；\n]")
_LONGEST_NAME = 10
_LONGEST_BRAND = 4
#: Only of cars are brands ordinary words: 理想L9.
_DRIVEN = re.compile("销量|交付|车型|新车|预售|试驾|车主|轿车|SUV|MPV")


def products(chunk: Tagged, companies: Sequence[Found]) -> Iterator[Found]:
    """Products, drugs and works of a chunk.

    Args:
        companies: found in the chunk; a model number right behind one is its product.
    """
    text = chunk.text
    yield from _drugs(chunk)
    for match in _LATIN_DRUG.finditer(text):
        yield Found(*match.span(), "product", "high", 2)
    for match in _QUOTED.finditer(text):
        name, after = match["name"].strip(), match["after"] or ""
        if (match["before"] or after) and name not in _NO_PRODUCT and _may_be_called(name):
            start = match.start("name") - 1
            yield Found(start, match.end(), "product", "medium", 2, f"{name}{after}")
    for match in _HEADED.finditer(text):
        if _is_own_name(match["name"]):
            yield Found(*match.span(), "product", "medium", 1, f"{match['name']}{match['head']}")
    yield from _models(text, companies)
    yield from _branded(chunk, companies)
    for match in _WORK.finditer(text):
        if _WORK_CUE.search(text[max(0, match.start() - 8) : match.end() + 12]):
            yield Found(*match.span(), "product", "medium", 4, f"《{match[1].strip()}》")


def _drugs(chunk: Tagged) -> Iterator[Found]:
    text = chunk.text
    for match in _DRUG.finditer(text):
        start = _start_of(chunk, match.end(), match.start())
        if start is None and not _BEGUN.match(text[: match.start()][-1:]):
            start = match.start() if match.end() - match.start() > 2 else None
        if start is None or _NO_DRUG.fullmatch(text, start, match.end()):
            continue
        dosage = _DOSAGE.match(text, match.end())
        yield Found(start, dosage.end() if dosage else match.end(), "product", "high", 2)
    for match in _DOSAGE.finditer(text):
        start = _start_of(chunk, match.start(), max(0, match.start() - _LONGEST_NAME))
        if start is None:
            at = chunk.ending(match.end())
            start = chunk.words[at].start if at >= 0 else match.start()
        if match.start() - start >= 2 and is_rare(text[start : match.start()]):
            yield Found(start, match.end(), "product", "medium", 1)


def _start_of(chunk: Tagged, end: int, least: int) -> int | None:
    """Where the word begins that the tagger ends or has at `end`, with pieces of it before that."""
    at = next((n for n, word in enumerate(chunk.words) if word.start < end <= word.end), None)
    if at is None:
        return None
    start = chunk.words[at].start
    # 司|美格|鲁肽: short pieces, of which no dictionary has one
    while (
        at
        and chunk.words[at - 1].end == start
        and chunk.words[at - 1].tag in ("nz", "PER", "LOC", "nw", "ORG")
        and end - chunk.words[at - 1].start <= _LONGEST_NAME
        and is_rare(chunk.shown(chunk.words[at - 1]))
    ):
        at -= 1
        start = chunk.words[at].start
    shown = chunk.text[start:end]
    lead = _NOT_OF_DRUG.match(shown)
    start += lead.end() if lead else 0
    shown = shown[lead.end() :] if lead else shown
    return start if end - start >= 3 and re.fullmatch(f"[{_HAN}]+", shown) else None


def _may_be_called(name: str) -> bool:
    return is_rare(name) and not _QUALITY.search(name)


def _is_own_name(name: str) -> bool:
    """Whether a Latin word before a thing is a name: HoloSens, not AI, ERP or mobile."""
    if name in _NO_PRODUCT or _NO_MODEL.fullmatch(name) or name.islower():
        return False
    mixed = any(char.isupper() for char in name[1:]) and not name.isupper()
    return mixed or any(map(str.isdigit, name)) or (name.istitle() and len(name) > 3)


def _models(text: str, companies: Sequence[Found]) -> Iterator[Found]:
    behind = {each.end: each for each in companies if each.type == "company"}
    for match in _MODEL.finditer(text):
        start, end = match.span()
        if _NO_MODEL.fullmatch(match.group()):
            continue
        maker = behind.get(start) or behind.get(start - 1 if text[start - 1 : start] == " " else -1)
        if maker is not None:
            name = maker.name or text[maker.start : maker.end]
            yield Found(start, end, "product", "medium", 2, company=name)
            continue
        head = _HEAD_AFTER.match(text, end)
        shown = head or _MADE_BEFORE.search(text[max(0, start - 14) : start])
        if shown or (
            _LONG_MODEL.fullmatch(match.group()) and _TESTED.search(_clause(text, start, end))
        ):
            yield Found(start, end, "product", "medium", 2)


def _branded(chunk: Tagged, companies: Sequence[Found]) -> Iterator[Found]:
    text = chunk.text
    makers = {each.end: each for each in companies if each.type == "company"}
    for match in _BRAND_MODEL.finditer(text):
        figure, end = match.span()
        at = next((n for n, w in enumerate(chunk.words) if w.start < figure <= w.end), -1)
        if at < 0 or chunk.words[at].tag in _PARTING or figure in makers:
            continue
        # 问|界|M9
        one = at and figure - chunk.words[at].start == 1 and chunk.words[at - 1].end == figure - 1
        start = chunk.words[at - 1 if one else at].start
        shown = text[start:figure]
        if not 2 <= len(shown) <= _LONGEST_BRAND or _NO_BRAND.search(shown):
            continue
        if (end - figure > 2 and _NO_MODEL.fullmatch(match.group())) or not (
            is_rare(shown)
            or (match.group()[0].isalpha() and _DRIVEN.search(_clause(text, start, end)))
        ):
            continue
        if _TESTED.search(_clause(text, start, end)):
            maker = makers.get(start)
            whose = (maker.name or text[maker.start : maker.end]) if maker else None
            yield Found(start, end, "product", "medium", 2, company=whose)


def _clause(text: str, start: int, end: int) -> str:
    first = max(
        (mark.end() for mark in _CLAUSE.finditer(text, max(0, start - 40), start)), default=0
    )
    last = _CLAUSE.search(text, end)
    return text[max(first, start - 40) : min(last.start() if last else len(text), end + 40)]
