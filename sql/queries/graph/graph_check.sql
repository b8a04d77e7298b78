-- Whether what is kept of the graph is what some documents bring: each block reads only what they name.

-- snapshot --
-- What is read from here on is of one moment, and nothing is written; publications go on.
set transaction isolation level repeatable read read only;

-- some_documents --
-- Some documents of an app, current or not: those that follow a digest, around the whole circle.
select document_id
from (
    (select document_id, content_sha256, 1 as turn from documents
     where app_id = %(app_id)s and content_sha256 >= %(digest)s
     order by content_sha256
     limit %(most)s)
    union all
    (select document_id, content_sha256, 2 from documents
     where app_id = %(app_id)s and content_sha256 < %(digest)s
     order by content_sha256
     limit %(most)s)
) d
order by turn, content_sha256
limit %(most)s;

-- contributions --
-- Tables that hold something else of some documents than their current revisions say.
select 'entity_names' as name
where exists (
    (select * from entity_names where document_id = any(%(document_ids)s::text[])
     except all
     select * from entity_names_afresh where document_id = any(%(document_ids)s::text[]))
    union all
    (select * from entity_names_afresh where document_id = any(%(document_ids)s::text[])
     except all
     select * from entity_names where document_id = any(%(document_ids)s::text[])))
union all
select 'entity_chunks'
where exists (
    (select app_id, entity_id, name_id, document_id, chunk, page_no, confidence, weight,
            published_on
     from entity_chunks where document_id = any(%(document_ids)s::text[])
     except all
     select * from entity_chunks_afresh where document_id = any(%(document_ids)s::text[]))
    union all
    (select * from entity_chunks_afresh where document_id = any(%(document_ids)s::text[])
     except all
     select app_id, entity_id, name_id, document_id, chunk, page_no, confidence, weight,
            published_on
     from entity_chunks where document_id = any(%(document_ids)s::text[])))
union all
select 'name_descriptions'
where exists (
    (select * from name_descriptions where document_id = any(%(document_ids)s::text[])
     except all
     select * from name_descriptions_afresh where document_id = any(%(document_ids)s::text[]))
    union all
    (select * from name_descriptions_afresh where document_id = any(%(document_ids)s::text[])
     except all
     select * from name_descriptions where document_id = any(%(document_ids)s::text[])))
union all
select 'edge_documents'
where exists (
    (select * from edge_documents where document_id = any(%(document_ids)s::text[])
     except all
     select * from edge_documents_afresh where document_id = any(%(document_ids)s::text[]))
    union all
    (select * from edge_documents_afresh where document_id = any(%(document_ids)s::text[])
     except all
     select * from edge_documents where document_id = any(%(document_ids)s::text[])))
union all
select 'edge_descriptions'
where exists (
    (select app_id, head_id, relation, tail_id, document_id, text_md5, ordinal, published_on,
            description
     from edge_descriptions where document_id = any(%(document_ids)s::text[])
     except all
     select * from edge_descriptions_afresh where document_id = any(%(document_ids)s::text[]))
    union all
    (select * from edge_descriptions_afresh where document_id = any(%(document_ids)s::text[])
     except all
     select app_id, head_id, relation, tail_id, document_id, text_md5, ordinal, published_on,
            description
     from edge_descriptions where document_id = any(%(document_ids)s::text[])))
   or exists (
    select from edge_descriptions e
    cross join lateral (
        select d.first from edge_descriptions d
        where d.app_id = e.app_id and d.head_id = e.head_id and d.relation = e.relation
          and d.tail_id = e.tail_id and d.text_md5 = e.text_md5
        order by d.published_on desc, d.document_id collate "C"
        limit 1
    ) n
    where e.document_id = any(%(document_ids)s::text[]) and not n.first);

