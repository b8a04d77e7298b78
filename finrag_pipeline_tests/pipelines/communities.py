"""A graph of invented companies with communities of two levels, and a chat model that reports."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

from finrag_pipeline.records.communities import Build, week_of
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.weeks import community_builds
from finrag_pipeline_tests.models.servers import Answer, said
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

DAY = date(2026, 3, 3)
WEEK = week_of(DAY)
BUILD = "b-test"
GROUPS = ("玄岳", "谷满", "远岫")
KINDS = ("矿业", "材料", "电芯", "集成", "电力")


def company(group: str, kind: str) -> str:
    return f"{group}{kind}"


def supply(group: str, one: int, other: int) -> Said:
    """A chunk that says who supplies whom."""
    pair = ((company(group, KINDS[one]), None), (company(group, KINDS[other]), None))
    return Said(pair, ((0, "supplies", 1),))


def publish_groups(database: Database) -> None:
    """Three groups of five companies, each a chain of four links, and one link between two."""
    for group in GROUPS:
        chunks = tuple(supply(group, at, at + 1) for at in range(4))
        publish(database, Report(f"{group}.pdf", DAY, chunks))
    across = Said((("玄岳电力", None), ("谷满矿业", None)), ((0, "supplies", 1),))
    publish(database, Report("across.pdf", DAY, (across,)))


def add_build(database: Database, build_id: str = BUILD) -> Build:
    """One community above three, each of one group; and one entity that is alone on both levels."""
    build = Build(build_id, APP, WEEK, None, build_id, {}, {}, {}, (0.5, 0.6))
    with database.transaction() as connection:
        ids = {
            row["name"]: row["entity_id"]
            for row in connection.execute("select name, entity_id from entities")
        }
        community_builds.add(connection, build)
        rows: list[tuple[Any, ...]] = [("top", 0, None, 15, 0, 2)]
        rows += [(f"part-{at}", 1, "top", 5, at, at) for at in range(3)]
        rows.append(("alone", 0, None, 1, 3, 3))
        for row in rows:
            connection.execute(
                "insert into leiden_communities (build_id, community_id, level, parent_id, "
                "entity_count, edge_count, first_leaf, last_leaf) "
                "values (%s, %s, %s, %s, %s, 0, %s, %s)",
                (build_id, *row),
            )
        members = [
            (ids[company(group, kind)], f"part-{at}")
            for at, group in enumerate(GROUPS)
            for kind in KINDS
        ]
        for member in [*members, ("e-alone", "alone")]:
            connection.execute(
                "insert into community_members values (%s, %s, %s)", (build_id, *member)
            )
    return build


def stored_rows(database: Database) -> dict[str, list[str]]:
    """Every row that a week's reports are made of, without moments."""
    found: dict[str, list[str]] = {}
    for table in ("community_summaries", "leiden_communities", "element_summaries"):
        query: Any = f"select (to_jsonb(t) - 'created_at')::text as row from {table} t"
        with database.connection() as connection:
            found[table] = sorted(row["row"] for row in connection.execute(query))
    return found


def records(body: Any) -> list[str]:
    """The numbered lines of a request for a report; none of another request."""
    return re.findall(r"^\[\d+\] (.*)$", body["messages"][1]["content"], re.MULTILINE)


def reported(body: Any) -> Answer:
    """A correct report: it is called after its first line and rests on its first records."""
    lines = records(body)
    reply = {
        "title": f"报告{lines[0][:12]}",
        "summary": f"共{len(lines)}条材料。",
        "rating": 5,
        "rating_reason": "材料充足",
        "findings": [{"summary": "结论。", "explanation": "说明。", "records": [1, len(lines)]}],
    }
    return said(json.dumps(reply, ensure_ascii=False))
