"""The writer of comparisons: a search for each side, a small table, the difference said.

Sides of which nothing is found are named.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.comparisons.cells import GROWTH, Amount, Cell, find_cells
from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side, read_comparison
from finrag_pipeline.query.answers.quotes import Quotes, quoted
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.words import is_chinese

#: Passages that are looked through for each side.
_PASSAGES = 16
#: Cells of one side where no figure is asked for.
_MOST_TOLD = 2
_WAY = "one search for each of {count} sides, held against each other"
_HEADS_ZH = {"company": "公司", "house": "机构", "period": "期间", "part": "项目"}
_HEADS_EN = {"company": "Company", "house": "House", "period": "Period", "part": "Item"}
#: What a comparison calls the greater of two, by the words of the question.
_GREATER = (
    (re.compile(r"快|慢|fast|slow", re.I), "更快", "faster"),
    (re.compile(r"大|小|large|big|small", re.I), "更大", "larger"),
    (re.compile(r"多|少|more|less|fewer", re.I), "更多", "more"),
    (re.compile(r""), "更高", "higher"),
)
_FALLS = re.compile(r"降幅|跌幅|下降|下滑|减少|declin|decreas|fall", re.IGNORECASE)


class ComparisonWriter:
    """Writes what sides have of their own.

    Args:
        search: finds evidence for each side.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where nothing is compared, or nothing is found of any side."""
        comparison = read_comparison(asked)
        if comparison is None:
            return None
        cells = {side: self._cells(asked, comparison, side) for side in comparison.sides}
        if not any(cells.values()):
            return None
        told = _Told(asked.question, comparison)
        text = told.text(cells)
        lacking = not all(cells.values())
        asks_one = wanted_kind(asked.question) == "name"
        return Draft(
            text,
            tuple(told.quotes.made),
            told.quotes.sources,
            way=_WAY.format(count=len(comparison.sides)),
            status="insufficient_evidence" if lacking else "",
            kind="name" if told.greater and asks_one else "text",
            value={"name": told.greater} if told.greater and asks_one and not lacking else None,
        )

    def _cells(self, asked: Asked, comparison: Comparison, side: Side) -> list[Cell]:
        if not side.known:
            return []
        catalogue = asked.scope.catalogue
        documents = [each for key in side.keys for each in catalogue.by_company.get(key, ())]
        if side.house:
            own = documents or [*catalogue.documents.values()]
            documents = [each for each in own if each.row.broker == side.house]
            if not documents:
                return []
            if not comparison.topic and not asked.scope.reading.periods:
                # what a house thinks is what it said last
                documents = [max(documents, key=lambda each: each.row.published_on)]
        when = [each.text for each in asked.scope.reading.periods if each.text]
        words = (
            side.name if side.kind in ("company", "part") else "",
            comparison.whom,
            *([side.name] if side.kind == "period" else when),
            comparison.topic,
        )
        ids = tuple(each.document_id for each in documents) if documents else None
        part, found = self._search(
            asked, " ".join(filter(None, words)), most=_PASSAGES, document_ids=ids
        )
        most = 1 if GROWTH.search(comparison.topic) else _MOST_TOLD
        return find_cells(part, comparison, side, found.results, most)


class _Told:
    """A comparison in words."""

    def __init__(self, question: str, comparison: Comparison) -> None:
        self._question = question
        self._comparison = comparison
        self._chinese = is_chinese(question)
        self.quotes = Quotes()
        self.greater = ""

    def text(self, cells: dict[Side, list[Cell]]) -> str:
        """What differs, the table, what is missing."""
        found = {side: own for side, own in cells.items() if own}
        missing = [side.name for side, own in cells.items() if not own]
        rows = [self._row(side, own) for side, own in found.items()]
        parts = [self._difference(found) if not missing else "", self._table(rows)]
        if missing:
            parts.append(self._missing(missing))
        return "\n\n".join(filter(None, parts))

    def _table(self, rows: list[str]) -> str:
        kind = self._comparison.sides[0].kind
        head = (_HEADS_ZH if self._chinese else _HEADS_EN)[kind]
        topic = self._comparison.topic or ("要点" if self._chinese else "What is said")
        source = "来源" if self._chinese else "Source"
        return "\n".join([f"| {head} | {topic} | {source} |", "| --- | --- | --- |", *rows])

    def _row(self, side: Side, cells: list[Cell]) -> str:
        said = "；".join if self._chinese else "; ".join
        # days stand behind the marks: they are none of the figures'
        sources = said(list(dict.fromkeys(filter(None, map(self._source, cells)))))
        return f"| {side.name} | {said([self._cell(each) for each in cells])} | {sources} |"

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

    def _difference(self, cells: dict[Side, list[Cell]]) -> str:
        """Which of two is greater, where both have one figure of one kind."""
        if len(cells) != 2:
            return ""
        (one, first), (other, second) = ((side, own[0]) for side, own in cells.items())
        left, right = first.amount, second.amount
        if left is None or right is None or not _alike(left, right):
            return ""
        fall = bool(_FALLS.search(self._question)) and max(left.value, right.value) <= 0
        values = [abs(each.value) if fall else each.value for each in (left, right)]
        if values[0] == values[1]:
            return ""
        if values[0] < values[1]:
            one, other, left, right = other, one, right, left
            first, second = second, first
        self.greater = one.name
        zh, en = next((zh, en) for words, zh, en in _GREATER if words.search(self._question))
        marks = self.quotes.mark(first.quote, second.quote)
        ones, others = (f"{each.text}{each.unit}" for each in (left, right))
        if self._chinese:
            return f"{one.name}{zh}：{one.name} {ones}，{other.name} {others}{marks}"
        return f"{one.name} is {en}: {one.name} {ones}, {other.name} {others} {marks}"

    def _missing(self, names: list[str]) -> str:
        topic = self._comparison.topic
        if self._chinese:
            of = f"“{topic}”" if topic else "可比"
            return f"资料不足，无法比较：已入库的资料中没有找到{'、'.join(names)}的{of}内容。"
        of = f" on {topic}" if topic else ""
        return f"Insufficient evidence: nothing is found of {', '.join(names)}{of}."


def _alike(one: Amount, other: Amount) -> bool:
    return (one.unit, one.of) == (other.unit, other.of)
