"""Sentences and clauses of a text, exactly as they stand in it: what a quote may be cut to.

The splitter of the stages takes two seconds to import; which piece answers is the writers'.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_MIN_CHARACTERS = 8
#: From here on a sentence is cut at its commas: a quote is read at a glance.
_LONG_HAN, _LONG_LATIN = 170, 420
#: Share of digits from which a run of text is a table or a cover that was read as a sentence.
_TABULAR = 0.25
#: Abbreviations whose dot ends no sentence.
_ABBREVIATED = "".join(rf"(?<!\b{each}\.)" for each in ("vs", "No", "Mr", "Ms", "Dr", "St", "Jr"))
#: What stands before a point of a list, and ends the one before; glyphs of fonts among them.
LIST_MARKS = "\ue000-\uf8ff•●■◆▪◼➢➤►▶"
#: Where a clause ends, told apart from the next by who or when it speaks of.
CLAUSE_END = re.compile(r"[，。；;！？\n]|, |\. ")
_LEAD = re.compile(rf"[{LIST_MARKS}\s]*")
_SENTENCE = re.compile(
    rf".+?(?:[。！？；!?;…]+[”’」』）)\"']*|(?<=[a-z0-9)%”\"]\.){_ABBREVIATED}(?=\s+[A-Z“(])"
    rf"|(?=[{LIST_MARKS}])|\n|$)",
    re.DOTALL,
)
_COMMA = re.compile(
    r"，|,\s+(?=(?:which|while|whereas|and|but|with|as|partially|compared|reflecting|driven)\b)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_DIGIT = re.compile(r"\d")
#: Several clauses and a full stop, however many figures they tell.
_IN_CLAUSES = re.compile(r"，[^，]{4,}，.*。\s*$", re.DOTALL)
#: What ends as a sentence, prints a figure, or is long and has clauses; headings do none of it.
_SAYS_SOMETHING = re.compile(
    r"[。！？；!?;.…”）)]\s*$|\d|^(?=.{24,}$).*[，,：:]|(?:以下|如下|下列).*[：:]\s*$", re.DOTALL
)


def split(text: str) -> list[str]:
    """Sentences of a text, exact; what semicolons part stands alone.

    >>> split("营收增长5%；净利润下降。Sales rose vs. Q1. Costs fell.")
    ['营收增长5%；', '净利润下降。', 'Sales rose vs. Q1.', 'Costs fell.']
    >>> split("➢ 产能释放，订单充足 ➢ 风险可控")
    ['产能释放，订单充足', '风险可控']
    """
    return [piece for _, piece in placed(text)]


def placed(text: str) -> Iterator[tuple[int, str]]:
    """The same, each with where it begins."""
    for match in _SENTENCE.finditer(text):
        lead = _LEAD.match(match.group())
        start = lead.end() if lead else 0
        if piece := match.group()[start:].rstrip():
            yield match.start() + start, piece


def cut(sentence: str) -> Iterator[tuple[int, str]]:
    """A sentence as it is, or runs of the clauses of a long one, each with where it begins.

    >>> [(start, len(piece)) for start, piece in cut("收入增长，" * 40)]
    [(0, 170), (5, 170), (10, 170), (15, 170), (20, 170), (25, 170), (30, 170)]
    """
    long = _LONG_HAN if len(_HAN.findall(sentence)) * 3 > len(sentence) else _LONG_LATIN
    if len(sentence) <= long:
        yield 0, sentence
        return
    inner = [match.end() for match in _COMMA.finditer(sentence) if match.end() < len(sentence)]
    ends = [*inner, len(sentence)]
    reached = 0
    for start in (0, *inner):
        fitting = [end for end in ends if start < end <= start + long]
        end = max(fitting, default=min(each for each in ends if each > start))
        if end > reached and end - start <= 2 * long:
            yield start, sentence[start:end].strip()
            reached = end


def is_sentence(text: str) -> bool:
    """Whether a piece says something: a heading, a caption, a line of contents says nothing.

    >>> is_sentence("公司产能利用率保持高位。"), is_sentence("投资要点与展望综述")
    (True, False)
    >>> is_sentence("3.2 主要产品布局 ............ 12"), is_sentence("本报告仅供本公司客户使用。")
    (False, False)
    """
    if len(text) < _MIN_CHARACTERS or not _SAYS_SOMETHING.search(text):
        return False
    tabular = len(text) > _LONG_HAN and len(_DIGIT.findall(text)) > _TABULAR * len(text)
    if tabular and not _IN_CLAUSES.search(text):
        return False
    return not _nothing_said().search(text)


def is_question(text: str) -> bool:
    """Whether a piece asks, as in the minutes of a meeting: what follows answers it.

    >>> is_question("问题3：研发开支为何下滑？"), is_question("研发开支下滑。")
    (True, False)
    """
    return text.rstrip().endswith(("？", "?"))


@cache
def _nothing_said() -> re.Pattern[str]:
    path = Path(__file__).with_name("unquotable.csv")
    with path.open(encoding="utf-8", newline="") as rows:
        return re.compile("|".join(row["pattern"] for row in csv.DictReader(rows)), re.IGNORECASE)
