"""Sensors that tell people what they would else see only in the UI; how they are told is
`pipelines.run.alerts`."""

from collections.abc import Mapping

import dagster as dg

from finrag_pipeline.defs.failures import failure_line
from finrag_pipeline.defs.jobs import COMMAND_LINE
from finrag_pipeline.pipelines.run.alerts import Alert, send_alert
from finrag_pipeline.settings import load_settings

_EVERY_S = 60
_NOBODY = "neither FINRAG_ALERT_WEBHOOK nor FINRAG_ALERT_MAIL is set"


@dg.run_failure_sensor(
    minimum_interval_seconds=_EVERY_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="On by default: tells FINRAG_ALERT_WEBHOOK and FINRAG_ALERT_MAIL of failed runs, "
    "those included whose process died.",
)
def alert_on_failed_runs(context: dg.RunFailureSensorContext) -> dg.SkipReason | None:
    steps = context.get_step_failure_events()
    if steps and COMMAND_LINE.items() <= context.dagster_run.tags.items():
        return dg.SkipReason("who started it has its line in the terminal")
    reason = failure_line(steps) or _last_words(context)
    return _tell(context, "failed", reason, steps[0].step_key if steps else None)


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    minimum_interval_seconds=_EVERY_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="On by default: tells the same of checks that failed as errors in runs that "
    "succeeded; warnings wait in the UI.",
)
def alert_on_failed_checks(context: dg.RunStatusSensorContext) -> dg.SkipReason | None:
    records = context.instance.get_records_for_run(
        context.dagster_run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION
    ).records
    events = [record.event_log_entry.dagster_event for record in records]
    checks = [event.asset_check_evaluation_data for event in events if event]
    failed = [
        f"{check.check_name}: {check.description or 'see the UI'}"
        for check in checks
        if not check.passed and check.severity == dg.AssetCheckSeverity.ERROR
    ]
    if not failed:
        return dg.SkipReason("no check failed as an error")
    return _tell(context, "succeeded with failed checks", "; ".join(failed), None)


def _last_words(context: dg.RunFailureSensorContext) -> str:
    """What Dagster noted last of a run that no step ended, e.g. that its process is gone."""
    records = context.instance.get_records_for_run(
        context.dagster_run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT
    ).records
    events = [record.event_log_entry.dagster_event for record in records]
    noted = [event.message for event in events if event and event.message]
    return noted[-1] if noted else context.failure_event.message or "no step says why"


def _tell(
    context: dg.RunStatusSensorContext, what: str, reason: str, step: str | None
) -> dg.SkipReason | None:
    """Deliver; an alert that reaches nobody fails the tick with its line and is not repeated."""
    settings = load_settings()
    if not (settings.alert_webhook or settings.alert_mail):
        return dg.SkipReason(_NOBODY)
    run = context.dagster_run
    alert = Alert(
        job=run.job_name,
        run_id=run.run_id,
        partition=context.partition_key or _range_of(run.tags),
        what=what,
        step=step,
        reason=" ".join(reason.split()),
        url=f"{settings.ui_url.rstrip('/')}/runs/{run.run_id}" if settings.ui_url else None,
    )
    send_alert(settings, alert)
    return None


def _range_of(tags: Mapping[str, str]) -> str | None:
    first = tags.get("dagster/asset_partition_range_start")
    return f"{first} to {tags.get('dagster/asset_partition_range_end')}" if first else None
