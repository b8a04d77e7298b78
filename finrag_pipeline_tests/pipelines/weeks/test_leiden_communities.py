"""A week's communities from published reports: stored whole, once for the same input, kept."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta

import pytest

from finrag_pipeline.errors import PermanentError
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.leiden_communities import Clustered, cluster_week
from finrag_pipeline.records.communities import Build, Community, CommunityEvent, week_of
from finrag_pipeline.stages.communities.check import inconsistencies
from finrag_pipeline.stages.communities.levels import Parameters
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.weeks import community_builds, leiden_communities
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

DAY = date(2026, 3, 11)
WEEK = week_of(DAY)
NEXT = WEEK + timedelta(weeks=1)
#: Small enough that the sectors below are divided.
FINE = Parameters(max_sizes=(6, 4))


def sector(name: str, day: date, companies: int = 6, others: tuple[str, ...] = ()) -> Report:
    """A report whose companies stand together, two a chunk, in a ring."""
    names = [f"{name}第{number}家公司" for number in range(companies)] + list(others)
    pairs = zip(names, names[1:] + names[:1], strict=True)
    chunks = [Said(((one, None), (other, None)), ((0, "supplies", 1),)) for one, other in pairs]
    return Report(f"{name}.pdf", day, (*chunks, Said(((f"{name}独行公司", None),))))


SECTORS = [sector("远岫", DAY), sector("汐原", DAY, 9), sector("岚光", DAY - timedelta(days=9), 12)]


@pytest.fixture
def published(database: Database) -> Database:
    for report in SECTORS:
        publish(database, report)
    return database


def stored(database: Database, build_id: str) -> tuple[Build, list[Community]]:
    with database.connection() as connection:
        found = community_builds.find(connection, build_id)
        assert found is not None
        return found.build, leiden_communities.communities(connection, build_id)


def happened(database: Database, clustered: Clustered) -> list[CommunityEvent]:
    with database.connection() as connection:
        return leiden_communities.events(connection, clustered.build_id)


def test_every_entity_is_in_one_community_of_its_sector(run: Run, published: Database) -> None:
    clustered = cluster_week(run, WEEK, FINE)
    build, communities = stored(published, clustered.build_id)
    entity_ids = sorted(entity for each in communities for entity in each.entity_ids)
    assert inconsistencies(communities, entity_ids) == []
    assert build.sizes["entities"] == clustered.entities == len(entity_ids) == 30
    assert build.sizes["isolated"] == 3
    assert build.sizes["edges"] == 27
    coarsest = sorted(each.entity_count for each in communities if each.level == 0)
    assert coarsest[:3] == [1, 1, 1]
    assert len(build.modularity) == len(build.sizes["communities"]) == clustered.levels == 3
    assert sum(build.sizes["fresh"]) > 0 == sum(build.sizes["kept"])
    assert happened(published, clustered) == []


def test_the_store_tells_who_is_inside(run: Run, published: Database) -> None:
    build_id = cluster_week(run, WEEK, FINE).build_id
    _, communities = stored(published, build_id)
    divided = next(each for each in communities if each.first_leaf < each.last_leaf)
    with published.connection() as connection:
        members = leiden_communities.members(connection, build_id, divided.community_id)
        children = [each for each in communities if each.parent_id == divided.community_id]
        for child in children:
            assert list(child.entity_ids) == leiden_communities.members(
                connection, build_id, child.community_id
            )
    assert sorted(entity for child in children for entity in child.entity_ids) == members


def test_the_same_input_is_clustered_once_whatever_it_became(run: Run, published: Database) -> None:
    first = cluster_week(run, WEEK)
    with published.transaction() as connection:
        before = community_builds.find(connection, first.build_id)
        assert before is not None
        community_builds.set_summarised(connection, first.build_id, [])
        community_builds.publish(connection, before.build)
    assert cluster_week(run, WEEK) == first
    with published.connection() as connection:
        after = community_builds.find(connection, first.build_id)
        assert after is not None
        assert after.published_at is not None
        assert after.build == before.build


def test_other_input_of_a_week_stands_beside_what_readers_see_and_replaces_what_they_never_saw(
    run: Run, published: Database
) -> None:
    seen = cluster_week(run, WEEK)
    with published.transaction() as connection:
        build = community_builds.find(connection, seen.build_id)
        assert build is not None
        community_builds.publish(connection, build.build)
    unseen = cluster_week(run, WEEK, FINE)
    newest = cluster_week(run, WEEK, dataclasses.replace(FINE, seed=7))
    with published.connection() as connection:
        left = {each.build.build_id for each in community_builds.builds(connection, APP)}
    assert left == {seen.build_id, newest.build_id}
    assert unseen.build_id not in left
    # asked again for what readers see, it is that, and nothing else is being written
    assert cluster_week(run, WEEK) == seen
    with published.connection() as connection:
        of_week = community_builds.of_week(connection, APP, WEEK)
    assert of_week is not None
    assert of_week.build.build_id == seen.build_id


def test_a_week_knows_nothing_that_was_published_after_it(run: Run, published: Database) -> None:
    alone = cluster_week(run, WEEK)
    publish(published, sector("桐川", DAY + timedelta(weeks=1)))
    assert cluster_week(run, WEEK) == alone
    assert cluster_week(run, NEXT).entities == alone.entities + 7
    assert cluster_week(run, WEEK - timedelta(weeks=1)).entities == 13


def test_communities_keep_their_ids_and_tell_what_happened(run: Run, published: Database) -> None:
    first = cluster_week(run, WEEK, FINE)
    publish(published, sector("汐原", DAY + timedelta(weeks=1), 9, ("汐原新设公司",)))
    second = cluster_week(run, NEXT, FINE)
    build, communities = stored(published, second.build_id)
    assert build.started_from == first.build_id
    assert sum(build.sizes["kept"]) > 0
    before = {each.community_id: each for each in stored(published, first.build_id)[1]}
    kept = {each.community_id for each in communities} & set(before)
    assert len(kept) >= 0.8 * len(before)
    events = happened(published, second)
    assert second.events == len(events) > 0
    assert any(each.event == "grew" and each.level == 0 for each in events)
    for each in events:
        if each.community_id in before:
            assert each.entities_before == before[each.community_id].entity_count


def test_a_graph_without_edges_is_entities_alone(run: Run, database: Database) -> None:
    publish(database, Report("a.pdf", DAY, (Said((("远岫独行公司", None),)),)))
    clustered = cluster_week(run, WEEK)
    assert (clustered.entities, clustered.edges) == (1, 0)
    assert (clustered.communities, clustered.alone) == (0, 1)


def test_without_entities_there_is_nothing_to_cluster(run: Run, published: Database) -> None:
    early = WEEK - timedelta(weeks=9)
    with pytest.raises(PermanentError, match=r"no entities published by .*: run `finrag ingest`"):
        cluster_week(run, early)


def test_apps_do_not_mix(run: Run, other_app: Run, published: Database) -> None:
    cluster_week(run, WEEK)
    with pytest.raises(PermanentError, match="app other has no entities"):
        cluster_week(other_app, WEEK)


def test_a_document_makes_another_build_though_the_graph_is_the_same(
    run: Run, published: Database
) -> None:
    def newer(build_id: str) -> int:
        with published.connection() as connection:
            return community_builds.newer_evidence(connection, build_id).documents

    first = cluster_week(run, WEEK, FINE).build_id
    assert newer(first) == 0
    publish(published, Report("silent.pdf", DAY, (Said(()),)))
    assert newer(first) == 1
    second = cluster_week(run, WEEK, FINE).build_id
    assert second != first
    assert newer(second) == 0
    # a document of a later week does not
    publish(published, Report("later.pdf", DAY + timedelta(weeks=1), (Said(()),)))
    assert newer(second) == 1
    assert cluster_week(run, WEEK, FINE).build_id == second
