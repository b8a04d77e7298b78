"""The registry of securities as a value: read from CSV text, with the fingerprint of its content.

The file is found and decoded elsewhere; how a name is resolved is in `resolution`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.companies import Company, NameKind, Row, companies_of
from finrag_pipeline.stages.identity.names import LONGEST_NAME
from finrag_pipeline.stages.identity.variants import Variants

#: Part of the fingerprint: raise it whenever any name may get another identity.
IDENTITY_VERSION = 2

_COLUMNS: dict[str, NameKind] = {
    "full_names": "full",
    "short_names": "short",
    "english_names": "english",
    "nicknames": "nickname",
}
_REQUIRED = ("code", "full_names")
_CREDIT_CODE = re.compile(r"(?!(.)\1+$)[0-9A-Z]{18}")
_DAY = re.compile(r"(\d{4})[-/.年]?(\d{1,2})[-/.月]?(\d{1,2})日?(?:[ T].*)?")
_NO_VALUE = {"", "-", "--", "—", "/", "n/a", "na", "nan", "none", "null", "无"}


@dataclass(frozen=True)
class Registry:
    """Companies in order of their keys.

    `fingerprint` changes with whatever may change an identity, and with nothing else: not with
    the order of rows, unknown columns, or names that are there twice. `warnings` tell, one line
    each, what was skipped and why.
    """

    companies: tuple[Company, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        content = [
            [list(company.codes), company.credit_code]
            + [[n.name, n.kind, list(n.codes), str(n.since), n.own] for n in company.names]
            for company in self.companies
        ]
        text = json.dumps([IDENTITY_VERSION, content], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def variants(self) -> Variants:
        """Every way to write its names that is understood; 1 s for 5,000 companies."""
        return Variants(self.companies)

    @cached_property
    def by_code(self) -> dict[str, Company]:
        return {code: company for company in self.companies for code in company.codes}

    @cached_property
    def by_credit_code(self) -> dict[str, Company]:
        return {c.credit_code: c for c in self.companies if c.credit_code}


def registry_text(content: bytes) -> str:
    """The text of a registry file: UTF-8 with or without a mark, UTF-16 with one, else GB 18030.

    Raises:
        ConfigurationError: it is none of them.
    """
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    for candidate in (encoding, "gb18030"):
        try:
            return content.decode(candidate)
        except UnicodeDecodeError:
            continue
    raise ConfigurationError("FINRAG_REGISTRY is no text: save it as CSV in UTF-8")


def read_registry(text: str) -> Registry:
    """Read a registry from CSV.

    Needs the columns `code` and `full_names`; knows `short_names`, `english_names`, `nicknames`,
    `credit_code` and `valid_from`; ignores others. Several names in a cell are joined by a bar,
    the current one first. A code without its market is given it. A row without a code but with a
    credit code is an unlisted company. `valid_from` is the day since when the first name of each
    cell holds, or several days joined by a bar, one a name; several rows of one code are its
    history, too.

    Args:
        text: the decoded file.

    Returns:
        Its companies; rows that cannot be used are left out and told as warnings.

    Raises:
        ConfigurationError: it is no CSV, lacks a column, or no row of it can be used.
    """
    try:
        lines = list(_lines(text))
    except csv.Error as error:
        raise ConfigurationError(
            f"FINRAG_REGISTRY is no CSV: {error}; export it again as CSV in UTF-8"
        ) from None
    if not lines:
        raise ConfigurationError(
            "FINRAG_REGISTRY is empty: its first line must name the columns code and full_names"
        )
    header = [cell.strip().lower() for cell in lines[0][1]]
    missing = [column for column in _REQUIRED if column not in header]
    twice = [column for column in (*_REQUIRED, *_COLUMNS) if header.count(column) > 1]
    if missing or twice:
        problem = f"lacks the column {missing[0]}" if missing else f"has {twice[0]} twice"
        raise ConfigurationError(
            f"FINRAG_REGISTRY, line {lines[0][0]}: the header {problem}; it must name code and "
            "full_names once, separated by commas"
        )
    rows: dict[Row, int] = {}
    warnings: list[str] = []
    for line, cells in lines[1:]:
        row, problems = _row(dict(zip(header, cells, strict=False)), cells[len(header) :])
        if row is not None and row in rows:
            problems = [f"repeats line {rows[row]}"]
        elif row is not None:
            rows[row] = line
        warnings += [f"line {line}: {problem}" for problem in problems]
    if len(lines) > 1 and not rows:
        raise ConfigurationError(f"FINRAG_REGISTRY has no row that can be used: {warnings[0]}")
    return Registry(companies_of(rows), tuple(warnings))


def registered_names(registry: Registry) -> tuple[tuple[str, str, str], ...]:
    """What a lexicon needs: every name of its own company, its first code, and its kind.

    Sorted and each once; the code is empty for a company that is not listed.
    """
    found = {
        (name.name, company.codes[0] if company.codes else "", str(name.kind))
        for company in registry.companies
        for name in company.names
        if name.own
    }
    return tuple(sorted(found))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that hold something, each with its number in the file."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _row(cells: dict[str, str], beyond: list[str]) -> tuple[Row | None, list[str]]:
    """A row and what is wrong with it; no row where that makes it unusable."""
    problems: list[str] = []
    if any(cell.strip() for cell in beyond):
        return None, ["skipped: more cells than columns; quote names that hold a comma"]
    written, credit = _value(cells, "code"), _value(cells, "credit_code").upper()
    if credit and not _CREDIT_CODE.fullmatch(credit):
        problems.append(f"credit_code {credit!r} ignored: it has no 18 letters and digits")
        credit = ""
    code = listing_code(written) if written else ""
    if code is None:
        return None, [*problems, f"skipped: {written!r} is no securities code"]
    if not code and not credit:
        return None, [*problems, "skipped: it has neither code nor credit_code"]
    days: list[str] = []
    for part in _value(cells, "valid_from").split("|"):
        day = _day(part)
        if day is None:
            problems.append(f"valid_from {part.strip()!r} ignored: no day such as 2026-03-08")
        days.append(day or "")
    names: list[tuple[NameKind, str, str]] = []
    for column, kind in _COLUMNS.items():
        parts = [" ".join(part.split()) for part in cells.get(column, "").split("|")]
        for at, name in enumerate(parts):
            if len(name) > LONGEST_NAME:
                problems.append(f"a name of {len(name)} characters ignored: {name[:12]}…")
            elif name.lower() not in _NO_VALUE and all(name != known for _, known, _ in names):
                names.append((kind, name, days[at] if at < len(days) else ""))
    if not names:
        return None, [*problems, "skipped: it has no name"]
    return Row(code, max(days), tuple(names), credit), problems


def _value(cells: dict[str, str], column: str) -> str:
    value = (cells.get(column) or "").strip().strip("'").strip()
    return "" if value.lower() in _NO_VALUE else value


def _day(text: str) -> str | None:
    """A day in ISO form, empty for none; None for what is no day."""
    if not text.strip():
        return ""
    match = _DAY.fullmatch(text.strip())
    try:
        return date(*map(int, match.groups())).isoformat() if match else None
    except ValueError:
        return None
