"""What a person wants to see of a materialisation in the UI."""

from collections.abc import Iterable

import dagster as dg

from finrag_pipeline.pipelines.raw_pdfs import Registration
from finrag_pipeline.pipelines.run import Outcome, StageReport

Metadata = dict[str, dg.MetadataValue]
#: Rows of a preview table.
PREVIEW = 20


def of_registration(registration: Registration) -> Metadata:
    """Counts of files by what they turned out to be, and the new ones by name."""
    rows = [(name, "new", "") for name in registration.new]
    rows = [(name, "unreadable", why) for name, why in registration.unreadable] + rows
    return {
        "new": dg.MetadataValue.int(len(registration.new)),
        "known": dg.MetadataValue.int(len(registration.known)),
        "unreadable": dg.MetadataValue.int(len(registration.unreadable)),
        "unreadable_files": dg.MetadataValue.json([list(u) for u in registration.unreadable]),
        "waiting_for_a_later_day": dg.MetadataValue.int(registration.waiting),
        "seconds": dg.MetadataValue.float(round(registration.seconds, 2)),
        "preview": _table(("file", "found", "reason"), rows),
    }


def of_stage(report: StageReport) -> Metadata:
    """Documents, the stage's own counts, failures, seconds and a preview of the documents."""
    done = [outcome for outcome in report.outcomes if not outcome.error]
    names = list(dict.fromkeys(name for outcome in done for name in outcome.counts))
    first = sorted(report.outcomes, key=lambda outcome: outcome.error is None)
    return {
        "documents": dg.MetadataValue.int(len(done)),
        "quarantined": dg.MetadataValue.int(len(report.failed)),
        "seconds": dg.MetadataValue.float(round(report.seconds, 2)),
        **{name: dg.MetadataValue.int(report.total(name)) for name in names if name != "documents"},
        "preview": _table(
            ("document", *names, "seconds", "reason"), (_row(outcome, names) for outcome in first)
        ),
    }


def _row(outcome: Outcome, names: Iterable[str]) -> tuple[object, ...]:
    return (
        outcome.document.source,
        *(outcome.counts.get(name, "") for name in names),
        round(outcome.seconds, 2),
        outcome.error or "",
    )


def _table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> dg.MetadataValue:
    lines = [list(header)]
    lines += [[_cell(value) for value in row] for row, _ in zip(rows, range(PREVIEW), strict=False)]
    lines.insert(1, ["---"] * len(lines[0]))
    return dg.MetadataValue.md("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
