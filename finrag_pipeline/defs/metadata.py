"""What a person wants to see in the UI of what a run did; `telling` puts it where it belongs.

Totals of a run begin with `run_`: figures without it are of one partition.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

import dagster as dg

from finrag_pipeline.evaluation.retrieval.variants import SHIPPED
from finrag_pipeline.pipelines.documents.raw_pdfs import Registration
from finrag_pipeline.pipelines.enterprise_graph import EnterpriseLoad
from finrag_pipeline.pipelines.graph.entity_summaries import Summaries
from finrag_pipeline.pipelines.graph.graph_texts import GraphReport
from finrag_pipeline.pipelines.run.run import Outcome, StageReport
from finrag_pipeline.pipelines.structured_financials import Load
from finrag_pipeline.store.database.tables import Column
from finrag_pipeline.store.evaluation.retrieval_evaluations import Evaluation
from finrag_pipeline.store.usage.model_usage import Spent

Metadata = dict[str, dg.MetadataValue]
#: Rows of a preview table.
PREVIEW = 20
#: An entity is of many days: what a run makes of it cannot be told by one.
WHOLE_APPLICATION = dg.MetadataValue.text(
    "what changed in the whole application since the last run, documents of whatever day changed it"
)


def of_registration(registration: Registration) -> Metadata:
    """Files of a run by what they turned out to be, the new ones by name."""
    rows = [(name, "new", "") for name in registration.new]
    rows = [(name, "unreadable", why) for name, why in registration.unreadable] + rows
    rows = [(name, "gone", "left the quarantine") for name in registration.gone] + rows
    return {
        "run_new": dg.MetadataValue.int(len(registration.new)),
        "run_known": dg.MetadataValue.int(len(registration.known)),
        "run_unreadable": dg.MetadataValue.int(len(registration.unreadable)),
        "run_waiting_for_a_later_day": dg.MetadataValue.int(registration.waiting),
        "run_seconds": dg.MetadataValue.float(round(registration.seconds, 2)),
        "run_preview": table(("file", "found", "reason"), rows),
        "unreadable_files": dg.MetadataValue.json([list(u) for u in registration.unreadable]),
        "gone_files": dg.MetadataValue.json(list(registration.gone)),
    }


def of_stage(report: StageReport) -> Metadata:
    """Documents of a run, its counts, failures, seconds, what is degraded, and a preview."""
    done = [outcome for outcome in report.outcomes if not outcome.error]
    names = list(dict.fromkeys(name for outcome in done for name in outcome.counts))
    first = sorted(report.outcomes, key=lambda outcome: outcome.error is None)
    totals = {name: report.total(name) for name in names} | {"documents": len(done)}
    return {
        **_run_totals(totals),
        "run_quarantined": dg.MetadataValue.int(len(report.failed)),
        "run_seconds": dg.MetadataValue.float(round(report.seconds, 2)),
        **degraded(report.degraded),
        "run_preview": table(
            ("document", *names, "seconds", "reason"), (_row(outcome, names) for outcome in first)
        ),
    }


def of_graph(graph: GraphReport) -> Metadata:
    """The size of the whole graph, what a run embedded, the entities with the most neighbours."""
    rows = (
        (row["name"], row["type"], row["degree"], row["mention_count"]) for row in graph.largest
    )
    return {
        **{f"graph_{name}": dg.MetadataValue.int(count) for name, count in graph.counts.items()},
        "run_embedded": dg.MetadataValue.int(graph.embedded),
        "run_worked_on": WHOLE_APPLICATION,
        "graph_largest": table(("entity", "type", "neighbours", "mentions"), rows),
    }


def of_summaries(summaries: Summaries) -> Metadata:
    """How many entities of the whole graph have a summary, and how many a run wrote."""
    return {
        "graph_frequent": dg.MetadataValue.int(summaries.frequent),
        "run_written": dg.MetadataValue.int(summaries.written),
        "run_worked_on": WHOLE_APPLICATION,
        **degraded(summaries.degraded),
    }


def of_week(build: Any) -> Metadata:
    """The counts of a weekly step, its build, what is degraded.

    Args:
        build: what the step made of a week: a dataclass of counts with ``build_id``, and
            ``degraded`` lines where there may be any.
    """
    return {
        "build_id": dg.MetadataValue.text(build.build_id),
        **figures(counts_of(build)),
        **degraded(asdict(build).get("degraded", ())),
    }


def counts_of(build: Any) -> dict[str, int]:
    """The counts of a weekly step by name."""
    return {name: value for name, value in asdict(build).items() if type(value) is int}


def of_spending(spent: Spent) -> Metadata:
    """What a run asked a chat model for an asset."""
    return {
        "run_model_calls": dg.MetadataValue.int(spent.calls),
        "run_model_cached_calls": dg.MetadataValue.int(spent.cached_calls),
        "run_model_tokens": dg.MetadataValue.int(spent.tokens),
        "run_model_cost": dg.MetadataValue.float(round(spent.cost, 6)),
    }


def of_table(columns: Iterable[Column], rows: int) -> Metadata:
    """The columns of an asset's table, as Postgres has them now, and its rows."""
    schema = dg.TableSchema(
        columns=[
            dg.TableColumn(
                column.name,
                column.type,
                column.description or ("primary key" if column.in_key else None),
                dg.TableColumnConstraints(nullable=column.nullable),
            )
            for column in columns
        ]
    )
    return {
        "dagster/column_schema": dg.TableSchemaMetadataValue(schema),
        "dagster/row_count": dg.MetadataValue.int(rows),
    }


