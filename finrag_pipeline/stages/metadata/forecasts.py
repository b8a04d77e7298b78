"""Reads the earnings per share that a report forecasts: from its summary table, else a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from finrag_pipeline.grammar.period_forms import MARK
from finrag_pipeline.grammar.periods import ESTIMATE_MARKS
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import EpsForecast, PageReading, Place
from finrag_pipeline.stages.cleaning.geometry import bounds, rows
from finrag_pipeline.stages.cleaning.text import tighten
from finrag_pipeline.stages.metadata.front import Block, Found, Row

_LABEL = re.compile(
    r"(?P<before>[\u3400-\u9fffA-Za-z%()（）/]{0,8}?)(?:每股(?:净?收益|盈利|盈余|溢利|净利润|净利)|\bEPS\b)"
    r"(?P<note>(?:\s?(?:EPS\b|[（(][^（()）\n]{1,16}[)）]|"
    r"[-－/、,，]?\s?(?:最新)?(?:全面)?(?:摊薄|稀释|基本)|RMB|CNY|HKD|US\$|人民币|港元|元|分))*)",
    re.IGNORECASE,
)
#: Rows that look alike and are others': consensus, growth, earlier forecasts, differences.
_NOT_OWN = re.compile(
    r"市场|一致|预期|彭博|共识|增长|增速|增幅|同比|变[动化]|前值|前EPS|原|旧|调整幅度|差异|"
    r"YOY|consensus|growth|change|old|prior",
    re.IGNORECASE,
)
_NUMBER = r"[-−–]?\(?\d{1,4}(?:,\d{3})*\.\d+\)?|[-−–]?\d{1,3}(?![\d.])|[-−–—]+|n/?a\.?|NM|不适用"
_NUMBERS = re.compile(
    rf"^[\s:：]*((?:(?:{_NUMBER})(?![%％])[\s|]+)*(?:{_NUMBER})(?![%％\d.]))", re.I
)
_YEAR = (
    r"(?:FY\s?|CY\s?)?(?P<year>20\d\d|(?<=FY)\d\d|(?<=CY)\d\d|\d\d(?=[AEF]))"
    r"(?:[-/.]?12(?:[-/.]31)?)?"
    rf"\s?年?度?\s?[（(]?(?P<mark>{MARK})?[)）]?"
)
_ONE_YEAR = re.compile(_YEAR, re.IGNORECASE)
_ANY_YEAR = re.sub(r"\?P<\w+>", "?:", _YEAR)
_YEARS = re.compile(
    rf"(?<![\d.,/\-])({_ANY_YEAR}(?:[\s|/]+{_ANY_YEAR}){{1,7}})(?![\d%])", re.IGNORECASE
)
_SPAN = (
    r"(?:20)?(\d\d)\s*年?\s*(?:[-–—~～至到/、,，]\s*(?:20)?(\d\d)\s*年?)"
    r"(?:[/、,，]\s*(?:20)?\d\d\s*年?)*"
)
_SENTENCE = re.compile(
    rf"(?<!\d){_SPAN}(?P<between>[^。；]{{0,240}}?)(?:EPS|每股(?:收益|盈利|盈余))(?:[（(][^)）]{{1,10}}[)）])?"
    r"[^\d。；%-]{0,16}(?P<values>-?\d+\.\d+(?:\s?元(?:人民币)?|港元|美元)?"
    r"(?:\s*[/、,，和及]+\s*-?\d+\.\d+(?:\s?(?:元|港元|美元))?){1,4})",
    re.IGNORECASE,
)
#: A row above the figures of one of two listings.
_LISTING = re.compile(r"港股|[AH]\s?股|\d{4,5}\.HK|\d{6}\.S[HZ]")
#: The page of a report's statements is its last but a few; the summary is on the first ones.
_FIRST_PAGES = 3


def read_eps(
    blocks: Sequence[Block], pages: Sequence[PageReading], published: int | None, code: str
) -> Found[tuple[EpsForecast, ...]]:
    """Forecasts of earnings per share, ascending by year.

    Args:
        blocks: of the whole document.
        pages: their lines, for tables whose columns became regions of their own; may be empty.
        published: year of publication: years from it on are forecasts where none is marked.
        code: the company's own, whose listing's currency counts where a table has two.

    Returns:
        Years marked as estimates, or from the year of publication on; empty where nothing is
        forecast. The summary on the first pages counts before later tables, a table before a
        sentence.
    """
    early = [block.rows for block in blocks if block.page <= _FIRST_PAGES and not _told(block)]
    late = [block.rows for block in blocks if block.page > _FIRST_PAGES and not _told(block)]
    drawn = [_drawn(page) for page in pages if page.page <= _FIRST_PAGES]
    passages = [block for block in blocks if block.page <= _FIRST_PAGES]
    foreign = code.endswith(".HK")
    for found in (
        list(_in_tables(early, published)),
        list(_in_tables(drawn, published)),
        [(foreign, item) for item in _in_sentences(passages)],
        list(_in_tables(late, published)),
    ):
        if found:
            return next((item for abroad, item in found if abroad == foreign), found[0][1])
    return Found(())


def _told(block: Block) -> bool:
    return block.prose and not block.rule


def _drawn(page: PageReading) -> tuple[Row, ...]:
    """All rows of a page from margin to margin."""
    lines = [line for line in page.lines if line.visible]
    return tuple(
        Row(
            tighten(" ".join(line.text for line in row)),
            Place(page.page, bounds(line.bbox for line in row)),
        )
        for row in rows(lines)
    )


def _in_tables(
    tables: Sequence[Sequence[Row]], published: int | None
) -> Iterator[tuple[bool, Found[tuple[EpsForecast, ...]]]]:
    """Rows of earnings per share under a row of years, each with whether it is of a listing
    abroad."""
    years: list[tuple[int, bool]] = []
    page, abroad = 0, False
    for table in tables:
        for row in table:
            if row.place.page != page:
                years, page, abroad = [], row.place.page, False
            years = _years(row.text) or years
            listing = _LISTING.search(row.text)
            abroad = listing[0][0] in "港H" or listing[0].endswith("HK") if listing else abroad
            for match in _LABEL.finditer(row.text):
                values = _NUMBERS.match(row.text[match.end() :])
                if not values or not years or _NOT_OWN.search(match["before"] + match["note"]):
                    continue
                forecasts = _paired(years, values[1], published)
                if forecasts:
                    yield abroad, Found(forecasts, (row.place,))
        upright = _upright(table, published)
        if upright:
            yield abroad, upright


def _upright(rows: Sequence[Row], published: int | None) -> Found[tuple[EpsForecast, ...]] | None:
    """Forecasts of a table with a row a year, under a row of labels: counted from the right."""
    column: int | None = None
    found: list[tuple[int, bool, float]] = []
    places: list[Place] = []
    for row in rows:
        cells = row.text.split()
        labels = [n for n, cell in enumerate(cells) if _LABEL.fullmatch(cell)]
        year = _ONE_YEAR.match(row.text)
        if len(labels) == 1 and len(cells) > 2 and not year:
            column, found, places = len(cells) - labels[0], [], []
        elif column and year and len(year["year"]) == 4 and len(cells) > column:
            value = _value(cells[-column])
            if value is not None:
                mark = (year["mark"] or "").upper() in ESTIMATE_MARKS
                found.append((int(year["year"]), mark, value))
                places.append(row.place)
    marked = any(estimate for _, estimate, _ in found)
    forecasts = tuple(
        EpsForecast(year, value)
        for year, estimate, value in found
        if (estimate if marked else published and year >= published)
    )
    return Found(forecasts, tuple(places)) if forecasts else None


def _years(text: str) -> list[tuple[int, bool]]:
    """The longest run of years in a row, each with whether it is marked as an estimate."""
    runs = [match[1] for match in _YEARS.finditer(text)]
    longest = max(runs, key=len, default="")
    found: list[tuple[int, bool]] = []
    for match in _ONE_YEAR.finditer(longest):
        mark = (match["mark"] or "").upper()
        found.append((2000 + int(match["year"][-2:]), mark in ESTIMATE_MARKS))
    ascending = all(a[0] < b[0] for a, b in pairwise(found))
    return found if len(found) >= 2 and ascending else []


def _paired(
    years: Sequence[tuple[int, bool]], text: str, published: int | None
) -> tuple[EpsForecast, ...]:
    """Values under their years; where there are fewer, the first years have none."""
    values = [_value(token) for token in re.findall(_NUMBER, text, re.IGNORECASE)][: len(years)]
    if len(values) < 2:
        return ()
    marked = any(estimate for _, estimate in years)
    return tuple(
        EpsForecast(year, value)
        for (year, estimate), value in zip(years[-len(values) :], values, strict=True)
        if value is not None and (estimate if marked else published and year >= published)
    )


def _value(token: str) -> float | None:
    number = number_of(token)
    return None if number is None else float(number)


def _in_sentences(blocks: Sequence[Block]) -> Iterator[Found[tuple[EpsForecast, ...]]]:
    for block in blocks:
        for match in _SENTENCE.finditer(block.passage):
            first, last = 2000 + int(match[1]), 2000 + int(match[2])
            values = [float(value) for value in re.findall(r"-?\d+\.\d+", match["values"])]
            if last - first + 1 == len(values):
                yield Found(
                    tuple(EpsForecast(first + n, value) for n, value in enumerate(values)),
                    (block.place,),
                )
