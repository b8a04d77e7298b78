"""The cell of a table that holds what is asked of a part: by its labels, headings and times.

What is asked is `asking`; how the row is told is `writer`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.answers.parts.asking import AskedParts, words_of
from finrag_pipeline.query.answers.passages.saying import metrics_named
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.words import search_words

#: What words count where they stand, beside the label and the heading of the cell itself.
_OVER, _CAPTION, _SECTION = 0.25, 0.15, 0.0
_OWN = 0.3
#: What a word counts that makes a cell another part's, or another measure's.
_STRANGE = 0.15
#: What a share counts where an amount is asked for, and an amount where a share is.
_OTHER_KIND = 0.5
_TIMES = {Time.NAMED: 0.3, Time.AROUND: 0.2, Time.DOCUMENT: 0.1}
#: Two cells of different figures are told apart from here on.
_APART = 0.02
#: A cell that answers reaches this.
_LEAST = 0.38
#: What leads to a table ends so near above it, in points, and has so many characters.
_NEAR_PT, _LINE_PT, _LEAD_CHARACTERS = 40.0, 3.0, 160
#: Characters of a heading.
_HEADING = 60
#: How tables print what is below nothing.
_BRACKETS = re.compile(r"^\((\d[\d.,]*\s*%?)\)")
_CHANGE = re.compile(r"change|growth|increase|decrease|variance|增|减|变动", re.IGNORECASE)
_TIME_WORDS = re.compile(
    r"\b(?:fiscal|years?|ended|ending|months?|weeks?|quarters?|three|six|nine|twelve|first|second|third|"
    r"fourth|full|as|of|and|for|at|the|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|q[1-4]|[1-4]q|fy|in|millions?|thousands?|dollars|usd|amounts?)\b|\d+|\W",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PartCell:
    """A cell that answers, with those of its row that are told beside it.

    Attributes:
        before: the figure of the time before, where its row has it.
    """

    item: TableItem
    figure: Figure
    beside: tuple[Figure, ...]
    score: float
    before: Figure | None = None

    @property
    def change(self) -> str:
        """How it changed on the time before, where its row tells that of it: of its first times."""
        amounts = [each for each in self.beside if not is_change(each)]
        if not amounts or min(amounts, key=lambda each: each.column) != self.figure:
            return ""
        found = next((each.text for each in self.beside if is_change(each)), "")
        share = _BRACKETS.sub(r"-\1", found.strip())
        return share if not share or "%" in share else f"{share}%"

    @property
    def value(self) -> Decimal | None:
        return number_of(self.figure.text)


def find_cell(
    asked: AskedParts,
    part: frozenset[str],
    results: Sequence[Result],
    documents: dict[str, DocumentFacts],
) -> PartCell | None:
    """The cell that says best what is asked of a part; None where none or two different ones do.

    Args:
        part: the words of the part and of what is asked of it.
        results: tables, best first.
        documents: of the company that is asked about, by id.
    """
    found: list[tuple[float, TableItem, Figure, tuple[Figure, ...]]] = []
    for result in results:
        item = result.item
        document = documents.get(str(item.key.id[0]))
        if not isinstance(item, TableItem) or document is None:
            continue
        figures = item.figures()
        around = _Around(item)
        for figure in figures:
            score = _score(asked, part, figure, around, document) - 0.005 * result.rank
            if score >= _LEAST:
                found.append((score, item, figure, figures))
    if not found:
        return None
    found.sort(key=lambda each: -each[0])
    best = found[0]
    value = number_of(best[2].text)
    for score, _, figure, _ in found[1:]:
        other = number_of(figure.text)
        if best[0] - score > _APART:
            break
        if value is not None and other is not None and abs(value) != abs(other):
            return None
    row = [each for each in best[3] if each.row == best[2].row]
    alike = tuple(_alike(best[2], row))
    before = next((each for each in alike if each is not best[2] and not is_change(each)), None)
    return PartCell(best[1], best[2], alike, best[0], before)


class _Around:
    """The words around the cells of one table: its caption, and what leads to it on its page."""

    def __init__(self, item: TableItem) -> None:
        lead = _lead(item)
        self.caption_text = f"{item.caption or ''} {lead}"
        self.caption = _stems(self.caption_text)
        self.section = _stems(f"{item.title or ''} {_heading(item)}")
        self.before = f"{item.identity}\n{item.caption or ''}\n{lead}"


def lead_of_table(item: TableItem) -> str:
    """The heading over a table and the words that lead to it, for one without a caption."""
    return " ".join(filter(None, (_heading(item), _lead(item))))


def _lead(item: TableItem) -> str:
    """The last words of the text right above a table: … included the following (in millions)."""
    above = _above(item)
    if not above:
        return ""
    reached, text = max(above)
    return text[-_LEAD_CHARACTERS:] if item.places[0].bbox[1] - reached <= _NEAR_PT else ""


def _heading(item: TableItem) -> str:
    """The nearest heading above the table on its page: a short line that is no sentence."""
    short = [each for each in _above(item) if len(each[1]) <= _HEADING and "." not in each[1]]
    return max(short)[1] if short else ""


def _above(item: TableItem) -> list[tuple[float, str]]:
    """What stands above the table on its page, each with where it ends."""
    page, top = item.places[0].page, item.places[0].bbox[1]
    return [
        (place.bbox[3], text)
        for place, text in item.regions_text
        if place.page == page and place.bbox[3] <= top + _LINE_PT
    ]


def _score(
    asked: AskedParts,
    part: frozenset[str],
    figure: Figure,
    around: _Around,
    document: DocumentFacts,
) -> float:
    """How well a cell says what is asked; 0 where it does not say all of it."""
    label = figure.labels[-1] if figure.labels else ""
    over = " ".join(figure.labels[:-1])
    heading = " ".join(figure.columns)
    own, above = _stems(f"{label} {heading}"), _stems(over)
    if not part <= own | above | around.caption | around.section:
        return 0.0
    if not part & (own | above | around.caption):
        return 0.0
    of_cell = metrics_named(f"{label} {heading} {over}")
    named = of_cell & asked.metrics
    # a cell under another metric is that one's
    elsewhere = bool(of_cell) or not metrics_named(around.caption_text) & asked.metrics
    if asked.metrics and not named and elsewhere:
        return 0.0
    score = 0.2 * bool(named)
    for word in part:
        score += (
            _OWN
            if word in own
            else _OVER
            if word in above
            else _CAPTION
            if word in around.caption
            else _SECTION
        ) / len(part)
    strange = words_of(_TIME_WORDS.sub(" ", _without(asked, f"{label} | {heading}"))) - part
    score -= _STRANGE * len(strange)
    if asked.share != _is_share(figure):
        # a growth may be told beside the amounts that it is of
        score -= _OTHER_KIND * (not asked.share or 0.2)
    if asked.times.asked:
        time = asked.times.of(heading, around.before, document)
        if time not in _TIMES:
            return 0.0
        score += _TIMES[time]
    return score


def _without(asked: AskedParts, text: str) -> str:
    """A text without the names of the metrics that are asked for."""
    for each in fact_metrics_in(text):
        if each.metric.name in asked.metrics:
            text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _alike(figure: Figure, row: Sequence[Figure]) -> Iterator[Figure]:
    """The cells of a row that are of the same thing at other times, and how it changed."""
    own = _TIME_WORDS.sub("", " ".join(figure.columns)).casefold()
    for each in row:
        heading = " ".join(each.columns)
        if _TIME_WORDS.sub("", heading).casefold() == own or is_change(each):
            yield each


def is_change(figure: Figure) -> bool:
    """Whether a cell tells how the figures of its row changed."""
    return bool(_CHANGE.search(" ".join(figure.columns)))


def _is_share(figure: Figure) -> bool:
    unit = figure.measure.unit if figure.measure else ""
    heading = " ".join((*figure.labels[-1:], *figure.columns))
    return unit == "%" or "%" in figure.text or bool(re.search(r"%|percent|margin", heading, re.I))


def _stems(text: str) -> frozenset[str]:
    return frozenset(search_words(text))
