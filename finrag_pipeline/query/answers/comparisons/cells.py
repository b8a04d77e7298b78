"""What is said of one side of a comparison: its best sentences, or its rows of tables.

What the sides are is `sides`', how they are told side by side `writer`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.predicates import Predicate, clauses
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.answers.times import exactly, of_time
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import is_sentence, split
from finrag_pipeline.query.evidence.places import locate, squeeze
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.figures import stated_in
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.row_quotes import TableRow, table_rows

#: Share of the topic that a cell, with what stands over it, has to say; of a part's name.
_MIN_SHARE, _MIN_PART = 0.5, 0.6
_LONGEST = 400
#: What a clause gains that gives the figure asked for, and how far behind its name that stands.
_COUNTED, _BEHIND = 0.2, 8
#: How far behind the name of a part its figure stands, and a sign beside that.
_BESIDE, _SIGNED = 40, 2
#: Up to here a sentence is told whole.
_SHORT = 100
#: Characters of a sentence that is told where nothing in particular is asked.
_LEAST_UNASKED = 15
#: A second cell says something of its own and fits nearly as well.
_MIN_OF_BEST = 0.85
#: Columns that a row is told with at most.
_MOST_COLUMNS = 8
#: What is a sentence and no heading.
_ENDED = re.compile(r"[。；！？!?;.][”’」』）)\"']*\s*$")
GROWTH = re.compile(
    r"增长|增速|增幅|增减|增加|同比|变动|降幅|下降|下滑|减少|跌|growth|grew|increase|decrease|change|decline",
    re.IGNORECASE,
)
#: How tables print what is below nothing.
_MINUS = re.compile(r"(?<![\w一-鿿])[(（](\d[\d,.]*%?)[)）]")
_REVENUE = re.compile(r"收入|营收|销售额?|revenue|sales", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """The figure of a cell by which sides are compared."""

    value: Decimal
    unit: str
    text: str
    of: str

    @property
    def told(self) -> str:
        """The figure with its sign and what it is counted in: 减少1.78% is told as -1.78%."""
        counted = not self.text.rstrip(" )）")[-1:].isdigit()
        sign = "-" if self.value < 0 and self.text[:1].isdigit() else ""
        return f"{sign}{self.text}{'' if counted else self.unit}"


@dataclass(frozen=True, slots=True)
class Cell:
    """What is said of a side, and where."""

    text: str
    quote: Quote
    score: float
    document: DocumentFacts | None
    amount: Amount | None = None


class Part:
    """The part of a company that a side is, where texts name it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._squeezed = squeeze(name).casefold()
        # 8英寸 and 12英寸 differ by their digits alone, which words leave out
        literal = any(map(str.isdigit, name)) or not name
        self._predicate = None if literal else Predicate(name)

    def clause(self, text: str) -> str | None:
        """The clauses of a text that name it; None where none does."""
        if self._squeezed in squeeze(text).casefold():
            return text.strip() if len(text) <= _SHORT else self._from(text)
        said = self._predicate.said(text) if self._predicate else None
        return said.text if said and said.share >= _MIN_PART else None

    def _from(self, text: str) -> str:
        """The clauses of a text from the first that names it."""
        runs = [each for each in clauses(text) if self._squeezed in squeeze(each).casefold()]
        first = runs[0] if runs else text.strip()
        # what is said of it follows it
        return max((each for each in runs if each.startswith(first)), key=len, default=first)


def find_cells(
    asked: Asked, comparison: Comparison, side: Side, results: Sequence[Result], most: int
) -> list[Cell]:
    """The best of what is said of a side on the topic, the best first; empty where nothing is."""
    found = sorted(_cells(asked, comparison, side, results), key=lambda each: -each.score)
    kept: list[Cell] = []
    for cell in found:
        if len(kept) == most or cell.score < _MIN_OF_BEST * found[0].score:
            break
        said = squeeze(cell.quote.text)
        others = [squeeze(each.quote.text) for each in kept]
        if all(said not in other and other not in said for other in others):
            kept.append(cell)
    return kept


