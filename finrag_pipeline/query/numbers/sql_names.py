"""Names in a statement over figures: every table is a view or a result named before, every column
one of theirs. Which kinds of nodes may stand in it is `sql_nodes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sqlglot import exp

from finrag_pipeline.errors import SqlRefused
from finrag_pipeline.query.numbers.sql_nodes import VIEWS

#: Tables of a statement, those of its parts included.
_MOST_TABLES = 16


def check_names(tree: exp.Query) -> None:
    """Refuse names that Postgres would look for elsewhere.

    It looks for a table that is no view in the catalog, takes `f.x` for a function of the row `f`
    where that has no column `x`, and a table's name alone for its whole row.

    Raises:
        SqlRefused: there is one.
    """
    clause = tree.args.get("with_")
    if any(each is not clause for each in tree.find_all(exp.With)):
        raise _refused("WITH stands only at the beginning")
    if sum(1 for _ in tree.find_all(exp.Table)) > _MOST_TABLES:
        raise _refused(f"it reads from more than {_MOST_TABLES} tables")
    outputs_of(tree)
    held: dict[str, frozenset[str]] = dict(VIEWS)
    for cte in clause.expressions if clause else ():
        _check_part(cte.this, held)
        if cte.alias in held:
            raise _refused(f"WITH {cte.alias} hides what has that name")
        held[cte.alias] = frozenset(outputs_of(cte.this))
    body = tree.copy()
    body.set("with_", None)
    _check_part(body, held)


def _check_part(part: exp.Expr, held: Mapping[str, frozenset[str]]) -> None:
    """The body of a statement or of a WITH, by what may be read there and its columns."""
    sources: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for table in part.find_all(exp.Table):
        if table.name not in held:
            raise _refused(f"there is no view {table.name!r}: read from {', '.join(VIEWS)}")
        sources[table.alias_or_name].append(held[table.name])
    for inner in part.find_all(exp.Subquery):
        if isinstance(inner.parent, exp.From | exp.Join):
            if not inner.alias:
                raise _refused("a SELECT after FROM needs a name")
            sources[inner.alias].append(frozenset(outputs_of(inner.this)))
    known = {each.alias for each in part.find_all(exp.Alias)}
    known.update(name for group in sources.values() for names in group for name in names)
    if hidden := known & sources.keys():
        raise _refused(f"{min(hidden)} is the name of a table and of a column")
    for column in part.find_all(exp.Column):
        groups = sources.get(column.table, []) if column.table else [frozenset(known)]
        if not groups or any(column.name not in names for names in groups):
            raise _refused(f"there is no column {column.sql('postgres', identify=False)}")


def outputs_of(query: exp.Expr) -> tuple[str, ...]:
    """The names of what a query selects, in order; each has one that no other has."""
    first = query
    while not isinstance(first, exp.Select):
        if not isinstance(first, exp.SetOperation | exp.Subquery):
            raise _refused("only a SELECT may stand in brackets")
        first = first.this
    names = [
        each.alias_or_name if isinstance(each, exp.Alias | exp.Column) else ""
        for each in first.expressions
    ]
    if not all(names) or len(set(names)) < len(names):
        raise _refused("what is selected needs a name (AS), each another one")
    return tuple(names)


def _refused(why: str) -> SqlRefused:
    return SqlRefused(f"the SQL was refused: {why}")
