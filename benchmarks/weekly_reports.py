"""What a week with a hundredth of its statements changed costs: one table.

`python benchmarks/weekly_reports.py [--groups 60]` publishes reports on companies that supply each
other, mostly inside groups of twenty; builds a week; changes one statement in every hundred, each
in a report of its own; builds the next. A community has changed where its entities did, or where a
changed statement is about two of them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import Summarised, summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.weeks import leiden_communities
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

GROUP = 20
#: Statements about a company, of which so many stay inside its group.
STATEMENTS, INSIDE = 5, 0.8
#: Statements of a report.
CHUNKS = 10
FIRST_DAY = date(2026, 3, 3)
Pair = tuple[str, str]


def main() -> None:
    """Build two weeks and print what the second one wrote."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=60)
    options = parser.parse_args()
    draw = random.Random(1)
    companies = [f"第{number}号能源设备公司" for number in range(options.groups * GROUP)]
    pairs = [
        _pair(companies, number, draw)
        for number in range(len(companies))
        for _ in range(STATEMENTS)
    ]
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                run = Run(database, settings, Scope(APP))
                reports = [pairs[at : at + CHUNKS] for at in range(0, len(pairs), CHUNKS)]
                for number, stated in enumerate(reports):
                    publish(database, _report(number, FIRST_DAY, stated))
                _, first = _week(run, week_of(FIRST_DAY))
                before = _members(database, first)
                changed = _change(database, reports, companies, draw)
                summarised, second = _week(run, week_of(FIRST_DAY) + timedelta(weeks=1))
                _tell(len(pairs), before, _members(database, second), changed, summarised)
        finally:
            stop_embedded_server(Path(home))


def _pair(companies: list[str], number: int, draw: random.Random) -> Pair:
    group = number // GROUP * GROUP
    while True:
        inside = draw.random() < INSIDE
        other = group + draw.randrange(GROUP) if inside else draw.randrange(len(companies))
        if other != number:
            return companies[number], companies[other]


def _report(number: int, day: date, stated: list[Pair]) -> Report:
    chunks = (Said(((one, None), (other, None)), ((0, "supplies", 1),)) for one, other in stated)
    return Report(f"{number}.pdf", day, tuple(chunks))


def _change(
    database: Database, reports: list[list[Pair]], companies: list[str], draw: random.Random
) -> list[Pair]:
    """New versions of some reports, one statement of each another one; what came and went."""
    changed: list[Pair] = []
    for number in draw.sample(range(len(reports)), len(reports) * CHUNKS // 100):
        at = draw.randrange(CHUNKS)
        new = _pair(companies, companies.index(reports[number][at][0]), draw)
        changed += [reports[number][at], new]
        stated = [*reports[number][:at], new, *reports[number][at + 1 :]]
        publish(database, _report(number, FIRST_DAY, stated))
    return changed


def _week(run: Run, week: date) -> tuple[Summarised, str]:
    build_id = cluster_week(run, week).build_id
    summarised = summarise_week(run, week)
    report_week(run, week)
    return summarised, build_id


def _members(database: Database, build_id: str) -> dict[str, frozenset[str]]:
    """Names of the entities inside each community of more than one."""
    with database.connection() as connection:
        names = {
            row["entity_id"]: row["name"]
            for row in connection.execute("select entity_id, name from entities")
        }
        return {
            each.community_id: frozenset(
                names[entity]
                for entity in leiden_communities.members(connection, build_id, each.community_id)
            )
            for each in leiden_communities.communities(connection, build_id)
            if each.entity_count > 1
        }


def _tell(
    statements: int,
    before: dict[str, frozenset[str]],
    after: dict[str, frozenset[str]],
    pairs: list[Pair],
    summarised: Summarised,
) -> None:
    kept = sum(_alike(entities, after.get(each)) >= 0.5 for each, entities in before.items())
    changed = sum(
        entities != before.get(each) or any(set(pair) <= entities for pair in pairs)
        for each, entities in after.items()
    )
    print("| statements | communities | kept ids | changed | reports written | a changed one |")
    print("|---|---|---|---|---|---|")
    print(
        f"| {statements:,} | {len(after)} | {kept / len(before):.1%} of {len(before)} | {changed} "
        f"| {summarised.written} | {summarised.written / max(1, changed):.2f} |"
    )


def _alike(one: frozenset[str], other: frozenset[str] | None) -> float:
    return len(one & other) / len(one | other) if other else 0.0


if __name__ == "__main__":
    main()