def _cells(
    asked: Asked, comparison: Comparison, side: Side, results: Sequence[Result]
) -> Iterator[Cell]:
    topic, part = Predicate(_of_what(comparison.topic)), Part(side.part)
    # the margin of one business is none of the whole company
    states = None if part.name else Stated(asked)
    periods = [side.period] if side.period else asked.scope.reading.periods
    for result in results:
        document = asked.scope.catalogue.documents.get(str(result.item.key.id[0]))
        if document and side.keys and document.company not in side.keys:
            continue
        if side.house and (document is None or document.row.broker != side.house):
            continue
        near = 0.3 / result.rank**0.5 + 0.3 * asked.scope.agreement(str(result.item.key.id[0]))
        if isinstance(result.item, ChunkItem):
            for sentence in split(result.item.text):
                if len(sentence) <= _LONGEST and of_time(periods, sentence, document):
                    timely = 0.2 if periods and exactly(periods, sentence, "text") else 0.0
                    cell = _of_sentence(
                        result.item,
                        sentence,
                        topic,
                        part,
                        comparison.topic,
                        near + timely,
                        document,
                    )
                    if cell and (states is None or _states(states, result.item, cell)):
                        yield cell
        elif isinstance(result.item, TableItem) and (topic.wanted or part.name):
            yield from _of_table(
                result.item, topic, part, comparison.topic, near, document, periods
            )


def _states(states: Stated, item: ChunkItem, cell: Cell) -> bool:
    """Whether a cell states the figure that a side is asked for, where it is asked for one."""
    if not states.exact:
        return True
    said = item.quoted(cell.text, max(item.text.find(cell.text), 0))
    return said is not None and states.by(item, said)


def _of_what(topic: str) -> str:
    """A topic without the words for growth, which are said in many ways: 降幅 is 同比减少."""
    left = " ".join(GROWTH.sub(" ", topic).split())
    return left if left.strip("的 ") else topic


def _of_sentence(
    item: ChunkItem,
    sentence: str,
    topic: Predicate,
    part: Part,
    words: str,
    near: float,
    document: DocumentFacts | None,
) -> Cell | None:
    around = "\n".join([*item.section[-2:], item.title or ""])
    text, share = sentence.strip(), 1.0
    if part.name:
        clause = part.clause(sentence)
        if clause is None:
            return None
        text = clause
    if topic.wanted:
        said = topic.said(text, f"{sentence}\n{around}") or topic.said(sentence, around)
        if said is None or said.share < _MIN_SHARE:
            return None
        share = said.share
        text = text if part.name and len(text) >= len(said.text) else said.text
    elif not is_sentence(sentence) or len(sentence) < _LEAST_UNASKED or not _ENDED.search(sentence):
        return None
    places = locate(text, item.regions_text)
    if not places:
        return None
    value = 0.1 if item.value == "argument" else 0.0
    amount = _amount_in(text, part.name, words)
    value += _COUNTED if amount and fact_metrics_in(words) else 0.0
    return Cell(text, Quote(item, text, places), share + near + value, document, amount)


def _share_in(text: str) -> Amount | None:
    """The growth that a clause tells, where it tells one alone."""
    found = [each for each in stated_in(text, ()) if each.unit == "%"]
    if len(found) != 1 or not GROWTH.search(text[: found[0].end]):
        return None
    (one,) = found
    # what is of different times is not compared
    when = " ".join(sorted(str(each) for each in periods_in(text)))
    return Amount(one.value, "%", text[one.start : one.end].rstrip("%％"), when)


def _amount_in(text: str, name: str, words: str) -> Amount | None:
    """The figure that a clause gives a side: its growth, or the level of the metric asked for."""
    growth = bool(GROWTH.search(words))
    if growth or not words:
        return (_beside(text, name, words, growth=True) if name else None) or _share_in(text)
    return _beside(text, name, words, growth=False) if name else _level_in(text, words)


def _beside(text: str, name: str, words: str, *, growth: bool) -> Amount | None:
    """The first figure behind the name of a part: a share where a growth is asked for.

    Where the topic names a metric, it is the one that stands last before the figure.
    """
    at = text.rfind(name)
    if at < 0:
        return None
    wanted = {each.metric.name for each in fact_metrics_in(words)}
    for each in stated_in(text, ()):
        between = text[at + len(name) : each.start]
        if each.start < at or len(between) > _BESIDE:
            continue
        named = [found.metric.name for found in fact_metrics_in(text[: each.start])]
        if wanted and (not named or named[-1] not in wanted):
            continue
        if growth and (each.unit != "%" or not GROWTH.search(text[at : each.end + _SIGNED])):
            continue
        return Amount(each.value, each.unit, text[each.start : each.end], "growth" * growth)
    return None


