-- What questions read of a published build: its reports, and the passages behind them as they are
-- now.

-- reports --
-- Some reports on communities of a build.
select l.community_id, l.level, l.parent_id, l.entity_count, s.title, s.summary, s.rating,
       s.findings
from leiden_communities l
join community_summaries s using (report_id)
where l.build_id = %(build_id)s and l.community_id = any(%(community_ids)s::text[])
order by l.community_id collate "C";

-- at_level --
-- Communities that a build has at a level, those included that are divided no further above it.
select l.community_id
from leiden_communities l
where l.build_id = %(build_id)s and l.report_id is not null
  and (l.level = %(level)s
       or l.level < %(level)s and not exists (
            select from leiden_communities c
            where c.build_id = l.build_id and c.parent_id = l.community_id))
order by l.community_id collate "C";

-- inside --
-- Communities right inside some others, or those inside none: what has a report, or leads to some.
select l.community_id
from leiden_communities l
where l.build_id = %(build_id)s
  and (l.report_id is not null or exists (
            select from leiden_communities c
            where c.build_id = l.build_id and c.parent_id = l.community_id))
  and case when %(parent_ids)s::text[] is null then l.parent_id is null
           else l.parent_id = any(%(parent_ids)s::text[]) end
order by l.community_id collate "C";

-- around --
-- Some communities and all those that they stand inside.
with recursive climbed as (
    select l.community_id, l.parent_id
    from leiden_communities l
    where l.build_id = %(build_id)s and l.community_id = any(%(community_ids)s::text[])
    union
    select l.community_id, l.parent_id
    from climbed c
    join leiden_communities l
        on l.build_id = %(build_id)s and l.community_id = c.parent_id
)
select community_id from climbed order by community_id collate "C";

-- of_entities --
-- The communities that some entities are in, the finest first, with how many of them are in each.
with recursive climbed as (
    select m.entity_id, l.community_id, l.parent_id, l.level
    from community_members m
    join leiden_communities l using (build_id, community_id)
    where m.build_id = %(build_id)s and m.entity_id = any(%(entity_ids)s::text[])
    union
    select c.entity_id, l.community_id, l.parent_id, l.level
    from climbed c
    join leiden_communities l
        on l.build_id = %(build_id)s and l.community_id = c.parent_id
)
select c.community_id, count(*)::int as entities
from climbed c
join leiden_communities l on l.build_id = %(build_id)s and l.community_id = c.community_id
where l.report_id is not null
group by c.community_id, c.level
order by c.level desc, entities desc, c.community_id collate "C";

-- nearest_communities --
-- Communities of a build whose reports are nearest to a vector, among some or all.
-- One build's reports are few beside those of all: they are compared one by one.
-- Rows first: before a new build is analysed the planner takes it for a few rows, and looks
-- for each vector's community in all of it: 60 times as long with 5,000 communities.
with own as materialized (
    select l.community_id, l.report_id
    from leiden_communities l
    where l.build_id = %(build_id)s and l.report_id is not null
      and (%(ids)s::text[] is null or l.community_id = any(%(ids)s::text[]))
)
select o.community_id as report, 1 - (v.embedding <=> %(vector)s::halfvec) as score
from own o
join graph_embeddings v on v.app_id = %(app_id)s and v.space_id = %(space_id)s
    and v.kind = 'community' and v.src_entity_id = o.report_id
    and v.edge_type = '' and v.dst_entity_id = ''
order by score desc, o.community_id collate "C"
limit %(k)s;

-- nearest_chains --
-- Chains of a build whose reports are nearest to a vector.
select c.chain_id as report, 1 - (v.embedding <=> %(vector)s::halfvec) as score
from chain_reports c
join graph_embeddings v on v.app_id = %(app_id)s and v.space_id = %(space_id)s
    and v.kind = 'chain' and v.src_entity_id = c.build_id and v.dst_entity_id = c.chain_id
where c.build_id = %(build_id)s
order by score desc, c.chain_id collate "C"
limit %(k)s;

-- chains --
-- Some or all reports on chains of a build.
select c.chain_id, c.kind, c.title, c.text, c.content, c.citations
from chain_reports c
where c.build_id = %(build_id)s
  and (%(chain_ids)s::text[] is null or c.chain_id = any(%(chain_ids)s::text[]))
order by c.chain_id collate "C";

-- foremost_chains --
-- The first chains of a build: those that lead, in their order, then by their ids.
select chain_id
from chain_reports
where build_id = %(build_id)s
order by array_position(%(leads)s::text[], chain_id), chain_id collate "C"
limit %(k)s;

-- passages --
-- Where passages stand in what readers see now, and which of them pass a filter.
-- A document that was read again has them in other chunks: they are looked for in all of it.
select p.at::int as at, d.revision, c.ordinal,
       -- by its key: an array of one would be looked for in all documents
       exists (select from readable_documents(%(app_id)s, %(day)s, null, %(company)s) r
               where r.document_id = d.document_id)
       and (%(allowed)s::text[] is null or d.document_id = any(%(allowed)s::text[]))
       and (%(names)s::text[] is null or exists (
            select from entity_chunks o
            where o.document_id = d.document_id and o.chunk = c.ordinal
              and o.app_id = d.app_id and o.name_id = any(%(names)s::text[]))) as passes
from unnest(%(document_ids)s::text[], %(chunks)s::int[], %(starts)s::int[], %(quotes)s::text[])
    with ordinality as p (document_id, chunk, start, quote, at)
join current_documents d on d.app_id = %(app_id)s and d.document_id = p.document_id
cross join lateral (
    select c.chunk as ordinal
    from evidence_passages c
    where c.document_id = d.document_id and c.revision = d.revision
      and (%(moved)s::bool or c.chunk = p.chunk)
      and case when %(moved)s::bool then position(p.quote in c.content) > 0
               else substr(c.content, p.start + 1, length(p.quote)) = p.quote end
    order by c.chunk
    limit 1
) c
order by p.at;
