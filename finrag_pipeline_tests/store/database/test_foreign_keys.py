"""Deleting a row looks for all rows that point at it: every foreign key has an index to look in."""

from __future__ import annotations

from finrag_pipeline.store.database.connections import Database

_WITHOUT_INDEX = """
select c.conrelid::regclass::text as table, pg_get_constraintdef(c.oid) as key
from pg_constraint c
where c.contype = 'f' and c.connamespace = 'public'::regnamespace
  and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indpred is null and i.indisvalid
        -- its leading columns are those of the key, in whatever order
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
order by 1, 2
"""


def test_every_foreign_key_has_an_index_that_begins_with_its_columns(database: Database) -> None:
    with database.connection() as connection:
        assert connection.execute(_WITHOUT_INDEX).fetchall() == []
