-- What many descriptions of an entity or a relation say together, as of the day of a build.

-- entities --
-- The entities of a build.
select entity_id from community_members where build_id = %(build_id)s order by entity_id;

-- entity_descriptions --
-- The newest distinct descriptions of entities that have more than a few by a day.
with name as materialized (
    select entity_id, name_id from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
),
said as (
    select n.entity_id, m.description, max(m.published_on) as published_on
    from name n
    join entity_mentions m on m.app_id = %(app_id)s and m.name_id = n.name_id
    join documents d on d.document_id = m.document_id and d.current_revision = m.revision
    where m.description <> '' and m.published_on <= %(day)s::date
    group by n.entity_id, m.description
),
ranked as (
    select *, count(*) over (partition by entity_id) as descriptions,
           row_number() over (partition by entity_id
                              order by published_on desc, description collate "C") as rank
    from said
)
select entity_id as src, '' as edge_type, '' as dst, description
from ranked
where descriptions > %(few)s and rank <= %(k)s
order by entity_id, rank;

-- relation_descriptions --
-- The newest distinct descriptions of edges among entities that have more than a few by a day.
with name as materialized (
    select entity_id, name_id from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
),
said as (
    select case when r.relation = any(%(symmetric)s::text[]) then least(h.entity_id, t.entity_id)
                else h.entity_id end as src,
           r.relation as edge_type,
           case when r.relation = any(%(symmetric)s::text[]) then greatest(h.entity_id, t.entity_id)
                else t.entity_id end as dst,
           r.description, r.published_on
    from relation_evidence r
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    join name h on h.name_id = r.head_id
    join name t on t.name_id = r.tail_id
    where r.app_id = %(app_id)s and r.relation <> 'co_occurs' and r.modality = 'asserted'
      and r.description <> '' and r.published_on <= %(day)s::date and h.entity_id <> t.entity_id
),
distinct_said as (
    select src, edge_type, dst, description, max(published_on) as published_on
    from said
    group by src, edge_type, dst, description
),
ranked as (
    select *, count(*) over (partition by src, edge_type, dst) as descriptions,
           row_number() over (partition by src, edge_type, dst
                              order by published_on desc, description collate "C") as rank
    from distinct_said
)
select src, edge_type, dst, description
from ranked
where descriptions > %(few)s and rank <= %(k)s
order by src, edge_type collate "C", dst, rank;

-- known --
-- Summaries of any build of an app that were written from some sources.
select distinct on (s.source_sha256) s.source_sha256, s.summary
from element_summaries s
join community_builds b using (build_id)
where b.app_id = %(app_id)s and s.source_sha256 = any(%(sources)s::text[])
order by s.source_sha256, s.build_id, s.kind, s.src_entity_id;

-- set_summary --
-- Writes one summary of a build in place of an older one.
insert into element_summaries
    (build_id, kind, src_entity_id, edge_type, dst_entity_id, summary, written_by, source_sha256)
values (%(build_id)s, %(kind)s, %(src)s, %(edge_type)s, %(dst)s, %(summary)s, %(written_by)s,
        %(source_sha256)s)
on conflict (build_id, kind, src_entity_id, edge_type, dst_entity_id) do update
    set summary = excluded.summary, written_by = excluded.written_by,
        source_sha256 = excluded.source_sha256;

-- keep_only --
-- Removes summaries of a build of what has few descriptions (now).
delete from element_summaries s
where s.build_id = %(build_id)s
  and not exists (
    select from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
        as k (src, edge_type, dst)
    where k.src = s.src_entity_id and k.edge_type = s.edge_type and k.dst = s.dst_entity_id);

-- summaries --
-- Summaries of a build, of entities and of relations among some entities.
select src_entity_id as src, edge_type, dst_entity_id as dst, summary
from element_summaries
where build_id = %(build_id)s and src_entity_id = any(%(entity_ids)s::text[])
order by src_entity_id, edge_type collate "C", dst_entity_id;
