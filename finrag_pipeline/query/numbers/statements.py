"""Statements of facts by their shape: each shape passes the gate once, then holds other values.

A tree costs 10 ms to build and check, a question has 50: what is put into a checked one is literals
and nothing else. Trees are `compile`'s, what may run `sql_gate`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from finrag_pipeline.errors import SqlRefused
from finrag_pipeline.query.numbers.compile import View, Wanted, facts_select
from finrag_pipeline.query.numbers.sql_gate import CheckedSelect, checked_sql

#: Facts that one question may take; a metric of all listed companies has some 5,000 a year.
MOST_FACTS = 30_000
#: What stands for a value: `@company 3`; a year is this much and its number.
_HELD = re.compile(r"'@(company|metric|broker) (\d+)'|\b99(\d{4})\b")
_FIRST_YEAR = 990_000


def facts_statement(view: View, wanted: Wanted) -> CheckedSelect:
    """The statement of the facts that are wanted, as it may run.

    Raises:
        SqlRefused: a key or a name has a character that no literal may have.

    >>> wanted = Wanted(("eps",), ("o'k",), (2024,), ("FY",), ("actual",))
    >>> sql = facts_statement("facts", wanted).sql
    >>> "('o''k')" in sql, "IN (2024)" in sql, "@" in sql
    (True, True, False)
    """
    shape = replace(
        wanted,
        metrics=_standing("metric", wanted.metrics) or (),
        companies=_standing("company", wanted.companies),
        years=_years(wanted.years),
        brokers=_standing("broker", wanted.brokers) or (),
    )
    values: dict[str, Sequence[str]] = {
        "company": wanted.companies or (),
        "metric": wanted.metrics,
        "broker": wanted.brokers,
    }

    def filled(match: re.Match[str]) -> str:
        if match[3]:
            return str(int((wanted.years or ())[int(match[3])]))
        return _literal(values[match[1]][int(match[2])])

    checked = _checked(view, shape)
    return replace(checked, sql=_HELD.sub(filled, checked.sql))


@lru_cache(maxsize=2_000)
def _checked(view: View, shape: Wanted) -> CheckedSelect:
    return checked_sql(facts_select(view, shape), MOST_FACTS)


def _standing(what: str, values: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(f"@{what} {at}" for at in range(len(values)))


def _years(values: Sequence[int] | None) -> tuple[int, ...] | None:
    return None if values is None else tuple(_FIRST_YEAR + at for at in range(len(values)))


def _literal(text: str) -> str:
    """A text in quotes under the rule of the gate."""
    if not text.isprintable() or "\\" in text:
        raise SqlRefused("the SQL was refused: a name has a character that is not allowed")
    return "'" + text.replace("'", "''") + "'"
