"""Named SQL blocks: how files are split, and that Postgres accepts every block there is."""

from __future__ import annotations

import re

import pytest
from psycopg.pq import ExecStatus

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.queries import (
    NamedQuery,
    all_queries,
    load_queries,
    parse_queries,
)

_PLACEHOLDER = re.compile(r"%(?:\((\w+)\)[stb]|(%)|(.?))", re.DOTALL)


def numbered(query: NamedQuery) -> str:
    """The statement with `$n` for its named parameters, as the server sees it."""
    names: list[str] = []

    def replace(match: re.Match[str]) -> str:
        name, percent, stray = match.groups()
        if percent:
            return "%"
        assert stray is None, f"{query.name}: write % as %% (before {stray!r})"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PLACEHOLDER.sub(replace, query.sql)


@pytest.mark.parametrize("family", sorted(all_queries()))
def test_the_server_accepts_every_block(family: str, database: Database) -> None:
    queries = load_queries(family)
    assert len(queries) > 0, f"sql/queries/{family}.sql holds no block"
    refused: list[str] = []
    for query in queries:
        with database.connection() as connection:
            # the protocol's PREPARE: unlike the statement of that name it takes any single command
            result = connection.pgconn.prepare(b"", numbered(query).encode())
            if result.status != ExecStatus.COMMAND_OK:
                refused.append(f"{query.name}: {result.error_message.decode()}")
    assert not refused, "\n".join(refused)


def test_a_block_has_name_purpose_and_statement() -> None:
    blocks = parse_queries(
        "-- About this file.\n\n-- one --\n-- Reads one.\nselect 1;\n\n"
        "-- two --\n-- Reads two.\n-- why so\nselect %(value)s\n  -- and so\n",
        "x.sql",
    )
    assert [(block.name, block.purpose) for block in blocks] == [
        ("one", "Reads one."),
        ("two", "Reads two."),
    ]
    assert blocks[0].sql == "select 1"
    assert "-- and so" in blocks[1].sql


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("-- one --\nselect 1", "needs one line `-- purpose`"),
        ("-- one --\n", "needs one line `-- purpose`"),
        ("-- one --\n-- Reads.\n-- only a comment\n", "has no statement"),
        ("-- a --\n-- A.\nselect 1\n-- a --\n-- A.\nselect 2", "stands twice"),
        ("select 1;\n-- a --\n-- A.\nselect 1", "before the first block"),
        ("select 1;", "before the first block"),
    ],
)
def test_a_malformed_file_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_queries(text, "x.sql")


def test_unknown_names_say_where_they_were_looked_for() -> None:
    with pytest.raises(AttributeError, match=r"documents\.sql has no block named 'nonsense'"):
        _ = load_queries("documents/documents").nonsense
    with pytest.raises(ValueError, match=r"nonsense\.sql"):
        load_queries("nonsense")
