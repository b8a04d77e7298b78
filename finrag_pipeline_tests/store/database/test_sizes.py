"""Sizes of families of tables: every table is of one, and growth follows what is dated."""

from __future__ import annotations

from finrag_pipeline.store.database import sizes
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import model_replies


def test_every_table_is_of_a_family(database: Database) -> None:
    with database.connection() as connection:
        found = connection.execute(
            "select relname as name from pg_class"
            " where relkind = 'r' and relnamespace = current_schema::regnamespace"
        )
        assert {row["name"] for row in found} == set(sizes.families())


def test_growth_is_the_share_of_what_is_new(database: Database) -> None:
    with database.transaction() as connection:
        for number in range(4):
            model_replies.keep(connection, str(number), "s", "m", "reply " * 2000)
        connection.execute(
            "update model_replies set replied_at = now() - interval '40 days'"
            " where request_sha256 < '3'"
        )
    with database.connection() as connection:
        found = sizes.read(connection, 30)
        whole = sizes.database_bytes(connection)
    replies = found["replies"]
    assert replies.recent_bytes == round(replies.bytes / 4)
    assert found["accounts"].recent_bytes is None and found["documents"].recent_bytes is None
    assert replies.bytes < sum(size.bytes for size in found.values()) < whole
    assert [size.bytes for size in found.values()] == sorted(
        (size.bytes for size in found.values()), reverse=True
    )


def test_the_events_of_runs_are_a_family(database: Database) -> None:
    database.dagster_url()
    with database.transaction() as connection:
        connection.execute("create table dagster.event_logs as select 1 as id")
    with database.connection() as connection:
        assert sizes.read(connection, 30)[sizes.EVENTS].bytes > 0
