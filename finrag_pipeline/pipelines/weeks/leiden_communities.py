"""Clusters the entity graph of a week, starting from the communities of the week before.

Reports on them belong to `community_summaries`; no reader sees a build before it has them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from importlib.metadata import version

import numpy as np

from finrag_pipeline.errors import PermanentError
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_writers import writer_name
from finrag_pipeline.records.communities import Build, Community, CommunityEvent, Json
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.communities.check import inconsistencies
from finrag_pipeline.stages.communities.graph import Graph, make_graph, modularity
from finrag_pipeline.stages.communities.hierarchy import make_hierarchy, read_hierarchy, records
from finrag_pipeline.stages.communities.levels import Parameters, cluster
from finrag_pipeline.stages.communities.matching import events_between, match, name_communities
from finrag_pipeline.stages.reports.source import REPORT_VERSION
from finrag_pipeline.store.weeks import community_builds, leiden_communities
from finrag_pipeline.store.weeks.leiden_communities import DayGraph

ASSET = "leiden_communities"
#: Goes up with every change to `stages.communities` that changes a partition, an id or an event.
ALGORITHM = "1"


@dataclass(frozen=True, slots=True)
class Clustered:
    """The build of a week: its graph, its communities, what became of those before.

    `communities`, `alone` and `levels` are counted as in `CommunityCounts`.
    """

    build_id: str
    entities: int
    edges: int
    communities: int
    alone: int
    levels: int
    events: int
    degraded: tuple[str, ...] = ()


def cluster_week(run: Run, week: date, parameters: Parameters | None = None) -> Clustered:
    """Cluster the graph as of the Saturday that ends a week; the same input is clustered once.

    What is clustered is stored in one transaction, beside what readers see. Other builds of the
    week that they never saw are removed.

    Args:
        week: the Sunday that opens it.

    Raises:
        PermanentError: there are no entities by then.
        StoreUnavailable, StorageFull: the store gave up; what was there stays.
    """
    app_id, database = run.scope.app_id, run.database
    parameters = parameters or Parameters()
    published_by = week + timedelta(days=6)
    run.progress(ASSET, 0, 1)
    with database.connection() as connection:
        # one moment of the store: the graph may change between two reads
        connection.execute("set transaction isolation level repeatable read, read only")
        read_at = leiden_communities.read_at(connection)
        before = community_builds.before(connection, app_id, week)
        day = leiden_communities.day_graph(connection, app_id, published_by)
        if not day.entity_ids:
            raise PermanentError(
                f"app {app_id} has no entities published by {published_by}: "
                "run `finrag ingest` first"
            )
        inputs = _read(
            (app_id, week, before.build.build_id if before else None),
            day,
            leiden_communities.day_documents(connection, app_id, published_by),
            _versions(run.settings),
            parameters,
        )
        stored = community_builds.find(connection, inputs.build_id)
        last: list[Community] = []
        if before and not stored:
            last = leiden_communities.communities(connection, before.build.build_id)
    build, communities, events = (stored.build, [], []) if stored else _cluster(inputs, last)
    with database.transaction() as connection:
        community_builds.lock(connection, app_id)
        if community_builds.find(connection, build.build_id) is None:
            community_builds.add(connection, build)
            leiden_communities.add(connection, build.build_id, communities, events)
        # the same graph again: documents that came since are in it, and changed nothing
        community_builds.set_read_at(connection, build.build_id, read_at)
        community_builds.remove_others(connection, build, unpublished=True)
        changes = len(leiden_communities.events(connection, build.build_id))
        counts = community_builds.community_counts(connection, build.build_id)
    run.progress(ASSET, 1, 1)
    sizes = build.sizes
    return Clustered(
        build.build_id,
        sizes["entities"],
        sizes["edges"],
        counts.communities,
        counts.alone,
        counts.levels,
        changes,
    )


@dataclass(frozen=True, slots=True)
class _Inputs:
    """All that a build follows from; `started_from` stands for last week's communities."""

    app_id: str
    week: date
    started_from: str | None
    entity_ids: tuple[str, ...]
    graph: Graph
    parameters: Parameters
    versions: Json
    sha256: str
    build_id: str


def _versions(settings: Settings) -> Json:
    """Who and what makes a build: another one makes another."""
    return {
        "graspologic-native": version("graspologic-native"),
        "communities": ALGORITHM,
        "reports": REPORT_VERSION,
        "written_by": writer_name(settings),
    }


def _read(
    what: tuple[str, date, str | None],
    day: DayGraph,
    documents: str,
    versions: Json,
    parameters: Parameters,
) -> _Inputs:
    app_id, week, started_from = what
    graph = make_graph(len(day.entity_ids), day.heads, day.tails, day.weights)
    digest = hashlib.sha256()
    # the documents, too: what they say may change though the graph does not, and reports that
    # readers have already are never written over
    noted = [asdict(parameters), versions, started_from, day.entity_ids, documents]
    digest.update(json.dumps(noted, sort_keys=True).encode())
    for column in (graph.heads, graph.tails, graph.weights):
        digest.update(column.tobytes())
    sha256 = digest.hexdigest()
    named = json.dumps([app_id, week.isoformat(), sha256]).encode()
    build_id = "b" + hashlib.sha256(named).hexdigest()[:20]
    return _Inputs(
        app_id, week, started_from, day.entity_ids, graph, parameters, versions, sha256, build_id
    )


def _cluster(
    inputs: _Inputs, last: Sequence[Community]
) -> tuple[Build, list[Community], list[CommunityEvent]]:
    graph, entity_ids, parameters = inputs.graph, inputs.entity_ids, inputs.parameters
    before, ids_before = read_hierarchy(last, entity_ids)
    levels = cluster(graph, parameters, before.levels if last else ())
    now = make_hierarchy(levels.communities)
    matching = match(before, now)
    ids = name_communities(now, matching, ids_before, entity_ids, inputs.app_id, inputs.week)
    communities = records(now, graph, entity_ids, ids)
    if wrong := inconsistencies(communities, entity_ids):
        raise PermanentError(
            f"the communities of the week of {inputs.week} are inconsistent and were not stored: "
            f"{'; '.join(wrong[:3])}: please report it with the versions {inputs.versions}"
        )
    degrees = graph.degrees()
    sizes: Json = {
        "entities": graph.size,
        "edges": len(graph.heads),
        "isolated": int((degrees == 0).sum()),
        "super_nodes": int((degrees >= parameters.super_node_degree).sum()),
        "communities": [len(np.unique(each)) for each in levels.communities],
        # divisions of each level that are last week's brought up to date, and made anew
        "kept": list(levels.kept),
        "fresh": list(levels.fresh),
    }
    build = Build(
        build_id=inputs.build_id,
        app_id=inputs.app_id,
        week=inputs.week,
        started_from=inputs.started_from,
        input_sha256=inputs.sha256,
        parameters=json.loads(json.dumps(asdict(parameters))),
        versions=inputs.versions,
        sizes=sizes,
        modularity=tuple(modularity(graph, each) for each in levels.communities),
    )
    # a first build has no week before in which anything could have been born
    events = events_between(before, now, matching, ids_before, ids) if last else []
    return build, communities, events
