-- held_edges --
-- Which of some edges there are, and how they are described.
select e.src_entity_id as src, e.edge_type, e.dst_entity_id as dst, e.description
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as a (src, edge_type, dst)
join entity_edges e on e.app_id = %(app_id)s and e.src_entity_id = a.src
    and e.dst_entity_id = a.dst and e.edge_type = a.edge_type;

-- edges_now --
-- Some edges as they are, as far as anything is asserted; of texts and chunks the newest few.
-- Each part looks into an index for each pair of names, and parts are put together by grouping: joined,
-- they would be compared each with each where the planner takes them for few.
with pair as materialized (
    select p.src, p.edge_type, p.dst, p.head_id, p.tail_id
    from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
        as a (src, edge_type, dst)
    cross join lateral (
        select m.name_id from entity_members m
        where m.app_id = %(app_id)s and m.entity_id = a.src and m.until = 'infinity'
        union all
        select a.src
        where not exists (select from entity_members m
                          where m.app_id = %(app_id)s and m.name_id = a.src)
    ) s
    cross join lateral (
        select m.name_id from entity_members m
        where m.app_id = %(app_id)s and m.entity_id = a.dst and m.until = 'infinity'
        union all
        select a.dst
        where not exists (select from entity_members m
                          where m.app_id = %(app_id)s and m.name_id = a.dst)
    ) d
    cross join lateral (
        select a.src, a.edge_type, a.dst, s.name_id as head_id, d.name_id as tail_id
        union all
        select a.src, a.edge_type, a.dst, d.name_id, s.name_id
        where a.edge_type = any(%(symmetric)s::text[])
    ) p
),
days as (
    select p.src, p.edge_type, p.dst, min(f.published_on) as published_from,
           max(l.published_on) as published_to, min(v.valid_from) as valid_from,
           max(u.valid_to) as valid_to
    from pair p
    cross join lateral (
        select e.published_on from edge_documents e
        where e.app_id = %(app_id)s and e.head_id = p.head_id and e.tail_id = p.tail_id
          and e.relation = p.edge_type
        order by e.published_on
        limit 1
    ) f
    cross join lateral (
        select e.published_on from edge_documents e
        where e.app_id = %(app_id)s and e.head_id = p.head_id and e.tail_id = p.tail_id
          and e.relation = p.edge_type
        order by e.published_on desc
        limit 1
    ) l
    left join lateral (
        select e.valid_from from edge_documents e
        where e.app_id = %(app_id)s and e.head_id = p.head_id and e.tail_id = p.tail_id
          and e.relation = p.edge_type and e.valid_from is not null
        order by e.valid_from
        limit 1
    ) v on true
    left join lateral (
        select e.valid_to from edge_documents e
        where e.app_id = %(app_id)s and e.head_id = p.head_id and e.tail_id = p.tail_id
          and e.relation = p.edge_type and e.valid_to is not null
        order by e.valid_to desc
        limit 1
    ) u on true
    group by p.src, p.edge_type, p.dst
),
chunks as (
    select src, edge_type, dst,
           jsonb_agg(document_id || ':' || chunk
                     order by published_on, document_id collate "C", chunk) as chunk_ids
    from (
        select *, row_number() over (partition by src, edge_type, dst
                                     order by published_on desc, document_id collate "C" desc,
                                              chunk desc) as place
        from (
            select distinct p.src, p.edge_type, p.dst, e.published_on, e.document_id, c.chunk
            from pair p
            cross join lateral (
                select e.published_on, e.document_id, e.chunks from edge_documents e
                where e.app_id = %(app_id)s and e.head_id = p.head_id and e.tail_id = p.tail_id
                  and e.relation = p.edge_type
                order by e.published_on desc, e.document_id collate "C" desc
                limit %(chunks)s
            ) e
            cross join lateral unnest(e.chunks) as c (chunk)
        ) d
    ) r
    where place <= %(chunks)s
    group by src, edge_type, dst
),
texts as (
    select src, edge_type, dst,
           string_agg(description, E'\n'
                      order by published_on desc, document_id collate "C", ordinal) as description
    from (
        select *, row_number() over (partition by src, edge_type, dst
                                     order by published_on desc, document_id collate "C",
                                              ordinal) as place
        from (
            -- names that are one entity may say the same
            select distinct on (p.src, p.edge_type, p.dst, d.text_md5)
                   p.src, p.edge_type, p.dst, d.*
            from pair p
            cross join lateral (
                select d.text_md5, d.published_on, d.document_id, d.ordinal, d.description
                from edge_descriptions d
                where d.app_id = %(app_id)s and d.head_id = p.head_id and d.tail_id = p.tail_id
                  and d.relation = p.edge_type and d.first
                order by d.published_on desc, d.document_id collate "C", d.ordinal
                limit %(texts)s
            ) d
            order by p.src, p.edge_type, p.dst, d.text_md5, d.published_on desc,
                     d.document_id collate "C", d.ordinal
        ) t
    ) r
    where place <= %(texts)s
    group by src, edge_type, dst
),
told as (
    select src, edge_type, dst, max(description) as description, max(valid_from) as valid_from,
           max(valid_to) as valid_to, max(published_from) as published_from,
           max(published_to) as published_to, jsonb_agg(chunk_ids) filter (where chunk_ids is not null) -> 0
               as chunk_ids
    from (
        select src, edge_type, dst, null as description, valid_from, valid_to, published_from,
               published_to, null::jsonb as chunk_ids
        from days
        union all
        select src, edge_type, dst, null, null, null, null, null, chunk_ids from chunks
        union all
        select src, edge_type, dst, description, null, null, null, null, null from texts
    ) part
    group by src, edge_type, dst
)
select t.src, t.edge_type, t.dst, w.weight, coalesce(t.description, '') as description,
       t.valid_from, t.valid_to, t.published_from, t.published_to,
       t.chunk_ids as evidence_chunk_ids
