"""What a clause lists as made: 主要产品包括甲、乙; 从事甲、乙的研发和生产; 国内领先的甲制造商.

Goods of any words may stand there, since the words around them say what they are. What else is
made has to look like a product, see `products` and the rows of `patterns.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.stages.extraction.triggers import Name
from finrag_pipeline.words import is_chinese

_WORDS = {
    row["name"]: row["text"]
    for row in data_rows(Path(__file__).with_name("goods_words.csv"), ("name", "text", "note"))
}
_LIST = r"(?P<list>[^，。；：！？\n]{2,80}?)"
#: Each finds a list of goods and where what is said of it begins and ends.
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_WORDS['products']}{_LIST}(?=[，。；：！？\n（(]|{_WORDS['closing']}|$)",
        rf"{_WORDS['does']}{_LIST}(?:{_WORDS['closing']})?的?(?:{_WORDS['making']})",
        rf"{_WORDS['offers']}{_LIST}{_WORDS['sort']}",
        rf"以{_LIST}(?:{_WORDS['closing']})?{_WORDS['leading']}",
        rf"(?:{_WORDS['renowned']})(?:的)?(?P<list>[^，。；：、的\n]{{2,16}}?)(?:{_WORDS['maker']})",
    )
)
_PARTED = re.compile(r"、|以及|和|与|及(?!其(?![他它余]))|/")
_ITEM = re.compile(r"[\u3400-\u9fffA-Za-z0-9\-+·™®“”\"]{2,18}")
_LED = re.compile(f"(?:{_WORDS['led']})+")
_TRAILED = re.compile(f"(?:{_WORDS['trailed']})+$")
_NO_GOODS = re.compile(f"(?:{_WORDS['generic']})+")
_SAYS = re.compile(_WORDS["says"])
#: Whose goods they are if not a company's: 上游主要产品包括硅料.
_OF_MANY = re.compile(f"(?:{_WORDS['many']})[^，。；]{{0,8}}$")
_FIELDS = re.compile(_WORDS["fields"])
#: Before a company that is dealt with, and makes nothing here.
_DEALT_WITH = re.compile(r"[与和同向对为由从给及、]$")
_REACH = 80
_KNOWN = ("commodity", "product")


class Goods(NamedTuple):
    """Where a clause says what is made, and the goods that it lists."""

    start: int
    end: int
    items: tuple[tuple[int, int], ...]


def listed_goods(text: str) -> Iterator[Goods]:
    """The lists of goods of a text, in order of their forms.

    >>> text = "公司主要产品包括隔膜、各类电解液等。"
    >>> [[text[a:b] for a, b in goods.items] for goods in listed_goods(text)]
    [['隔膜', '电解液']]
    """
    if not is_chinese(text):
        return
    for form in _FORMS:
        for match in form.finditer(text):
            if _OF_MANY.search(text[: match.start()]) or _FIELDS.match(text, match.end("list")):
                continue
            items = tuple(_items(text, *match.span("list")))
            if items:
                yield Goods(match.start(), items[-1][1], items)


def goods_made(text: str, names: Sequence[Name]) -> Iterator[tuple[int | None, int, int, int]]:
    """Places of makers and goods among the names, and where it is said.

    None stands for the company that the document is about: where the sentence names none before.

    Args:
        text: one sentence.
        names: in order of print; goods are among them where nothing else was found in their place.
    """
    places = {(name.start, name.end): at for at, name in enumerate(names)}
    for goods in listed_goods(text):
        maker = _maker(text, names, goods.start)
        for item in goods.items:
            made = places.get(item, _known(names, item))
            if made is not None and made != maker:
                yield maker, made, goods.start, goods.end


def _known(names: Sequence[Name], item: tuple[int, int]) -> int | None:
    """What is known and makes up most of an item's words: 磷酸铁锂|正极材料."""
    start, end = item
    for at, name in enumerate(names):
        most = 2 * (name.end - name.start) >= end - start
        if name.type in _KNOWN and name.start == start and name.end <= end and most:
            return at
    return None


def _maker(text: str, names: Sequence[Name], cue: int) -> int | None:
    for at in range(len(names) - 1, -1, -1):
        name = names[at]
        if name.type != "company" or name.end > cue or cue - name.end > _REACH:
            continue
        if not _DEALT_WITH.search(text[: name.start]):
            return at
    return None


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    marks = [start, *(m.end() for m in _PARTED.finditer(text, start, end))]
    stops = [*(m.start() for m in _PARTED.finditer(text, start, end)), end]
    for first, last in zip(marks, stops, strict=True):
        item = text[first:last]
        if item.count("“") != item.count("”"):
            continue
        cut = item.rfind("的") + 1
        led = _LED.match(item, cut)
        first += led.end() if led else cut
        if trailed := _TRAILED.search(text[first:last]):
            last = first + trailed.start()
        shown = text[first:last]
        if _ITEM.fullmatch(shown) and not _NO_GOODS.fullmatch(shown) and not _SAYS.search(shown):
            yield first, last
