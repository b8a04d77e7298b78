"""What a person wants to see of a materialisation in the UI."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

import dagster as dg

from finrag_pipeline.pipelines.entity_summaries import Summaries
from finrag_pipeline.pipelines.graph_texts import GraphReport
from finrag_pipeline.pipelines.raw_pdfs import Registration
from finrag_pipeline.pipelines.run import Outcome, StageReport

Metadata = dict[str, dg.MetadataValue]
#: Rows of a preview table.
PREVIEW = 20


def of_registration(registration: Registration, days: Sequence[date]) -> Metadata:
    """Days of the run, counts of files by what they turned out to be, the new ones by name."""
    rows = [(name, "new", "") for name in registration.new]
    rows = [(name, "unreadable", why) for name, why in registration.unreadable] + rows
    rows = [(name, "gone", "left the quarantine") for name in registration.gone] + rows
    return {
        "arrival_days": dg.MetadataValue.text(_span(days)),
        "new": dg.MetadataValue.int(len(registration.new)),
        "known": dg.MetadataValue.int(len(registration.known)),
        "unreadable": dg.MetadataValue.int(len(registration.unreadable)),
        "unreadable_files": dg.MetadataValue.json([list(u) for u in registration.unreadable]),
        "gone_files": dg.MetadataValue.json(list(registration.gone)),
        "waiting_for_a_later_day": dg.MetadataValue.int(registration.waiting),
        "seconds": dg.MetadataValue.float(round(registration.seconds, 2)),
        "preview": _table(("file", "found", "reason"), rows),
    }


def of_stage(report: StageReport, days: Sequence[date]) -> Metadata:
    """Days of the run, documents, counts, failures, seconds, what is degraded, and a preview."""
    done = [outcome for outcome in report.outcomes if not outcome.error]
    names = list(dict.fromkeys(name for outcome in done for name in outcome.counts))
    first = sorted(report.outcomes, key=lambda outcome: outcome.error is None)
    return {
        "arrival_days": dg.MetadataValue.text(_span(days)),
        "documents": dg.MetadataValue.int(len(done)),
        "quarantined": dg.MetadataValue.int(len(report.failed)),
        "seconds": dg.MetadataValue.float(round(report.seconds, 2)),
        **{name: dg.MetadataValue.int(report.total(name)) for name in names if name != "documents"},
        **_degraded(report.degraded),
        "preview": _table(
            ("document", *names, "seconds", "reason"), (_row(outcome, names) for outcome in first)
        ),
    }


def of_graph(graph: GraphReport, days: Sequence[date]) -> Metadata:
    """Days of the run, the size of the graph, and the entities with the most neighbours."""
    rows = (
        (row["name"], row["type"], row["degree"], row["mention_count"]) for row in graph.largest
    )
    return {
        "arrival_days": dg.MetadataValue.text(_span(days)),
        **{name: dg.MetadataValue.int(count) for name, count in graph.counts.items()},
        "embedded": dg.MetadataValue.int(graph.embedded),
        "largest": _table(("entity", "type", "neighbours", "mentions"), rows),
    }


def of_summaries(summaries: Summaries, days: Sequence[date]) -> Metadata:
    """Days of the run, how many entities have a summary, how many were written, what is lacking."""
    return {
        "arrival_days": dg.MetadataValue.text(_span(days)),
        "frequent": dg.MetadataValue.int(summaries.frequent),
        "written": dg.MetadataValue.int(summaries.written),
        **_degraded(summaries.degraded),
    }


def of_weeks(builds: Sequence[Any], weeks: Sequence[date]) -> Metadata:
    """Weeks of the run, one row each with the counts of its step, what is degraded.

    Args:
        builds: what a weekly step made of each week: a dataclass of counts with ``build_id``, and
            ``degraded`` lines where there may be any.
    """
    counts = [name for name, value in asdict(builds[-1]).items() if isinstance(value, int | float)]
    rows = [
        (week, build.build_id, *(getattr(build, name) for name in counts))
        for week, build in zip(weeks, builds, strict=True)
    ]
    return {
        "weeks": dg.MetadataValue.text(_span(weeks)),
        "build_id": dg.MetadataValue.text(builds[-1].build_id),
        **{name: dg.MetadataValue.int(getattr(builds[-1], name)) for name in counts},
        **_degraded([line for build in builds for line in asdict(build).get("degraded", ())]),
        "preview": _table(("week", "build", *counts), reversed(rows)),
    }


def _degraded(lines: Sequence[str]) -> Metadata:
    return {"degraded": dg.MetadataValue.text("; ".join(lines))} if lines else {}


def _span(days: Sequence[date]) -> str:
    """A run over a range leaves one materialisation a day, all with the figures of the range."""
    return f"{days[0]}" if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _row(outcome: Outcome, names: Iterable[str]) -> tuple[object, ...]:
    return (
        outcome.document.source,
        *(outcome.counts.get(name, "") for name in names),
        round(outcome.seconds, 2),
        outcome.error.reason if outcome.error else "",
    )


def _table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> dg.MetadataValue:
    lines = [list(header)]
    lines += [[_cell(value) for value in row] for row, _ in zip(rows, range(PREVIEW), strict=False)]
    lines.insert(1, ["---"] * len(lines[0]))
    return dg.MetadataValue.md("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