from told t
cross join lateral (
    select n.weight from entity_neighbours n
    where n.app_id = %(app_id)s and n.entity_id = t.src and n.neighbour_id = t.dst
      and n.edge_type = t.edge_type and n.outgoing and n.until = 'infinity'
    order by n.since desc
    limit 1
) w
order by t.src, t.edge_type, t.dst;

-- set_edges --
-- Writes some edges, where they are other than what stands there.
insert into entity_edges as e
    (app_id, src_entity_id, dst_entity_id, edge_type, weight, description, valid_from, valid_to,
     published_from, published_to, evidence_chunk_ids)
select %(app_id)s, r.src, r.dst, r.edge_type, r.weight, r.description, r.valid_from, r.valid_to,
       r.published_from, r.published_to, r.evidence_chunk_ids
from jsonb_to_recordset(%(rows)s) as r (
    src text, dst text, edge_type text, weight double precision, description text,
    valid_from date, valid_to date, published_from date, published_to date,
    evidence_chunk_ids jsonb)
on conflict (app_id, src_entity_id, dst_entity_id, edge_type) do update
    set weight = excluded.weight, description = excluded.description,
        valid_from = excluded.valid_from, valid_to = excluded.valid_to,
        published_from = excluded.published_from, published_to = excluded.published_to,
        evidence_chunk_ids = excluded.evidence_chunk_ids, updated_at = now()
    where (e.weight, e.description, e.valid_from, e.valid_to, e.published_from, e.published_to,
           e.evidence_chunk_ids)
        is distinct from
          (excluded.weight, excluded.description, excluded.valid_from, excluded.valid_to,
           excluded.published_from, excluded.published_to, excluded.evidence_chunk_ids);

-- delete_edges --
-- Removes some edges that nothing asserts any more; the steps of their weights stay.
delete from entity_edges e
using unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as g (src, edge_type, dst)
where e.app_id = %(app_id)s and e.src_entity_id = g.src and e.dst_entity_id = g.dst
  and e.edge_type = g.edge_type;

-- edges_between --
-- Every edge between the ends of some edges, whatever its type and direction.
select e.src_entity_id as src, e.edge_type, e.dst_entity_id as dst
from (select src, dst from unnest(%(srcs)s::text[], %(dsts)s::text[]) as p (src, dst)
      union
      select dst, src from unnest(%(srcs)s::text[], %(dsts)s::text[]) as p (src, dst)) p
join entity_edges e on e.app_id = %(app_id)s and e.src_entity_id = p.src
    and e.dst_entity_id = p.dst;

-- every_edge --
-- Every edge of an app that is described.
select src_entity_id as src, edge_type, dst_entity_id as dst
from entity_edges
where app_id = %(app_id)s and description <> '';

-- edges_of --
-- The edges of one entity, the weightiest first.
select e.edge_type, e.src_entity_id, e.dst_entity_id, o.name as other, o.type as other_type,
       e.src_entity_id = %(entity_id)s as outgoing, e.weight, e.description, e.valid_from,
       e.valid_to, e.published_from, e.published_to
from entity_edges e
join entities o on o.app_id = e.app_id
    and o.entity_id = case when e.src_entity_id = %(entity_id)s then e.dst_entity_id
                           else e.src_entity_id end
where e.app_id = %(app_id)s and %(entity_id)s in (e.src_entity_id, e.dst_entity_id)
order by (e.edge_type = 'co_occurs'), e.weight desc, e.edge_type, o.entity_id
limit %(k)s;

-- clear_edges --
-- Removes the edges of an app's graph.
delete from entity_edges where app_id = %(app_id)s;
