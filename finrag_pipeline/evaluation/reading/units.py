"""Measures what figures of tables are counted in, by hand labels of rows, columns and blocks.

A file of labels is JSON as `UnitLabels` has it: printed labels with their units, no figures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ValidationError

from finrag_pipeline.errors import ConfigurationError, SourceUnavailable
from finrag_pipeline.evaluation.reading.documents import read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.records import Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.stages.tables.surroundings import surroundings

RIGHT, WRONG, NONE = "right", "wrong", "none"
_SPACES = re.compile(r"\s+")


class LabelledUnits(BaseModel):
    """One page: units of its rows, columns and blocks by their labels, and of all other rows."""

    file: str
    page: int
    half: str
    rows: dict[str, tuple[str, ...]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, tuple[str, ...]] = {}
    rest: str | None = None

    def unit_of(self, figure: Figure) -> str | None:
        """The unit of a figure, empty for a number that counts nothing, None without a label."""
        heads = [_bare(text) for text in figure.columns]
        over = [_bare(text) for text in figure.labels[:-1]]
        for labels, texts in ((self.columns, heads), (self.blocks, over)):
            for unit, parts in labels.items():
                if any(_bare(part) in text for part in parts for text in texts):
                    return unit
        own = _bare(figure.labels[-1]) if figure.labels else ""
        for unit, labels in self.rows.items():
            if own and any(own == _bare(label) for label in labels):
                return unit
        return self.rest if own else None


class UnitLabels(BaseModel):
    """A file of labels."""

    description: str = ""
    pages: tuple[LabelledUnits, ...]


def measure(folder: Path, labels: Path, settings: Settings) -> Report:
    """Read the labelled files below a folder and compare the units of their rows.

    Raises:
        ConfigurationError: the file holds no labels.
        SourceUnavailable: the folder lacks a file that they name.
    """
    try:
        pages = UnitLabels.model_validate_json(labels.read_bytes()).pages
    except ValidationError as error:
        raise ConfigurationError(f"{labels} holds no labels of units: {error}") from error
    names = list(dict.fromkeys(page.file for page in pages))
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise SourceUnavailable(f"{folder} lacks {', '.join(missing)}")
    read = read_documents([folder / name for name in names], settings)
    tables = {name: document.tables for name, document in zip(names, read, strict=True)}
    return report(pages, tables)


def report(pages: Sequence[LabelledUnits], tables: Mapping[str, Sequence[Table]]) -> Report:
    """Rows by whether all their figures have the unit of their label, and the misses.

    Args:
        pages: labels.
        tables: of each labelled file, by its name.
    """
    counted: Counter[tuple[str, bool, str]] = Counter()
    misses: list[str] = []
    for page in pages:
        for signed, verdict, told in _verdicts(page, tables[page.file]):
            counted[page.half, signed, verdict] += 1
            if verdict != RIGHT:
                misses.append(f"{page.half}: {page.file} p{page.page}: {verdict}: {told}")
    rows = [
        (half, "with their sign" if signed else "without", *_shares(counted, half, signed))
        for half in dict.fromkeys(page.half for page in pages)
        for signed in (False, True)
    ]
    return Report(
        title="Units of the figures of labelled rows",
        columns=("half", "figures", "rows", "right", "wrong", "none", "share"),
        rows=tuple(rows),
        notes=("A row is right where every figure of it with a labelled unit has that unit.",),
        misses=tuple(misses),
    )


def _shares(counted: Counter[tuple[str, bool, str]], half: str, signed: bool) -> tuple[str, ...]:
    right, wrong, none = (counted[half, signed, verdict] for verdict in (RIGHT, WRONG, NONE))
    total = right + wrong + none
    return (str(total), str(right), str(wrong), str(none), percent(right, total))


def _verdicts(page: LabelledUnits, tables: Sequence[Table]) -> Iterator[tuple[bool, str, str]]:
    """For each labelled row of a page: whether its figures print their unit, verdict and detail."""
    for table, around in zip(tables, surroundings(tables), strict=True):
        rows: dict[int, list[tuple[Figure, str]]] = {}
        for figure in figures(table, around):
            on_page = (figure.place.page if figure.place else table.page) == page.page
            if on_page and (unit := page.unit_of(figure)) is not None:
                rows.setdefault(figure.row, []).append((figure, unit))
        for held in rows.values():
            found = [(_verdict(figure, unit), figure, unit) for figure, unit in held]
            worst = max(found, key=lambda each: (RIGHT, NONE, WRONG).index(each[0]))
            signed = all(figure.source == "cell" for figure, _ in held)
            _, figure, unit = worst
            got = f"{figure.measure.text} ({figure.source})" if figure.measure else "none"
            path = " > ".join((*figure.labels, *figure.columns))
            yield signed, worst[0], f"{path}: {figure.text} is {got}, not {unit}"


def _verdict(figure: Figure, label: str) -> str:
    """Whether a figure has the labelled unit.

    Times, turnovers and plain ratios are one unit; a scale without currency is what a page prints
    that has none; points that a figure prints itself are right in a column of percent.
    """
    found = figure.measure
    if not label:
        return RIGHT if found is None or found.unit in ("", "x") else WRONG
    if found is None:
        return NONE
    wanted = measure_of(label)
    assert wanted is not None, label
    names = {"次": "x", **({"pp": "%", "bp": "%"} if figure.source == "cell" else {})}
    same = names.get(found.unit, found.unit) == names.get(wanted.unit, wanted.unit)
    same |= not found.unit and found.power > 0 and bool(wanted.currency)
    return RIGHT if same and found.power == wanted.power else WRONG


def _bare(text: str) -> str:
    return _SPACES.sub("", narrow(text))
