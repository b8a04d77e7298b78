"""When Dagster's jobs succeeded last, out of its own records in the same database.

Its table is made by its first process and not by our migrations: so no block of `sql/queries`.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection, sql

from finrag_pipeline.store.database.connections import DAGSTER_SCHEMA

Row = dict[str, Any]

_RUNS = sql.Identifier(DAGSTER_SCHEMA, "runs")
#: Dagster names jobs of its own, such as those of single assets, with two underscores.
_LAST = sql.SQL(
    "select pipeline_name as job, max(end_time)::float8 as ended_s from {}"
    " where status = 'SUCCESS' and not starts_with(pipeline_name, '__')"
    " group by pipeline_name order by pipeline_name"
).format(_RUNS)


def last_successes(connection: Connection[Row]) -> dict[str, float]:
    """When a run of each job ended well for the last time, in seconds since 1970, by the job."""
    held = connection.execute(
        "select to_regclass(%s) is not null as held", (_RUNS.as_string(),)
    ).fetchone()
    if held is None or not held["held"]:
        return {}
    return {row["job"]: row["ended_s"] for row in connection.execute(_LAST) if row["ended_s"]}
