"""Reads what else a filer is called: names, short and foreign ones and the symbol of its shares, as
its cover and profile print them.

The name that a document goes by is `company`'s and `filers`'; which labels stand before names is
`own_names.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.records import PageReading, Place, TextLine
from finrag_pipeline.stages.cleaning.geometry import centre
from finrag_pipeline.stages.metadata.front import Found

#: Filings print their profile behind glossary and contents.
_PROFILE_PAGES = 20
#: Lines of more characters are sentences; the longest names of companies have some hundred.
_LONGEST_NAME = 120
#: How far a name's second line may begin from its first, in points.
_INDENT_PT = 3.0
#: Lines of print between the head of a column and its first cell, at most.
_LINES_APART = 4
_HAN = re.compile(r"[\u3400-\u9fff]")
_REMARK = re.compile(r"^[\s:：]*(?:[（(]如有[)）])?[\s:：]*")
_SEVERAL = re.compile(r"[、；;]")
#: A name of letters, with what stands in names beside them; a number, a dash or an address is none.
_NAME = re.compile(r"(?=.*[^\W\d_]{2})[\w\s（）()&.,'’\-*·]+")
_SYMBOL = re.compile(r"[A-Z]{2,6}")
#: An issuer's symbol as its press release names it: (NYSE: MGM).
_LISTED = re.compile(r"\((?:NYSE|NASDAQ|AMEX|LSE|TSX)\w*\s*[:：]\s*([A-Z]{2,6})\)", re.IGNORECASE)
_NONE = frozenset(["无", "不适用", "没有", "none", "n/a"])


@dataclass(frozen=True, slots=True)
class _Label:
    """What stands before, over or under a name, folded; and whether that is a symbol."""

    text: str
    side: str
    symbol: bool


def read_own_names(pages: Sequence[PageReading]) -> Found[tuple[str, ...]] | None:
    """The names that the first page with any prints beside, below or above their labels.

    Args:
        pages: of a whole filing.

    Returns:
        Each once, in order, with where they stand; None where no page prints one.
    """
    for page in pages[:_PROFILE_PAGES]:
        lines = [line for line in page.lines if line.visible and line.text.strip()]
        found: dict[str, Place] = {}
        for line, name in (*_labelled(lines), *(_listed(lines) if page.page == 1 else ())):
            found.setdefault(name, Place(page.page, line.bbox))
        if found:
            return Found(tuple(found), tuple(dict.fromkeys(found.values())))
    return None


def _labelled(lines: Sequence[TextLine]) -> Iterator[tuple[TextLine, str]]:
    """Names that stand where a label puts them, each with its line."""
    for line in lines:
        text = _plain(line.text)
        label = next((each for each in _labels() if text.startswith(each.text)), None)
        if label is None:
            continue
        rest = _REMARK.sub("", line.text.strip()[len(label.text) :])
        if label.side == "beside" and rest and not _is_label(rest):
            yield from ((line, name) for name in _names(rest))
        elif label.side == "beside":
            first = _beside(line, lines)
            more = _goes_on(first, line, lines) if first else ""
            if first:
                yield from ((first, name) for name in _names(f"{first.text} {more}"))
        elif not rest:
            yield from _column(label, line, lines)


def _listed(lines: Sequence[TextLine]) -> Iterator[tuple[TextLine, str]]:
    """The symbol of the issuer that a release is about: the first."""
    for line in lines:
        if match := _LISTED.search(line.text):
            yield line, match[1]
            return


def _beside(label: TextLine, lines: Sequence[TextLine]) -> TextLine | None:
    """The nearest line to the right at the height of a label."""
    height = centre(label.bbox)[1]
    right = [
        line
        for line in lines
        if line.bbox[0] >= label.bbox[2] and line.bbox[1] <= height <= line.bbox[3]
    ]
    return min(right, key=lambda line: line.bbox[0], default=None)


def _column(
    label: _Label, head: TextLine, lines: Sequence[TextLine]
) -> Iterator[tuple[TextLine, str]]:
    """The nearest name under or over the head of a column; of symbols that of the shares, which
    stands first."""
    x0, y0, x1, y1 = head.bbox
    reach = _LINES_APART * head.size
    low, high = (y1 - 1, y1 + reach) if label.side == "below" else (y0 - reach, y0 + 1)
    near = [
        line
        for line in lines
        if x0 - _INDENT_PT <= centre(line.bbox)[0] <= x1 + _INDENT_PT
        and low <= centre(line.bbox)[1] <= high
        and (not label.symbol or _SYMBOL.fullmatch(line.text.strip()))
    ]
    first = min(
        near, key=lambda line: abs(centre(line.bbox)[1] - centre(head.bbox)[1]), default=None
    )
    if first is not None:
        yield from ((first, name) for name in _names(first.text))


def _goes_on(first: TextLine, label: TextLine, lines: Sequence[TextLine]) -> str:
    """The second line of a name, where no other label stands before it."""
    x0, _, _, y1 = first.bbox
    for line in lines:
        height = centre(line.bbox)[1]
        if abs(line.bbox[0] - x0) <= _INDENT_PT and y1 <= height <= y1 + 1.5 * first.size:
            before = [
                other
                for other in lines
                if other.bbox[2] <= x0
                and other.bbox[1] <= height <= other.bbox[3]
                and other.bbox[1] > centre(label.bbox)[1]
            ]
            return "" if before else line.text
    return ""


def _names(value: str) -> Iterator[str]:
    """The names of a cell: several are parted by marks, Chinese ones by spaces too."""
    for part in _SEVERAL.split(value):
        for name in part.split() if _HAN.search(part) else [" ".join(part.split())]:
            if (
                len(name) <= _LONGEST_NAME
                and name.casefold() not in _NONE
                and _NAME.fullmatch(name)
                and not _is_label(name)
            ):
                yield name


def _is_label(text: str) -> bool:
    """Whether a text begins as a label, or as a remark behind one that goes over two lines."""
    return text.startswith("（如") or _plain(text).startswith(
        tuple(each.text for each in _labels())
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@cache
def _labels() -> tuple[_Label, ...]:
    """The labels, the longest first."""
    path = Path(__file__).with_name("own_names.csv")
    found = [
        _Label(
            _plain(row["label"]),
            row.choice("value", ("beside", "below", "above")),
            row.choice("what", ("name", "symbol")) == "symbol",
        )
        for row in data_rows(path, ("label", "value", "what"))
    ]
    return tuple(sorted(found, key=lambda each: -len(each.text)))
