"""The gate of SQL: one SELECT over the views of figures, made of what is allowed, or a refusal.

Whoever wrote a statement, the grammar or a chat model, it runs only from here, as it is written
anew from the tree that was checked.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from finrag_pipeline.errors import SqlRefused
from finrag_pipeline.query.numbers.sql_names import check_names, outputs_of
from finrag_pipeline.query.numbers.sql_nodes import PLAIN_WORDS, TYPES, nodes
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.selects import select_within

#: Rows of a result, beyond which it is cut.
ROW_LIMIT = 1_000
#: What one statement may take; a question over a million figures takes fifty.
TIMEOUT_MS = 3_000
#: Longer or deeper is no question.
_LONGEST, _DEEPEST, _MOST_NODES = 20_000, 40, 4_000
_DIALECT = "postgres"
_NUMBER = re.compile(r"\d{1,30}(?:\.\d{1,20})?")
_WHOLE = re.compile(r"\d{1,9}")
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,50}|[\u3400-\u9fff][\w%]{0,15}")
# it logs each statement that it cannot parse: questions stay out of logs
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class CheckedSelect:
    """A statement that may run; made by `checked_sql` alone.

    Attributes:
        sql: as it is sent, written anew.
        columns: names of what it selects, in order.
        rows: how many it may give; one more is fetched where `bounded` is false.
        bounded: whether it asks for no more than that by itself.
    """

    sql: str
    columns: tuple[str, ...]
    rows: int
    bounded: bool


@dataclass(frozen=True, slots=True)
class Selected:
    """Rows by the names of columns; `cut` where there would have been more."""

    rows: tuple[Mapping[str, Any], ...]
    cut: bool


def checked_sql(statement: str | exp.Expr, limit: int = ROW_LIMIT) -> CheckedSelect:
    """A statement as it may run.

    Args:
        statement: text, or a tree of `sqlglot`.
        limit: most rows.

    Raises:
        SqlRefused: it is no single SELECT over the views, or has a part that is not allowed.

    >>> checked_sql("select metric, value from facts -- all", 10).sql
    'SELECT "metric", "value" FROM "facts" LIMIT 11'
    >>> checked_sql("select pg_sleep(9)")
    Traceback (most recent call last):
    finrag_pipeline.errors.SqlRefused: the SQL was refused: PG_SLEEP(9) is not allowed
    """
    text = statement if isinstance(statement, str) else _written(statement)
    if len(text) > _LONGEST:
        raise _refused(f"it has more than {_LONGEST} characters")
    try:
        tree = _checked_tree(_parsed(text))
        bounded = _bound(tree, limit)
        text = _written(tree)
        # what is sent is read once more: the writer must not say what the reader did not check
        if _written(_checked_tree(_parsed(text))) != text:
            raise _refused("it does not read as it is written")
    except SqlglotError as error:
        line = str(error).replace("\x1b[4m", "").replace("\x1b[0m", "").splitlines()[0]
        raise _refused(f"it is no SQL that can be read: {line[:150]}") from None
    except RecursionError:
        raise _refused("it is nested too deep") from None
    return CheckedSelect(text, outputs_of(tree), limit, bounded)


def run_checked(connection: Connection[Row], select: CheckedSelect) -> Selected:
    """The rows of a checked statement.

    Args:
        connection: a reading of one application up to a day; closed after an error.

    Raises:
        SqlRefused: Postgres does not take it, or it takes too long.
    """
    rows = select_within(connection, select.sql, TIMEOUT_MS)
    cut = not select.bounded and len(rows) > select.rows
    return Selected(tuple(rows[: select.rows]), cut)


def _parsed(text: str) -> exp.Expr:
    """The one statement that a text is."""
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise _refused("it is nested too deep")
    parsed = sqlglot.parse(text, dialect=_DIALECT)
    found = [each for each in parsed if each and not isinstance(each, exp.Semicolon)]
    if len(found) != 1:
        raise _refused("it is more than one statement" if found else "it is empty")
    return found[0].unnest()


def _written(tree: exp.Expr) -> str:
    return tree.sql(_DIALECT, comments=False)


def _checked_tree(tree: exp.Expr) -> exp.Query:
    """A tree of allowed nodes and known names, each name quoted."""
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise _refused("only a SELECT may run")
    for n, node in enumerate(tree.walk()):
        if n > _MOST_NODES:
            raise _refused("it is too long")
        _check_node(node)
    check_names(tree)
    return tree


def _check_node(node: exp.Expr) -> None:
    """One node and what it is made of, by the list.

    What the parser keeps as plain words (LEFT, CROSS) is of the list, too.
    """
    allowed = nodes().get(type(node).__name__)
    if allowed is None:
        raise _refused(f"{_shown(node)} is not allowed")
    for part, value in node.args.items():
        if value and part not in allowed:
            raise _refused(f"{part.strip('_')} is not allowed in {_shown(node)}")
        plain = isinstance(value, str) and not isinstance(node, exp.Literal | exp.Identifier)
        if plain and value.upper() not in PLAIN_WORDS:
            raise _refused(f"{value} is not allowed")
    if isinstance(node, exp.Identifier):
        name = node.this if node.args.get("quoted") else node.this.lower()
        if not _NAME.fullmatch(name):
            raise _refused(f"{name[:60]!r} is no name of a column or of a result")
        node.set("this", name)
        node.set("quoted", True)
    elif isinstance(node, exp.Literal):
        if not node.is_string and not _NUMBER.fullmatch(node.this):
            raise _refused(f"{node.this[:60]} is no plain number")
        if node.is_string and not (node.this.isprintable() and "\\" not in node.this):
            raise _refused("a text in quotes has a character that is not allowed")
    elif isinstance(node, exp.DataType) and getattr(node.this, "name", "") not in TYPES:
        raise _refused(f"the type {_shown(node)} is not allowed")
    elif isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
        raise _refused("* is not allowed: name the columns")
    elif isinstance(node, exp.Limit | exp.Offset):
        count = node.expression
        if not (isinstance(count, exp.Literal) and _WHOLE.fullmatch(count.this)):
            raise _refused("LIMIT takes a whole number")


def _bound(tree: exp.Query, limit: int) -> bool:
    """Bound a tree to one row more than may be told; whether it asks for no more by itself."""
    own = tree.args.get("limit")
    asked = int(own.expression.this) if own else None
    bounded = asked is not None and asked <= limit
    if not bounded:
        tree.limit(limit + 1, copy=False)
    return bounded


def _shown(node: exp.Expr) -> str:
    return " ".join(_written(node).split())[:80] or type(node).__name__


def _refused(why: str) -> SqlRefused:
    return SqlRefused(f"the SQL was refused: {why}")
