"""Reads what a report recommends: its rating and its target price."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.grammar.quantities import NUMBER
from finrag_pipeline.grammar.units import CURRENCY_BEFORE
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row

_WORD = (
    r"((?:强烈推荐|谨慎推荐|审慎推荐|审慎增持|谨慎增持|谨慎买入|强力买入|强烈买入|优于大市|优于大盘|跑赢大市|"
    r"跑赢行业|领先大市|强于大市|弱于大市|跑输大市|跑输行业|落后大市|同步大市|买入|买进|增持|推荐|强推|持有|中性|"
    r"减持|卖出|沽出|沽售|回避|区间操作|"
    r"strong buy|buy|outperform|overweight|equal[- ]?weight|market perform|in-?line|accumulate|"
    r"hold|"
    r"neutral|underperform|underweight|reduce|sell)(?:\s?[-－][ABC](?![A-Za-z]))?)"
)
_CHANGE = (
    r"(?:维持|首次|上调|下调|调高|调低|不变|重申|无变动|"
    r"maintain|reiterate|initiat|unchanged|upgrade|downgrade|new)"
)
#: An earlier opinion, or one on the industry, printed beside the report's own.
_EARLIER = r"(?:上次|前次|此前|原|上一次|历史|行业|板块|产业|previous|prior|old)"
_OPEN = r"[“\"'「【]?"
#: From the surest form to the least sure; the first that fits any row decides.
_ON_COVERS = (
    re.compile(rf"评[级等]\s*[*＊]?\s*[:：|]?\s*{_OPEN}{_WORD}", re.IGNORECASE),
    re.compile(rf"\brating\s*[:：]?\s*{_WORD}\b", re.IGNORECASE),
    re.compile(rf"{_WORD}\s*[（(/|｜丨\s]+\s*{_CHANGE}", re.IGNORECASE),
    re.compile(rf"^\W*{_CHANGE}\s*[“\"]?{_WORD}[”\"]?(?:评级)?\W*$", re.IGNORECASE),
    re.compile(rf"^\W*(?:buy\s*)?{_WORD}\W*$", re.IGNORECASE),
    re.compile(rf"[)）]\s*(?:buy\s*)?{_WORD}$", re.IGNORECASE),
)
_IN_TEXT = (
    re.compile(
        rf"(?:维持|给予|重申|上调至|上调|下调至|首次覆盖|调高至)[^。；]{{0,16}}?[“\"「]{_WORD}[”\"」]",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:维持|给予|重申|上调至|下调至)[^。；，]{{0,8}}?{_WORD}[^。；，]{{0,3}}评级", re.I
    ),
    re.compile(
        r"\b(?:maintain|reiterate|keep|remain|stay|initiate (?:at|with)|(?:up|down)grade to)"
        rf"(?: (?:our|an?|the))?\s+[“\"]?{_WORD}\b",
        re.IGNORECASE,
    ),
)
_TARGET_LABEL = (
    r"(?:(?:6|12|六|十二)\s?个月)?(?:目标(?:价(?:格|位)?|估值)|合理(?:价值|价格)|"
    r"(?:12-month )?(?:price target|target price)|\bTP\b|\bPT\b)"
)
_TARGET = re.compile(
    rf"(?P<label>{_TARGET_LABEL})(?:\s?(?:6|12)\s?个月)?(?!\d)"
    r"\s*[*＊]?\s*(?:[（(](?P<note>[^（()）]{1,14})[)）])?"
    rf"(?P<verb>(?:由|从)[^\s。；，]{{1,12}}?[为至到]|[^\s\d。；，]{{0,6}}?[为至到])?\s*(?:of|at|to)?\s*[:：|｜]?\s*"
    rf"(?P<values>(?:(?:{CURRENCY_BEFORE})?\s*[:：]?\s*{NUMBER}"
    r"(?! ?(?:[%％年月个倍xX~～]|[-–—至]\s?\d)|[\d.])"
    r"\s*(?:(?:美元|港[元币]|元人民币|元|人民币)(?!\s*[:：]))?\s*[,，/]?\s*){1,2})",
    re.IGNORECASE,
)
_VALUE = re.compile(
    rf"(?P<before>{CURRENCY_BEFORE})?\s*[:：]?\s*(?P<number>{NUMBER})"
    r"\s*(?P<after>(?:美元|港[元币]|元人民币|元|人民币)(?!\s*[:：]))?",
    re.IGNORECASE,
)
_IN_SENTENCE = re.compile(
    rf"(?:给予|对应|上调|下调|维持|至)[^。；]{{0,12}}?(?P<number>{NUMBER})"
    r"\s*(?P<unit>港元|元人民币|元|人民币)?"
    r"(?:的)?目标价"
)
#: Two labels over two values: ``目标价/现价：45.6/38.2``.
_PAIR = re.compile(
    rf"(?:(?P<first>{_TARGET_LABEL})|[^\s/／\d]{{2,12}})(?:[（(][^（()）]{{1,8}}[)）])?\s*[/／]\s*"
    rf"(?:(?P<second>{_TARGET_LABEL})|[^\s/／\d]{{2,12}}?)(?:[（(][^（()）]{{1,8}}[)）])?\s*[:：]?\s*"
    rf"(?P<one>{NUMBER})\s*元?\s*[/／]\s*(?P<two>{NUMBER})",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(rf"^\W*{_TARGET_LABEL}\s*(?:[（(][^)）]*[)）])?\s*[:：]?$", re.IGNORECASE)
_LEADING_NUMBER = re.compile(rf"^(?:{CURRENCY_BEFORE})?\s*{NUMBER}\s*(?:元|港元)?$")
#: A box prints its value within so many heights of its label's row.
_UNDER_HEIGHTS = 3
_FOREIGN = re.compile(r"港|HK|US|美|NT", re.IGNORECASE)


def read_rating(front: Sequence[Block]) -> Found[str] | None:
    """The rating as printed, without what says that it is kept or new."""
    rows = [
        (row, block)
        for row, block in every_row(front)
        if not block.prose and not block.listed and block.kind not in ("picture", "footer")
    ]
    side = [pair for pair in rows if pair[1].cover or pair[1].kind == "table"]
    for chosen in (side, rows):
        for pattern in _ON_COVERS:
            for row in _joined(chosen):
                for match in pattern.finditer(row.text):
                    if not re.search(rf"{_EARLIER}\S{{0,4}}$", row.text[: match.start()], re.I):
                        return Found(match[1], (row.place,))
    for pattern in _IN_TEXT:
        for block in front:
            match = pattern.search(block.passage) if block.prose else None
            if match:
                return Found(match[1], (block.place,))
    return None


def read_target_price(front: Sequence[Block], code: str | None) -> Found[float] | None:
    """The target price in the currency of the company's own listing, else the first printed.

    A range, and the price before a change, are none.
    """
    hong_kong = bool(code and code.endswith(".HK"))
    found: list[tuple[bool, Found[float]]] = []
    for row in _candidates(front):
        pair = _PAIR.search(row.text)
        if pair and (pair["first"] or pair["second"]):
            number = float(pair["one" if pair["first"] else "two"].replace(",", ""))
            found.append((True, Found(number, (row.place,))))
            continue
        for match in _TARGET.finditer(row.text):
            if re.search(rf"{_EARLIER}\S{{0,3}}$", row.text[: match.start()], re.IGNORECASE):
                continue
            values = list(_VALUE.finditer(match["values"]))
            for value in values:
                unit = f"{match['note'] or ''} {value['before'] or ''} {value['after'] or ''}"
                number = float(value["number"].replace(",", ""))
                # two prices without a currency stand under two listings that only columns tell
                told = len(values) == 1 or bool(unit.strip())
                own = told and bool(_FOREIGN.search(unit)) == hong_kong
                found.append((own, Found(number, (row.place,))))
    for block in front if not found else ():
        match = _IN_SENTENCE.search(block.passage) if block.prose else None
        if match:
            own = bool(_FOREIGN.search(match["unit"] or "")) == hong_kong
            found.append((own, Found(float(match["number"]), (block.place,))))
    return next((value for own, value in found if own), found[0][1] if found else None)


def _candidates(front: Sequence[Block]) -> Iterator[Row]:
    """Rows of labels, then whole paragraphs: a sentence breaks across rows."""
    blocks = [block for block in front if not block.listed]
    labels = [(row, block) for row, block in every_row(blocks) if not block.prose]
    before: Row | None = None
    for row, _ in labels:
        if before and _LABEL_ALONE.match(before.text) and _LEADING_NUMBER.match(row.text):
            yield Row(f"{before.text} {row.text}", row.place)
        elif before and (below := _below(before.text, row.text)):
            yield Row(below, row.place)
        yield row
        before = row
    rows = [row for row, _ in labels]
    for row in rows:
        value = _nearest(row, rows) if _LABEL_ALONE.match(row.text) else None
        if value:
            yield Row(f"{row.text} {value.text}", value.place)
    for block in blocks:
        if block.prose:
            yield Row(block.passage, block.place)


def _nearest(label: Row, rows: Sequence[Row]) -> Row | None:
    """The number printed beside a label, else under it, in whatever box."""
    x0, y0, x1, y1 = label.place.bbox
    height = y1 - y0
    beside: list[tuple[float, Row]] = []
    under: list[tuple[float, Row]] = []
    for row in rows:
        left, top, right, bottom = row.place.bbox
        if row.place == label.place or not _LEADING_NUMBER.match(row.text):
            continue
        if abs(top + bottom - y0 - y1) < height and left >= x1 - 1:
            beside.append((left - x1, row))
        elif left < x1 and right > x0 and -1 <= top - y1 < _UNDER_HEIGHTS * height:
            under.append((top - y1, row))
    near = min(beside or under, key=lambda found: found[0], default=None)
    return near[1] if near else None


def _below(labels: str, values: str) -> str | None:
    """Label and value of a target price in a row of labels over a row of values."""
    heads, cells = labels.split(), [cell for cell in values.split() if re.search(r"\d", cell)]
    at = next((n for n, head in enumerate(heads) if _LABEL_ALONE.match(head)), None)
    if at is None or re.search(r"\d", labels) or len(heads) < 2 or len(heads) - at > len(cells):
        return None
    return f"{heads[at]} {cells[at - len(heads)]}"


def _joined(pairs: Sequence[tuple[Row, Block]]) -> Iterator[Row]:
    """Rows, and a label alone joined to the row below it."""
    before: Row | None = None
    for row, _ in pairs:
        if before and re.search(r"评[级等]\s*[:：*]?$|^rating\s*[:：]?$", before.text, re.I):
            yield Row(f"{before.text} {row.text}", row.place)
        yield row
        before = row
