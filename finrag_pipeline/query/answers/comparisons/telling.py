"""A comparison in words: what differs first, then the table, then what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.answers.comparisons.cells import Amount, Cell
from finrag_pipeline.query.answers.comparisons.figures import SideFigure
from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side
from finrag_pipeline.query.answers.numbers.amounts import told
from finrag_pipeline.query.answers.quotes import Quotes, quoted
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.fact import FactItem
from finrag_pipeline.words import is_chinese

_HEADS_ZH = {"company": "公司", "house": "机构", "period": "期间", "part": "项目"}
_HEADS_EN = {"company": "Company", "house": "House", "period": "Period", "part": "Item"}
#: What a comparison calls the greater of two, by the words of the question.
_GREATER = (
    (re.compile(r"乐观|悲观|optimistic|bullish", re.I), "更乐观", "more optimistic"),
    (re.compile(r"快|慢|fast|slow", re.I), "更快", "faster"),
    (re.compile(r"大|小|large|big|small", re.I), "更大", "larger"),
    (re.compile(r"多(?!少)|(?<!多)少|more|less|fewer", re.I), "更多", "more"),
    (re.compile(r""), "更高", "higher"),
)
#: Who asks which grows faster is told no amounts.
_SPEED = re.compile(r"快|慢|\bfast|\bslow", re.IGNORECASE)
#: Who asks which time had more is told that one.
_WHICH = re.compile(r"哪|谁|最|\bwhich\b", re.IGNORECASE)
_FALLS = re.compile(r"降幅|跌幅|下降|下滑|减少|declin|decreas|fall", re.IGNORECASE)


def greater_word(question: str) -> str:
    """What a comparison calls the side that has more, by the words of a question.

    >>> greater_word("哪个增长快"), greater_word("毛利率哪个高"), greater_word("which is larger")
    ('更快', '更高', ' larger')
    """
    zh, en = next((zh, en) for cue, zh, en in _GREATER if cue.search(question))
    return zh if is_chinese(question) else f" {en}"


class Told:
    """A comparison in words.

    Attributes:
        quotes: what it cites.
        greater: the name of the side that has more; empty where that is not told.
    """

    def __init__(self, question: str, comparison: Comparison) -> None:
        self._question = question
        self._comparison = comparison
        self._chinese = is_chinese(question)
        self.quotes = Quotes()
        self.greater = ""

    def text(
        self, cells: Mapping[Side, Sequence[Cell]], figures: Mapping[Side, Sequence[SideFigure]]
    ) -> str:
        """What differs, the table, what is missing."""
        found = {side: own for side, own in cells.items() if own}
        sides = self._comparison.sides
        missing = [each.name for each in sides if each not in found and each not in figures]
        rows = [
            self._row(side, found.get(side, ()), figures.get(side, ()))
            for side in sides
            if side in figures or side in found
        ]
        differs = ""
        if len(figures) == len(sides):
            differs = self._order(figures)
        elif not figures and not missing:
            differs = self._difference(found)
        worked = "\n".join(
            f"{line}{self.quotes.mark(*each.quotes)}"
            for own in figures.values()
            for each in own
            for line in each.working
        )
        parts = [differs, worked, self._table(rows), self._missing(missing) if missing else ""]
        return "\n\n".join(filter(None, parts))

    def _order(self, figures: Mapping[Side, Sequence[SideFigure]]) -> str:
        """Sides by their first figures, the greatest first, and how far two are apart."""
        firsts = {side: own[0] for side, own in figures.items()}
        kinds = {(each.row.measure.name, each.row.unit) for each in firsts.values()}
        values = {
            side: each.row.value for side, each in firsts.items() if each.row.value is not None
        }
        if len(kinds) != 1 or len(values) < len(firsts) or len(set(values.values())) == 1:
            return ""
        order = sorted(values, key=lambda side: -values[side])
        self.greater = order[0].name
        marks = self.quotes.mark(*(quote for side in order for quote in firsts[side].quotes))
        told = [f"{side.name} {firsts[side].text}" for side in order]
        if len(order) > 2:
            cited = [
                f"{each}{self.quotes.mark(*firsts[side].quotes)}"
                for each, side in zip(told, order, strict=True)
            ]
            return (
                f"由高到低：{'、'.join(cited)}"
                if self._chinese
                else f"From the highest down: {', '.join(cited)}"
            )
        apart = self._apart(firsts[order[0]], firsts[order[1]])
        if moved := self._moved(order):
            told = [f"{moved}{'：' if self._chinese else ': '}{told[0]}", *told[1:]]
            return self._beside(told, apart, marks)
        return self._said(order[0].name, told, apart, marks)

    def _moved(self, order: Sequence[Side]) -> str:
        """Which way it went from one time to the next, where two times are held against each other
        and nobody asks which is greater."""
        times = {side: side.period.last_on for side in order if side.period}
        if len(times) < len(order) or _WHICH.search(self._question):
            return ""
        first, last = sorted(times, key=lambda side: times[side])
        high = order[0]
        if self._chinese:
            return f"{last.name}较{first.name}{'增加' if last is high else '减少'}"
        return f"{last.name} is {'up' if last is high else 'down'} on {first.name}"

    def _apart(self, one: SideFigure, other: SideFigure) -> str:
        """How far two figures are apart, worked out in the open."""
        first, second = parse_quantity(one.text), parse_quantity(other.text)
        if first is None or second is None or first.unit != second.unit or "/" in one.row.unit:
            return ""
        scale = re.sub(r"[-−\d.,\s]", "", one.text)
        shares = one.row.unit == "%"  # are so many points apart
        unit, scale = ("pp", "") if shares else (one.row.unit, scale)
        between = told(first.value - second.value, unit, self._chinese, scale, 2).text
        return f"{one.text} − {other.text} = {between}"

    def _said(
        self, greater: str, told: Sequence[str], apart: str, marks: str, *, fall: bool = False
    ) -> str:
        """Which one is greater, or fell more; how far they are apart in a line of its own."""
        zh, en = next((zh, en) for words, zh, en in _GREATER if words.search(self._question))
        zh, en = ("降幅更大", "down more") if fall else (zh, en)
        lead = f"{greater}{zh}：" if self._chinese else f"{greater} is {en}: "
        return self._beside([f"{lead}{told[0]}", *told[1:]], apart, marks)

    def _beside(self, told: Sequence[str], apart: str, marks: str) -> str:
        """Two figures in one line, how far they are apart in the next."""
        if self._chinese:
            behind = f"\n相差：{apart}{marks}" if apart else ""
            return f"{'，'.join(told)}{marks}{behind}"
        behind = f"\nDifference: {apart} {marks}" if apart else ""
        return f"{', '.join(told)} {marks}{behind}"

    def _table(self, rows: list[str]) -> str:
        kind = self._comparison.sides[0].kind
        head = (_HEADS_ZH if self._chinese else _HEADS_EN)[kind]
        topic = _heading(self._comparison.topic) or ("要点" if self._chinese else "What is said")
        source = "来源" if self._chinese else "Source"
        return "\n".join([f"| {head} | {topic} | {source} |", "| --- | --- | --- |", *rows])

    def _row(self, side: Side, cells: Sequence[Cell], figures: Sequence[SideFigure]) -> str:
        said = ("；" if self._chinese else "; ").join
        told = [*map(self._figure, figures), *map(self._cell, cells)]
        # days stand behind the marks: they are none of the figures'
        known = [*map(self._source_of, figures), *map(self._source, cells)]
        return f"| {side.name} | {said(told)} | {said(list(dict.fromkeys(filter(None, known))))} |"

    def _figure(self, figure: SideFigure) -> str:
        colon = "：" if self._chinese else ": "
        return f"{figure.name}{colon}{figure.text}{self.quotes.mark(*figure.quotes)}"

    def _source_of(self, figure: SideFigure) -> str:
        item = figure.quotes[0].item
        known = [item.broker, f"{item.published_on}"] if isinstance(item, FactItem) else []
        return " ".join(filter(None, known))

    def _cell(self, cell: Cell) -> str:
        words = " ".join(cell.text.split()).replace("|", "/").rstrip("。；;，, ")
        if isinstance(cell.quote.item, ChunkItem):
            words = quoted(words, self._chinese)
        return f"{words}{self.quotes.mark(cell.quote)}"

    def _source(self, cell: Cell) -> str:
        row = cell.document.row if cell.document else None
        if row is None:
            return ""
        known = [row.broker, f"{row.published_on}" if row.published_on_printed else None]
        return " ".join(filter(None, known))

    def _difference(self, cells: Mapping[Side, Sequence[Cell]]) -> str:
        """Which of two is greater and how far, where both have a figure of one kind."""
        if len(cells) != 2:
            return ""
        (one, ones), (other, others) = cells.items()
        pairs = (
            (first, second)
            for first in ones
            for second in others
            if first.amount and second.amount and _alike(first.amount, second.amount)
            if first.amount.value != second.amount.value
            if one.kind != "part" or _of_one_time(first, second)
            if first.amount.unit == "%" or not _SPEED.search(self._question)
        )
        first, second = next(pairs, (None, None))
        if first is None or second is None or not first.amount or not second.amount:
            return ""
        left, right = first.amount, second.amount
        fall = bool(_FALLS.search(self._question)) and max(left.value, right.value) <= 0
        values = [abs(each.value) if fall else each.value for each in (left, right)]
        if values[0] == values[1]:
            return ""
        if values[0] < values[1]:
            one, other, left, right = other, one, right, left
            first, second = second, first
        self.greater = one.name
        marks = self.quotes.mark(first.quote, second.quote)
        tellings = [f"{one.name} {left.told}", f"{other.name} {right.told}"]
        apart = self._amounts_apart(left, right, fall=fall)
        return self._said(one.name, tellings, apart, marks, fall=fall)

    def _amounts_apart(self, left: Amount, right: Amount, *, fall: bool) -> str:
        """How far two shares are apart, in points; empty for what is no share."""
        if left.unit != "%" or fall:
            return ""
        points = "个百分点" if self._chinese else " percentage points"
        return f"{left.told} − {right.told} = {left.value - right.value}{points}"

    def _missing(self, names: list[str]) -> str:
        topic = self._comparison.topic
        if self._chinese:
            of = f"“{topic}”" if topic else "可比"
            return f"资料不足，无法比较：已入库的资料中没有找到{'、'.join(names)}的{of}内容。"
        of = f" on {topic}" if topic else ""
        return f"Insufficient evidence: nothing is found of {', '.join(names)}{of}."


def _of_one_time(one: Cell, other: Cell) -> bool:
    """Whether two cells stand in documents that report on one period: parts are held against each
    other within it."""
    if one.document is None or other.document is None:
        return one.document is other.document
    return one.document.row.period_last_on == other.document.row.period_last_on


def _alike(one: Amount, other: Amount) -> bool:
    return (one.unit, one.of) == (other.unit, other.of)


def _heading(topic: str) -> str:
    """What a table compares, as a heading has it: the metrics, else a topic of one piece; empty
    for the pieces of a question that are left without its sides."""
    metrics = dict.fromkeys(topic[each.start : each.end] for each in fact_metrics_in(topic))
    if metrics:
        return "、".join(metrics) if not topic.isascii() else ", ".join(metrics)
    whole = topic.isascii() or not re.search(r"[\s（）()]", topic)
    return topic if whole else ""
