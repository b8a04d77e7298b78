-- lock_builds --
-- One process at a time writes or publishes the builds of an app; held until the transaction ends.
select pg_advisory_xact_lock(hashtext('finrag.community_builds'), hashtext(%(app_id)s));

-- add_build --
-- A build as its clustering leaves it: without reports, seen by no reader.
insert into community_builds
    (build_id, app_id, week, started_from, input_sha256, parameters, versions, sizes, modularity)
values (%(build_id)s, %(app_id)s, %(week)s, %(started_from)s, %(input_sha256)s, %(parameters)s,
        %(versions)s, %(sizes)s, %(modularity)s);

-- set_read_at --
-- Notes when the graph was read that a build was made of, or was found to be still made of.
update community_builds set clustered_at = %(read_at)s where build_id = %(build_id)s;

-- build --
-- One build.
select build_id, app_id, week, published_by, started_from, input_sha256, parameters, versions,
       sizes, modularity, clustered_at, summarised_at, published_at, degraded
from community_builds
where build_id = %(build_id)s;

-- of_week --
-- The build of a week that is being written, else the published one.
select build_id, app_id, week, published_by, started_from, input_sha256, parameters, versions,
       sizes, modularity, clustered_at, summarised_at, published_at, degraded
from community_builds
where app_id = %(app_id)s and week = %(week)s
order by published_at is not null, clustered_at desc, build_id
limit 1;

-- before --
-- The last build before a week, published or not: whose partition the next one starts from.
select build_id, app_id, week, published_by, started_from, input_sha256, parameters, versions,
       sizes, modularity, clustered_at, summarised_at, published_at, degraded
from community_builds
where app_id = %(app_id)s and week < %(week)s
order by week desc, published_at is not null, clustered_at desc, build_id
limit 1;

-- current --
-- The build that questions go to, or went to by a day: the last week's that was over by then.
select build_id, app_id, week, published_by, started_from, input_sha256, parameters, versions,
       sizes, modularity, clustered_at, summarised_at, published_at, degraded
from community_builds
where app_id = %(app_id)s and published_at is not null
  and (%(as_of)s::date is null or published_by <= %(as_of)s::date)
order by week desc
limit 1;

-- builds --
-- Every build of an app, the last week's first.
select build_id, app_id, week, published_by, started_from, input_sha256, parameters, versions,
       sizes, modularity, clustered_at, summarised_at, published_at, degraded
from community_builds
where app_id = %(app_id)s
order by week desc, clustered_at desc, build_id;

-- set_summarised --
-- Notes that every community of a build has its report, and what is degraded about them.
update community_builds
set summarised_at = now(), degraded = %(degraded)s
where build_id = %(build_id)s;

-- publish --
-- Sends readers to a build; one that they have already keeps its moment.
update community_builds set published_at = now()
where build_id = %(build_id)s and published_at is null;

-- replaced --
-- Builds of the same week besides one: abandoned, or published before it.
select build_id
from community_builds
where app_id = %(app_id)s and week = %(week)s and build_id <> %(build_id)s
order by build_id;

-- older --
-- Published builds of an app before its last so many weeks.
select build_id from community_builds
where app_id = %(app_id)s and published_at is not null
order by week desc
offset %(kept)s;

-- delete_builds --
-- Removes some builds with all that is theirs alone.
with vectors as (
    delete from graph_embeddings g
    using community_builds b
    where b.build_id = any(%(build_ids)s::text[]) and g.app_id = b.app_id and g.kind = 'chain'
      and g.src_entity_id = b.build_id
)
delete from community_builds where build_id = any(%(build_ids)s::text[]);

-- delete_unused_reports --
-- Removes reports of an app that no community of any build has, with their vectors.
with unused as (
    delete from community_summaries s
    where s.app_id = %(app_id)s
      and not exists (select from leiden_communities c where c.report_id = s.report_id)
    returning s.report_id
)
delete from graph_embeddings g
using unused u
where g.app_id = %(app_id)s and g.kind = 'community' and g.src_entity_id = u.report_id;

-- note_change --
-- Tells keyword copies that a build came or went.
insert into index_changes (app_id, document_id) values (%(app_id)s, %(build_id)s);

-- newer_documents --
-- Documents that readers see and a build does not know: published or read after it was made.
select count(*)::int as documents, max(d.published_on) as published_on
from current_documents d
join community_builds b on b.build_id = %(build_id)s and b.app_id = d.app_id
where (d.published_on > b.published_by or d.indexed_at > b.clustered_at)
  and (%(as_of)s::date is null or d.published_on <= %(as_of)s::date);

-- told --
-- The published build of a week in figures.
select b.build_id, b.week, b.published_by, b.published_at, b.started_from, b.modularity, b.degraded,
       (b.sizes ->> 'entities')::int as entities, (b.sizes ->> 'edges')::int as edges,
       (select count(distinct c.report_id)::int from leiden_communities c
        where c.build_id = b.build_id) as reports,
       (select count(*)::int from chain_reports c where c.build_id = b.build_id) as chains,
       (select coalesce(jsonb_object_agg(e.event, e.times), '{}')
        from (select event, count(*) as times from community_events
              where build_id = b.build_id group by event) e) as events
from community_builds b
where b.app_id = %(app_id)s and b.week = %(week)s and b.published_at is not null;

-- community_counts --
-- Communities of two and more entities on all levels of a build, entities alone, and its levels.
select count(*) filter (where entity_count > 1)::int as communities,
       count(*) filter (where entity_count = 1)::int as alone,
       coalesce(max(level) + 1, 0)::int as levels
from leiden_communities
where build_id = %(build_id)s;

-- rows_in_all --
-- Rows of an app's builds by table.
select (select count(*) from leiden_communities where app_id = %(app_id)s) as leiden_communities,
       (select count(*) from community_summaries where app_id = %(app_id)s) as community_summaries,
       (select count(*) from chain_reports where app_id = %(app_id)s) as chain_reports;
