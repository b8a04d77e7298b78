"""Weekly builds put straight into the tables, for tests of what questions read of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.records.communities import Build, Finding, Passage
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.weeks import community_builds
from finrag_pipeline_tests.query.graph_documents import EMBEDDER, entity

#: (document, chunk, words of it)
Place = tuple[str, int, str]


@dataclass(frozen=True)
class Sketch:
    """A community with its report; `findings` are what each says and what it rests on."""

    community_id: str
    title: str
    findings: Sequence[tuple[str, Sequence[Place]]]
    summary: str = ""
    level: int = 0
    parent: str | None = None
    entities: Sequence[str] = ()
    no_report: str | None = None


@dataclass(frozen=True)
class ChainSketch:
    """A chain by names; every link with what it rests on."""

    chain_id: str
    title: str
    links: Sequence[tuple[str, str, Sequence[Place]]]
    stages: Sequence[tuple[str, str]] = ()
    kind: str = "industry_chain"


def add_build(
    database: Database,
    week: date,
    communities: Sequence[Sketch],
    chains: Sequence[ChainSketch] = (),
    *,
    app_id: str = "default",
    name: str = "b",
    published: bool = True,
) -> str:
    """One build of a week, published unless told otherwise; its id."""
    build = Build(f"{name}{week:%m%d}", app_id, week, None, name, {}, {}, {}, (0.5,))
    with database.transaction() as connection:
        community_builds.add(connection, build)
        for n, sketch in enumerate(communities):
            _add_community(connection, build, n, sketch)
        for chain in chains:
            _add_chain(connection, build, chain)
        community_builds.set_summarised(connection, build.build_id, [])
    embed_graph(database, app_id, EMBEDDER, build_id=build.build_id)
    if published:
        publish_build(database, build)
    return build.build_id


def publish_build(database: Database, build: Build) -> None:
    """Send readers to a build."""
    with database.transaction() as connection:
        community_builds.publish(connection, build)


def _add_community(connection: Connection[Any], build: Build, n: int, sketch: Sketch) -> None:
    report_id = None if sketch.no_report else f"r-{build.build_id}-{sketch.community_id}"
    if report_id:
        findings = [
            Finding(said, "", tuple(_passage(connection, place) for place in places)).to_dict()
            for said, places in sketch.findings
        ]
        connection.execute(
            "insert into community_summaries (report_id, app_id, title, summary, rating,"
            " rating_reason, findings, written_by, source_sha256, source_tokens)"
            " values (%s, %s, %s, %s, 5, '', %s, 'offline', %s, 1)",
            (
                *(report_id, build.app_id, sketch.title, sketch.summary or sketch.title),
                *(Jsonb(findings), report_id),
            ),
        )
    connection.execute(
        "insert into leiden_communities values (%s, %s, %s, %s, 1, 0, %s, %s, %s, %s)",
        (
            *(build.build_id, sketch.community_id, sketch.level, sketch.parent, n, n),
            *(report_id, sketch.no_report),
        ),
    )
    for text in sketch.entities:
        connection.execute(
            "insert into community_members values (%s, %s, %s)",
            (build.build_id, entity(text, build.app_id), sketch.community_id),
        )


def _add_chain(connection: Connection[Any], build: Build, chain: ChainSketch) -> None:
    names = list(dict.fromkeys(name for src, dst, _ in chain.links for name in (src, dst)))
    stages = dict(chain.stages)
    links: list[dict[str, Any]] = []
    citations: list[dict[str, Any]] = []
    for src, dst, places in chain.links:
        numbers: list[int] = []
        for place in places:
            citations.append(
                {"n": len(citations) + 1, "source": f"{place[0]}.pdf"}
                | _passage(connection, place).to_dict()
            )
            numbers.append(len(citations))
        told = {"src": src, "relation": "supplies", "dst": dst, "weight": 1.0}
        links.append(told | {"statements": len(places), "passages": numbers})
    nodes = [
        {"entity_id": name, "name": name, "type": "company", "codes": []}
        | ({"stage": stages[name], "layer": 0} if name in stages else {})
        for name in names
    ]
    text = "\n".join(f"{src} → {dst}" for src, dst, _ in chain.links)
    connection.execute(
        "insert into chain_reports values (%s, %s, %s, %s, %s, '{}', %s, %s, '', '')",
        (
            *(build.build_id, chain.chain_id, chain.kind, chain.title),
            *(Jsonb({"subject": names[0], "nodes": nodes, "links": links}), Jsonb(citations)),
            f"{chain.title}\n{text}",
        ),
    )


def _passage(connection: Connection[Any], place: Place) -> Passage:
    document_id, chunk, quote = place
    row = connection.execute(
        "select c.content, c.page, d.published_on from clique_chunks c"
        " join current_documents d using (document_id, revision)"
        " where c.document_id = %s and c.ordinal = %s",
        (document_id, chunk),
    ).fetchone()
    assert row is not None, place
    start = row["content"].index(quote)
    end = start + len(quote)
    return Passage(document_id, chunk, start, end, row["page"], quote, row["published_on"])