-- named --
-- Names in some documents, or declared there, and how many documents use each.
select n.name_id, coalesce(sum(v.document_count), 0)::int as documents
from (
    select name_id from entity_names where document_id = any(%(document_ids)s::text[])
    union
    select name_id from entity_names_afresh where document_id = any(%(document_ids)s::text[])
    union
    select a.alias_id
    from documents d
    join entity_aliases a on a.document_id = d.document_id and a.revision = d.current_revision
    where d.document_id = any(%(document_ids)s::text[])
) n
left join name_variants v on v.app_id = %(app_id)s and v.name_id = n.name_id
group by n.name_id;

-- sums --
-- Tables that hold something else of some names, or of the entities that have them, than documents bring.
with entity as materialized (
    select distinct coalesce(m.entity_id, n.name_id) as entity_id
    from unnest(%(name_ids)s::text[]) as n (name_id)
    left join entity_members m on m.app_id = %(app_id)s and m.name_id = n.name_id
        and m.until = 'infinity'
),
member as materialized (
    select e.entity_id, m.name_id
    from entity e
    join entity_members m on m.app_id = %(app_id)s and m.entity_id = e.entity_id
        and m.until = 'infinity'
    union all
    select e.entity_id, e.entity_id
    from entity e
    where not exists (select from entity_members m
                      where m.app_id = %(app_id)s and m.name_id = e.entity_id)
),
held as (
    select entity_id, text_md5, kind, published_on, description
    from entity join entity_descriptions d using (entity_id)
    where d.app_id = %(app_id)s
),
said as (
    select m.entity_id, d.text_md5, min(d.kind), max(d.published_on), min(d.description)
    from member m
    join name_descriptions d on d.app_id = %(app_id)s and d.name_id = m.name_id
    group by m.entity_id, d.text_md5
)
select 'name_variants' as name
where exists (
    (select * from name_variants
     where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])
     except all
     select * from name_variants_afresh
     where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[]))
    union all
    (select * from name_variants_afresh
     where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])
     except all
     select * from name_variants
     where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])))
union all
select 'alias_links'
where exists (
    (select * from alias_links
     where app_id = %(app_id)s and alias_id = any(%(name_ids)s::text[])
     except all
     select * from alias_links_afresh
     where app_id = %(app_id)s and alias_id = any(%(name_ids)s::text[]))
    union all
    (select * from alias_links_afresh
     where app_id = %(app_id)s and alias_id = any(%(name_ids)s::text[])
     except all
     select * from alias_links
     where app_id = %(app_id)s and alias_id = any(%(name_ids)s::text[])))
union all
select 'entity_descriptions'
where exists ((select * from held except all select * from said)
              union all
              (select * from said except all select * from held));

-- entities --
-- Some entities as they stand.
select entity_id, name, type, entity_key, mention_count, document_count, published_from,
       published_to, aliases, codes, description, degree
from entities
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[])
order by entity_id;

-- edges --
-- Some edges as they stand.
select a.src, a.edge_type, a.dst, e.weight, e.description, e.valid_from, e.valid_to,
       e.published_from, e.published_to, e.evidence_chunk_ids
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as a (src, edge_type, dst)
join entity_edges e on e.app_id = %(app_id)s and e.src_entity_id = a.src
    and e.dst_entity_id = a.dst and e.edge_type = a.edge_type;

-- steps --
-- The steps of some edges' weights, in tenths, at both of their ends.
select a.src, a.edge_type, a.dst, n.since, nullif(n.until, 'infinity') as until,
       round(n.weight * 10)::int as tenths
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as a (src, edge_type, dst)
cross join (values (true), (false)) as o (outgoing)
join entity_neighbours n on n.app_id = %(app_id)s and n.edge_type = a.edge_type
    and n.entity_id = case when o.outgoing then a.src else a.dst end
    and n.neighbour_id = case when o.outgoing then a.dst else a.src end
    and n.outgoing = o.outgoing
order by a.src, a.edge_type, a.dst, o.outgoing, n.since;

-- every_edge --
-- Every edge of an app, of now or of some day.
select src_entity_id as src, edge_type, dst_entity_id as dst
from entity_edges where app_id = %(app_id)s
union
select entity_id, edge_type, neighbour_id
from entity_neighbours where app_id = %(app_id)s and outgoing;
