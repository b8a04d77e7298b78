"""Arrival days partition what follows single documents, weeks what is made of all of them."""

from datetime import date, timedelta

import dagster as dg

from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import TIME_ZONE, today

#: Where partitions start in a process that nobody told where: `FINRAG_FIRST_DAY` says, and
#: `finrag dev` sets it to the day on which the store's first document arrived.
FIRST_DAY = date(2020, 1, 1)


def started_by(first_day: date) -> date:
    """The first partition: the night asks for the day before, also on the day of a first start."""
    return min(first_day, today() - timedelta(days=1))


def arrival_days(first_day: date) -> dg.DailyPartitionsDefinition:
    """One partition a day, today included: a sensor or a person need not wait for the night.

    Files that are older than the first day of a run arrive on it.
    """
    return dg.DailyPartitionsDefinition(
        start_date=started_by(first_day).isoformat(), timezone=TIME_ZONE, end_offset=1
    )


def weeks_since(first_day: date) -> dg.WeeklyPartitionsDefinition:
    """One partition a week, named by the Sunday that opens it, the running one included."""
    return dg.WeeklyPartitionsDefinition(
        start_date=week_of(started_by(first_day)).isoformat(), timezone=TIME_ZONE, end_offset=1
    )


def days_of(context: dg.AssetExecutionContext) -> tuple[date, ...]:
    """The arrival days of a run: one, or all of a backfill's range."""
    return tuple(sorted(date.fromisoformat(key) for key in context.partition_keys))


def weeks_of(context: dg.AssetExecutionContext) -> tuple[date, ...]:
    """The weeks of a run, the first one first: each starts from the partition of the one before."""
    return tuple(sorted(date.fromisoformat(key) for key in context.partition_keys))
