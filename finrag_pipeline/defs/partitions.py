"""Arrival days partition what follows single documents, weeks what is made of all of them."""

from datetime import date

import dagster as dg

from finrag_pipeline.settings import TIME_ZONE

#: The first arrival day that a backfill can name. Older files arrive on the first day of a run.
FIRST_DAY = "2020-01-01"

#: One partition a day, today included, so that a sensor or a person need not wait for the night.
ARRIVAL_DAYS = dg.DailyPartitionsDefinition(start_date=FIRST_DAY, timezone=TIME_ZONE, end_offset=1)


def days_of(context: dg.AssetExecutionContext) -> tuple[date, ...]:
    """The arrival days of a run: one, or all of a backfill's range."""
    return tuple(sorted(date.fromisoformat(key) for key in context.partition_keys))


#: The first week that a backfill can name, by the Sunday that opens it.
FIRST_WEEK = "2020-01-05"

#: One partition a week, the running one included: a person need not wait for its end.
WEEKS = dg.WeeklyPartitionsDefinition(start_date=FIRST_WEEK, timezone=TIME_ZONE, end_offset=1)


def weeks_of(context: dg.AssetExecutionContext) -> tuple[date, ...]:
    """The weeks of a run, the first one first: each starts from the partition of the one before."""
    return tuple(sorted(date.fromisoformat(key) for key in context.partition_keys))