def of_evaluations(evaluations: Sequence[Evaluation]) -> Metadata:
    """Every measure of what is shipped by question file, and all variants as a table."""
    if not evaluations:
        return {}
    measures = list(evaluations[0].values)
    rows = (
        (
            *(each.questions, each.variant, each.question_count, each.error_count),
            *(f"{each.values[name]:.3f}" for name in measures),
        )
        for each in evaluations
    )
    shipped = {
        f"{each.questions} {name}": dg.MetadataValue.float(round(value, 4))
        for each in evaluations
        if each.variant == SHIPPED
        for name, value in each.values.items()
    }
    return shipped | {"table": table(("questions", "variant", "n", "errors", *measures), rows)}


def of_supplied(load: Load) -> Metadata:
    """Figures of a vendor's files that were taken, and those that were not, with the reason."""
    rows = (
        (table.file, table.sheet, each.line, each.column, each.reason)
        for table in load.tables
        for each in table.refused
    )
    return {
        "figures": dg.MetadataValue.int(load.figures),
        "refused": dg.MetadataValue.int(load.refused),
        "files": table(
            ("file", "sheet", "figures", "companies", "refused"),
            ((t.file, t.sheet, t.figures, t.companies, len(t.refused)) for t in load.tables),
        ),
        "refused_rows": table(("file", "sheet", "line", "column", "reason"), rows),
    }


def of_records(load: EnterpriseLoad) -> Metadata:
    """Documents of company records by kind, their explicit edges, and what was not taken."""
    rows = ((each.file, each.place, each.reason) for each in load.refused)
    return {
        "companies": dg.MetadataValue.int(load.companies),
        "relations": dg.MetadataValue.int(load.relations),
        "changed": dg.MetadataValue.int(load.changed),
        "removed": dg.MetadataValue.int(len(load.removed)),
        "refused": dg.MetadataValue.int(len(load.refused)),
        "kinds": table(("kind", "documents"), sorted(load.documents.items())),
        "refused_records": table(("file", "place", "reason"), rows),
    }


def figures(counts: Mapping[str, int]) -> Metadata:
    """Counts that the UI plots over partitions."""
    return {name: dg.MetadataValue.int(count) for name, count in counts.items()}


def span(days: Sequence[date]) -> dg.MetadataValue:
    """The partitions of a run: one, or a range."""
    return dg.MetadataValue.text(
        f"{days[0]}" if len(days) == 1 else f"{days[0]} to {days[-1]} ({len(days)})"
    )


def is_long(value: dg.MetadataValue) -> bool:
    """Whether it takes a page rather than a line."""
    return isinstance(
        value, dg.MarkdownMetadataValue | dg.JsonMetadataValue | dg.TableSchemaMetadataValue
    )


def degraded(lines: Sequence[str]) -> Metadata:
    """What is there, but less well than the settings ask for."""
    return {"degraded": dg.MetadataValue.text("; ".join(lines))} if lines else {}


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> dg.MetadataValue:
    """The first rows of a table."""
    lines = [list(header)]
    lines += [[_cell(value) for value in row] for row, _ in zip(rows, range(PREVIEW), strict=False)]
    lines.insert(1, ["---"] * len(lines[0]))
    return dg.MetadataValue.md("\n".join(f"| {' | '.join(line)} |" for line in lines))


def drawing(caption: str, svg: str) -> dg.MetadataValue:
    """A picture: the UI shows images of Markdown, but no markup of a drawing itself."""
    return dg.MetadataValue.md(f"{_cell(caption)}\n\n{_image('svg+xml', svg.encode())}")


def plots(pngs: Mapping[str, bytes]) -> dg.MetadataValue:
    """Pictures below their captions."""
    shown = (f"{_cell(caption)}\n\n{_image('png', png)}" for caption, png in pngs.items())
    return dg.MetadataValue.md("\n\n".join(shown))


def _image(kind: str, data: bytes) -> str:
    return f"![](data:image/{kind};base64,{b64encode(data).decode()})"


def _run_totals(counts: Mapping[str, int]) -> Metadata:
    return {f"run_{name}": dg.MetadataValue.int(count) for name, count in counts.items()}


def _row(outcome: Outcome, names: Iterable[str]) -> tuple[object, ...]:
    return (
        outcome.document.source,
        *(outcome.counts.get(name, "") for name in names),
        round(outcome.seconds, 2),
        outcome.error.reason if outcome.error else "",
    )


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
