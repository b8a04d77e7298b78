"""What a store keeps only for so long, where the settings say so: weekly builds, cached replies.

The one place where anything goes by its age; logs of changes prune themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.spans import span
from finrag_pipeline.store.usage import model_replies
from finrag_pipeline.store.weeks import community_builds


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many weekly builds of the run's application went, and how many replies."""

    builds: int = 0
    replies: int = 0


def forget_old(run: Run) -> Forgotten:
    """Remove what is older than the settings keep; nothing where they keep all.

    `--as-of` a day before the builds that are kept finds no week: such questions are answered
    without reports. A request whose reply went is asked again when somebody needs it.
    """
    kept, days = run.settings.keep_builds, run.settings.keep_replies_days
    with span("retention") as step, run.database.transaction() as connection:
        app_id = run.scope.app_id
        builds = community_builds.forget_older(connection, app_id, kept) if kept else 0
        replies = model_replies.forget(connection, days) if days else 0
        step.attributes |= {"builds": builds, "replies": replies}
    return Forgotten(builds, replies)
