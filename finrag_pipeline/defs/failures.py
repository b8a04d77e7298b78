"""Why a run failed: the one line of the step that failed by itself, out of Dagster's events."""

from collections.abc import Iterable

import dagster as dg

from finrag_pipeline.errors import TransientError

_ERRORS = f"{TransientError.__module__}."
_TRANSIENT = {cls.__name__ for cls in TransientError.__subclasses__()}


def failure_line(events: Iterable[dg.DagsterEvent]) -> str | None:
    """The line of the first step that failed by itself; None where no step says anything."""
    for event in events:
        if event.is_step_failure:
            failure = event.step_failure_data
            if failure.user_failure_data and failure.user_failure_data.description:
                return failure.user_failure_data.description
            chain = [failure.error] if failure.error else []
            while chain and chain[-1].cause:
                chain.append(chain[-1].cause)
            if any(error.cls_name == "DagsterExecutionInterruptedError" for error in chain):
                return "interrupted: run the same command again, it goes on where it stopped"
            # a transient error that outlived its retries says what is wrong; else the deepest does
            telling = [error for error in chain if error.cls_name in _TRANSIENT] or chain[-1:]
            if telling:
                line = telling[0].message.strip().splitlines()[0].removeprefix(_ERRORS)
                return f"{event.step_key}: {line}"
    return None
