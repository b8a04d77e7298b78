"""What a statement over figures may consist of: kinds of nodes of its tree, views and columns.

What is not listed is refused; how a tree is held against the list is `sql_gate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("sql_nodes.csv")

_COLUMNS = """
fact_id company_key company_code company_name metric segment fiscal_year period first_on
last_on value unit currency scope nature restated broker source source_rank checked
published_on document_id is_vendor
"""
_FACTS = frozenset(_COLUMNS.split())
#: Columns of the views that may be read; there is nothing else to read from.
VIEWS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "facts": _FACTS,
        "best_facts": _FACTS,
        "companies": frozenset(("company_key", "company_code", "company_name")),
    }
)
#: What a value may be cast to.
TYPES = frozenset(("DECIMAL", "INT", "BIGINT", "TEXT", "VARCHAR", "BOOLEAN", "DATE"))

#: What the parser keeps as words in them.
PLAIN_WORDS = frozenset(("LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "OVER"))
#: Functions and operators of the list as a statement writes them, for whoever writes one.
OFFERED = (
    "+ - * / || = <> < <= > >= and or not is null in between like ilike case when, "
    "abs round coalesce nullif greatest least lower upper, "
    "count sum avg min max stddev bool_and bool_or percentile_cont … within group, "
    "rank dense_rank row_number lag lead first_value last_value over (partition by … order by …)"
)


@cache
def nodes() -> Mapping[str, frozenset[str]]:
    """Kinds of nodes by sqlglot's names, each with the parts that it may have.

    `_type`, `safe`, `typed`, `big_int` and `nested` are the parser's own notes.
    """
    rows = data_rows(_PATH, ("node", "parts"))
    return {row["node"]: frozenset(row.listed("parts")) for row in rows}
