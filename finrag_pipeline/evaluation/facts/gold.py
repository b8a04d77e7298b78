"""The figures that a hand-made gold says documents print: one JSON object a line.

How they are compared with what is read is `figures`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.records.facts import PeriodKind

_PERIOD = re.compile(r"^(?P<year>\d{4})-?(?P<kind>\w*)$")


@dataclass(frozen=True, slots=True)
class GoldFigure:
    """One figure as its page prints it.

    Attributes:
        file: name of the document.
        period: ``2024``, ``2024H1``, ``2024Q3``, ``2024-9M``: also what stands at its end.
        value: in base units; None where no figure may be read, such as that of another scope.
        kind: by which the table of the measure is divided.
        page: where it stands, 1-based; None where that does not matter.
    """

    file: str
    metric: str
    fiscal_year: int
    period_kind: PeriodKind
    value: Decimal | None
    scope: str = "consolidated"
    segment: str = ""
    broker: str | None = None
    nature: str = "actual"
    kind: str = "figures"
    page: int | None = None

    @property
    def told(self) -> str:
        """All that names it, in one line."""
        parts = (self.metric, self.segment, f"{self.fiscal_year}{self.period_kind}", self.scope)
        return f"{self.file}: " + " ".join(part for part in (*parts, self.broker or "") if part)


def read_gold(path: Path) -> list[GoldFigure]:
    """The figures of a gold file.

    Raises:
        SourceUnavailable: a line is no such figure; with its number.
    """
    return list(_figures(path))


def _figures(path: Path) -> Iterator[GoldFigure]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _figure(json.loads(line, parse_float=str, parse_int=str))
        except (ValueError, KeyError, TypeError, InvalidOperation) as error:
            raise SourceUnavailable(f"{path} line {number} is no figure: {error}") from error


def _figure(row: dict[str, Any]) -> GoldFigure:
    match = _PERIOD.match(str(row["period"]))
    kind: str = (match["kind"] or "FY") if match else ""
    if match is None or kind not in get_args(PeriodKind):
        raise ValueError(f"{row['period']} is no period")
    value = row["value"]
    page = row.get("page")
    return GoldFigure(
        file=row["file"],
        metric=row["metric"],
        fiscal_year=int(match["year"]),
        period_kind=kind,  # pyright: ignore[reportArgumentType]
        value=None if value is None else Decimal(value),
        scope=row.get("scope") or "consolidated",
        segment=row.get("segment") or "",
        broker=row.get("broker") or None,
        nature=row.get("nature") or "actual",
        kind=row.get("kind") or "figures",
        page=int(page) if page else None,
    )
