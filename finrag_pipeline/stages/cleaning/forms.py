"""Boxes that a form has ticked, such as ``□适用 √不适用``: answers to the form, no sentences.

What stands under them is text of its own, and so are the headings that they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from finrag_pipeline.records import TextLine
from finrag_pipeline.stages.cleaning.geometry import rows
from finrag_pipeline.stages.cleaning.marks import cut_around
from finrag_pipeline.stages.cleaning.numbering import numbering_level

# fonts of symbols print some boxes as private signs or as letters: Wingdings 2 has R and £
_EMPTY = r"[□☐▢◻○\uf0a3\uf0a8\uf06f\uf071£]"
_TICKED = r"[√✓✔☑☒▣■◼●\uf052\uf053\uf054\uf0fe\uf0fd\uf0fc]|R(?=\s*(?:适用|不适用|是|否))"
_BOX = rf"(?:[\[【(（]\s*[√✓✔xX×]?\s*[\]】)）]|{_EMPTY}|{_TICKED})"
_WORD = r"(?:不适用|适用|是|否|有|无|已?达到|未达到|Yes|No|Not applicable|Applicable|N/A)"
_CHOICE = rf"(?:{_BOX}\s*{_WORD}|{_WORD}\s*{_BOX})"
_GAP = r"[\s/|、,，;；]*"
#: Two choices or more side by side; one alone is a form only where nothing else stands on the row.
_CHOICES = re.compile(rf"{_CHOICE}(?:{_GAP}{_CHOICE})+", re.IGNORECASE)
_PURE = re.compile(rf"(?:{_BOX}|{_WORD}|[\s/|、,，:：;；。.])+", re.IGNORECASE)
#: Boxes of English forms in fonts of symbols: ``Yes x No ¨``.
_LETTERED = re.compile(r"(?=.*\b(yes|no)\b)(?=.*[xoþ¨ý])(\b(yes|no)\b|[xoþ¨ý\s])+", re.IGNORECASE)
_HAS_BOX, _HAS_WORD = re.compile(_BOX), re.compile(_WORD, re.IGNORECASE)
#: Options in the form's own words, one of them ticked: ``□会计政策变更 √同一控制下企业合并``.
_SIGN = rf"(?:{_EMPTY}|{_TICKED})"
_OPTIONS = re.compile(rf"\s*(?:{_SIGN}(?:(?!{_SIGN})[^。]){{2,40}}){{2,}}")
_STATEMENT = re.compile(r"[^。；？?]{4,60}[:：]?\s*")
_YES_OR_NO = re.compile(rf"(?:{_BOX}|[是否有无]|[\s/|、,，;；])+")


#: Offices of those who sign a statement, each with a name or a line to sign on.
_SIGNED = re.compile(
    r"(?:\s*(?:公司|企业|单位|本行)?"
    r"(?:法定代表人|负责人|主管会计工作(?:的)?(?:公司)?负责人|会计机构负责人)"
    r"(?:\s*[（(]会计主管人员[)）])?\s*[:：]\s*"
    r"(?:[\u3400-\u9fff·]{2,4}|[\u3400-\u9fff] [\u3400-\u9fff]|_*)?)+\s*"
)


def is_form(text: str) -> bool:
    """Whether a row is nothing but boxes with what they stand for.

    >>> is_form("□适用 √不适用"), is_form("R适用 £不适用"), is_form("✓ 提高效率，节省成本")
    (True, True, False)
    >>> is_form("√适用 □不适用(1) 资产规模"), is_form("□会计政策变更 √同一控制下企业合并")
    (False, True)
    """
    if _PURE.fullmatch(text):
        return bool(_HAS_BOX.search(text) and _HAS_WORD.search(text))
    if _LETTERED.fullmatch(text):
        return True
    # beside boxes with their words stands text of its own: √适用 □不适用(1) 资产规模
    if _CHOICES.search(text) or not _OPTIONS.fullmatch(text):
        return False
    return bool(re.search(_EMPTY, text) and re.search(_TICKED, text))


def without_forms(text: str) -> str:
    """A line without its boxes; empty where it has nothing else.

    >>> without_forms("□适用 √不适用(4). 成本分析表"), without_forms("√适用 □不适用")
    ('(4). 成本分析表', '')
    """
    return "" if is_form(text) else _CHOICES.sub("", text).strip()


def is_signed(text: str) -> bool:
    """Whether a text only tells who signs the statements around it.

    >>> is_signed("公司负责人：云岭 主管会计工作负责人：方既白 会计机构负责人：安澜")
    True
    >>> is_signed("公司负责人：云岭先生在会上表示，订单充足")
    False
    """
    return _SIGNED.fullmatch(text) is not None


def split_forms(lines: Sequence[TextLine]) -> Iterator[tuple[TextLine, bool]]:
    """Lines with their forms cut out.

    Args:
        lines: of one page.

    Returns:
        Every line, or the pieces of one that holds text and a form, each with its share of the
        box, and whether it is a form's.
    """
    whole = frozenset(_forms(lines))
    for line in lines:
        if id(line) in whole or is_form(line.text):
            yield line, True
            continue
        found = list(_CHOICES.finditer(line.text))
        if found and _is_statement(line.text[: found[0].start()], line.text[found[0].start() :]):
            yield line, True
        else:
            yield from cut_around(line, found)


def _is_statement(text: str, boxes: str) -> bool:
    """Whether boxes of yes and no decide on what stands before them.

    ``公司尚未盈利 □是 √否`` would say the opposite without its boxes; a question would not.
    """
    if "是否" in text or numbering_level(text) is not None:
        return False
    return bool(_STATEMENT.fullmatch(text) and _YES_OR_NO.fullmatch(boxes))


def _forms(lines: Sequence[TextLine]) -> Iterator[int]:
    """`id` of lines that make a form together, box and word printed apart."""
    for row in rows(lines):
        for pure, run in groupby(row, key=lambda line: bool(_PURE.fullmatch(line.text))):
            parts = list(run)
            if pure and len(parts) > 1 and is_form(" ".join(part.text for part in parts)):
                yield from map(id, parts)
