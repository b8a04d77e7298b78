"""The standing check on money and tokens: what the last runs asked of the chat model."""

import dagster as dg

from finrag_pipeline.defs.documents import entity_mentions
from finrag_pipeline.defs.metadata import table
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.pipelines.run.chat_session import QUESTIONS
from finrag_pipeline.pipelines.run.run import silent
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.usage import model_usage
from finrag_pipeline.store.usage.model_usage import SpentByRun

#: Runs that are looked at.
RUNS = 7
#: Share of a budget from which a run was stopped, or was about to be: a run asks no more as soon
#: as its next request might exceed what is left.
NEAR = 0.9


@dg.asset_check(asset=entity_mentions)
def chat_budget(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """The last runs had enough of `FINRAG_CHAT_BUDGET` and `FINRAG_CHAT_BUDGET_TOKENS`."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        spent = model_usage.last_runs(connection, run.scope.app_id, QUESTIONS, RUNS)
        settings = run.settings
    near = [each for each in spent if _share(each, settings) >= NEAR]
    if near:
        most = max(_share(each, settings) for each in near)
        description = (
            f"{len(near)} of the last {len(spent)} runs came near their budget or were stopped by "
            f"it, at {most:.0%} of it; the next run goes on where one was stopped: raise "
            "FINRAG_CHAT_BUDGET or FINRAG_CHAT_BUDGET_TOKENS to have it done sooner"
        )
    elif settings.chat_budget is None and settings.chat_budget_tokens is None:
        description = "no budget is set"
    else:
        description = f"enough for the last {len(spent)} runs"
    rows = (
        (
            f"{e.ended_at:%Y-%m-%d %H:%M}",
            e.calls,
            e.tokens,
            f"{e.cost:g}",
            f"{_share(e, settings):.0%}",
        )
        for e in spent
    )
    return dg.AssetCheckResult(
        passed=not near,
        severity=dg.AssetCheckSeverity.WARN,
        description=description,
        metadata={
            "near_or_stopped": len(near),
            "last_runs": table(("run ended", "calls", "tokens", "cost", "of its budget"), rows),
        },
    )


def _share(spent: SpentByRun, settings: Settings) -> float:
    """How much of the present budget a run has used, by what it has less of."""
    shares = [0.0]
    if settings.chat_budget_tokens is not None:
        shares.append(spent.tokens / max(settings.chat_budget_tokens, 1))
    if settings.chat_budget is not None:
        shares.append(spent.cost / max(settings.chat_budget, 1e-9))
    return max(shares)
