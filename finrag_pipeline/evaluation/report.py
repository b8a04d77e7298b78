"""What every measurement returns: a table of figures, what they mean, and the misses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """One measurement, ready to print.

    `rows` fit `columns`; `notes` say what was counted; `misses` are single cases, one line each.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()


def percent(part: float, whole: float) -> str:
    """A share for a table: ``98.7 % (75 of 76)``."""
    if not whole:
        return "none"
    return f"{100 * part / whole:.1f} % ({part:g} of {whole:g})"