def _level_in(text: str, words: str) -> Amount | None:
    """The figure that a clause gives a metric of the topic, right behind its name."""
    wanted = {each.metric.name for each in fact_metrics_in(words)}
    named = [each for each in fact_metrics_in(text) if each.metric.name in wanted]
    if len({each.metric.name for each in named}) != 1:
        return None
    end = named[0].end
    for each in stated_in(text, ()):
        if end <= each.start <= end + _BEHIND:
            when = " ".join(sorted(str(period) for period in periods_in(text[: each.start])))
            written = text[each.start : each.end]
            return Amount(each.value, each.unit, written, f"{named[0].metric.name} {when}".strip())
    return None


def _of_table(
    item: TableItem,
    topic: Predicate,
    part: Part,
    words: str,
    near: float,
    document: DocumentFacts | None,
    periods: Sequence[ReportingPeriod],
) -> Iterator[Cell]:
    figures = item.figures()
    for row in table_rows(item.read_cells(), figures):
        if row.row == 0 or not any(map(str.isdigit, row.line)):
            continue
        over = f"{item.caption or ''} {row.over} {' '.join(row.header.values())}"
        if part.name and part.clause(row.label) is None:
            continue
        share = _row_share(topic, words, row.label, over)
        if share < _MIN_SHARE:
            continue
        own = [each for each in figures if each.row == row.row]
        shown = _shown(words, row, own)
        quote = Quote(item, row.quote, (row.place,) if row.place else item.places)
        # a row says a figure of a part better than a sentence that names it
        score = share + near + (0.3 if part.name else 0.0) - 0.02 * len(row.label)
        if periods and not exactly(periods, over):
            continue
        when = " ".join(each.text for each in periods)
        told = _MINUS.sub(r"-\1", shown.sentence(None, when))
        yield Cell(told, quote, score, document, _amount(words, row, own, periods))


def _row_share(topic: Predicate, words: str, label: str, over: str) -> float:
    if not topic.wanted:
        return 1.0
    text = f"{label} {over}"
    if GROWTH.search(words) and GROWTH.search(over):
        return 1.0
    wanted = {each.metric.name for each in fact_metrics_in(words)}
    if wanted and wanted <= {each.metric.name for each in fact_metrics_in(text)}:
        return 1.0
    said = topic.said(text.replace("，", " "))
    return said.share if said else 0.0


def _shown(words: str, row: TableRow, figures: Sequence[Figure]) -> TableRow:
    """A row with no more columns than are told."""
    if len(row.cells) <= _MOST_COLUMNS:
        return row
    keep = {0, *(each.column for each in _columns(words, figures)[: _MOST_COLUMNS - 1])}
    cells = {n: text for n, text in row.cells.items() if n in keep}
    return TableRow(
        row.label,
        cells,
        row.header,
        row.line,
        row.header_line,
        row.place,
        row.over,
        row.row,
        row.units,
    )


def _columns(words: str, figures: Sequence[Figure]) -> list[Figure]:
    """Figures of a row, those of the topic first."""
    growth = bool(GROWTH.search(words))
    metrics = {each.metric.name for each in fact_metrics_in(words)}

    def order(each: Figure) -> tuple[bool, bool, bool, int]:
        over = " ".join(each.columns)
        named = {found.metric.name for found in fact_metrics_in(over)}
        return (
            growth != bool(GROWTH.search(over)),
            bool(metrics) and not metrics & named,
            not _REVENUE.search(over),
            each.column,
        )

    return sorted(figures, key=order)


def _amount(
    words: str, row: TableRow, figures: Sequence[Figure], periods: Sequence[ReportingPeriod]
) -> Amount | None:
    """The figure of a row that the topic is about: of its metric, and of the time asked for."""
    wanted = {each.metric.name for each in fact_metrics_in(words)}
    if not words:
        return None
    for each in _columns(words, figures):
        over = " ".join(each.columns)
        named = {found.metric.name for found in fact_metrics_in(f"{row.label} {over}")}
        if wanted and not wanted & named:
            continue
        if periods and any(periods_in(over, "heading")) and not exactly(periods, over):
            continue
        quantity = parse_quantity(each.text)
        if quantity is None or quantity.upper is not None:
            return None
        if bool(GROWTH.search(words)) != bool(GROWTH.search(over)):
            return None
        unit = each.measure.text if each.measure else ""
        unit = "%" if "%" in f"{unit}{over}{each.text}" or "％" in over else unit
        return Amount(quantity.number, unit, each.text.rstrip("%％"), over)
    return None
