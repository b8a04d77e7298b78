-- Reports on chains and on links between sectors, and the graph of a day that they are drawn from.

-- links_of_day --
-- Edges of some relations with their weights by a day.
select e.entity_id as src, e.edge_type as relation, e.neighbour_id as dst, e.weight
from entity_neighbours e
where e.app_id = %(app_id)s and e.outgoing and e.edge_type = any(%(relations)s::text[])
  and e.since <= %(day)s::date and %(day)s::date < e.until
order by e.entity_id collate "C", e.edge_type collate "C", e.neighbour_id collate "C";

-- statements_of_day --
-- What current documents that were published by a day assert of some relations, and where.
select coalesce(h.entity_id, r.head_id) as src, r.relation, coalesce(t.entity_id, r.tail_id) as dst,
       r.document_id, r.revision, r.chunk, r.start_at, r.end_at, d.source, d.published_on
from relation_evidence r
join current_documents d on d.document_id = r.document_id and d.revision = r.revision
left join entity_members h on h.app_id = r.app_id and h.name_id = r.head_id
    and h.since <= %(day)s::date and %(day)s::date < h.until
left join entity_members t on t.app_id = r.app_id and t.name_id = r.tail_id
    and t.since <= %(day)s::date and %(day)s::date < t.until
where r.app_id = %(app_id)s and r.relation = any(%(relations)s::text[])
  and r.modality = 'asserted' and d.published_on <= %(day)s::date
order by r.document_id collate "C", r.chunk, r.ordinal;

-- chunks --
-- The text of some chunks and stating rows of tables, and the pages that they start on.
select wanted.document_id, wanted.chunk, c.page, c.content
from unnest(%(document_ids)s::text[], %(revisions)s::text[], %(chunks)s::int[])
    as wanted (document_id, revision, chunk)
cross join lateral evidence_passage(wanted.document_id, wanted.revision, wanted.chunk) c;

-- nodes_of_day --
-- Some entities as they were called by a day, with their types and codes.
with member as (
    select entity_id, name_id from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
),
held as (
    select m.entity_id, n.*
    from member m
    join entity_names n on n.app_id = %(app_id)s and n.name_id = m.name_id
    where n.published_on <= %(day)s::date
),
spelt as (
    select entity_id, name, bool_or(registered) as registered, sum(mention_count) as mentions,
           max(published_on) as until
    from held
    group by entity_id, name
),
named as (
    select distinct on (entity_id) entity_id, name
    from spelt
    -- the newest registered name, else the one that is used most
    order by entity_id, registered desc, case when registered then until end desc, mentions desc,
             length(name) desc, name collate "C"
),
-- put together once: looked for by entity, every row of `held` would be read for each of them
typed as (
    select entity_id,
           (array_agg(type order by (name_id = entity_id) desc, name_key collate "C"))[1] as type
    from held
    group by entity_id
),
coded as (
    select entity_id, array_agg(distinct code collate "C" order by code collate "C") as codes
    from held
    cross join lateral unnest(codes) as code
    group by entity_id
)
select n.entity_id, n.name, t.type, coalesce(c.codes, '{}') as codes
from named n
join typed t using (entity_id)
left join coded c using (entity_id)
order by n.entity_id collate "C";

-- delete_reports --
-- Removes the reports of a build with their vectors.
with vectors as (
    delete from graph_embeddings g
    using community_builds b
    where b.build_id = %(build_id)s and g.app_id = b.app_id and g.kind = 'chain'
      and g.src_entity_id = b.build_id
)
delete from chain_reports where build_id = %(build_id)s;

-- add_report --
-- One report of a build.
insert into chain_reports
    (build_id, chain_id, kind, title, content, changes, citations, text, markdown, html)
values (%(build_id)s, %(chain_id)s, %(kind)s, %(title)s, %(content)s, %(changes)s, %(citations)s,
        %(text)s, %(markdown)s, %(html)s);

-- reports --
-- Every report of a build, chains before links between sectors.
select chain_id, kind, title, content, changes, citations, text, markdown, html
from chain_reports
where build_id = %(build_id)s
order by kind collate "C", title collate "C", chain_id collate "C";

-- sources --
-- The file names of some documents that readers see.
select document_id, source
from current_documents
where document_id = any(%(document_ids)s::text[]);
