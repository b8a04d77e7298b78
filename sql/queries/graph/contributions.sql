-- What each document brings to the graph, and the sums of it that change by the difference.

-- delete_contributions --
-- Removes what some documents brought.
with names as (delete from entity_names where document_id = any(%(document_ids)s::text[])),
     chunks as (delete from entity_chunks where document_id = any(%(document_ids)s::text[])),
     texts as (delete from name_descriptions where document_id = any(%(document_ids)s::text[])),
     edges as (delete from edge_documents where document_id = any(%(document_ids)s::text[]))
delete from edge_descriptions where document_id = any(%(document_ids)s::text[]);

-- add_names --
-- The names that current revisions of some documents use, registered ones and aliases included.
insert into entity_names
select * from entity_names_afresh where document_id = any(%(document_ids)s::text[]);

-- add_chunks --
-- Which chunks of some documents' current revisions name what, and how surely.
insert into entity_chunks
    (app_id, entity_id, name_id, document_id, chunk, page_no, confidence, weight, published_on)
select * from entity_chunks_afresh where document_id = any(%(document_ids)s::text[]);

-- add_name_descriptions --
-- What current revisions of some documents say of names.
insert into name_descriptions
select * from name_descriptions_afresh where document_id = any(%(document_ids)s::text[]);

-- add_edge_documents --
-- Which names current revisions of some documents relate, where and how surely.
insert into edge_documents
select * from edge_documents_afresh where document_id = any(%(document_ids)s::text[]);

-- add_edge_descriptions --
-- What current revisions of some documents say of related names.
insert into edge_descriptions
select * from edge_descriptions_afresh where document_id = any(%(document_ids)s::text[]);

-- count_variants --
-- Adds the names of some documents to what is counted of them, or takes them from it: sign 1 or -1.
insert into name_variants as v
    (app_id, name_id, name, registered, name_key, type, codes, document_count, mention_count)
select app_id, name_id, name, registered, min(name_key), type, codes, %(sign)s * count(*),
       %(sign)s * sum(mention_count)
from entity_names
where document_id = any(%(document_ids)s::text[])
group by app_id, name_id, name, registered, type, codes
on conflict (app_id, name_id, name, registered, type, codes) do update
    set document_count = v.document_count + excluded.document_count,
        mention_count = v.mention_count + excluded.mention_count;

-- names_of --
-- Names of some documents' contributions.
select distinct name_id from entity_names where document_id = any(%(document_ids)s::text[]);

-- drop_variants --
-- Forgets ways of writing some names that no document uses any more.
delete from name_variants
where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[]) and document_count = 0;

-- described_entities --
-- Which entities, by what texts, some documents or all documents of some names describe.
select distinct coalesce(m.entity_id, d.name_id) as entity_id, d.text_md5::text
from (
    select name_id, text_md5 from name_descriptions
    where app_id = %(app_id)s and document_id = any(%(document_ids)s::text[])
    union
    select name_id, text_md5 from name_descriptions
    where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])
) d
left join entity_members m on m.app_id = %(app_id)s and m.name_id = d.name_id
    and m.until = 'infinity';

-- set_descriptions --
-- Brings some texts that describe entities to what is said of their names now.
with asked as materialized (
    select * from unnest(%(entity_ids)s::text[], %(text_md5s)s::uuid[]) as a (entity_id, text_md5)
),
-- the newest of each kind: one look into the index each, however many say so
newest as materialized (
    select a.entity_id, a.text_md5, min(d.kind) as kind, max(d.published_on) as published_on,
           min(d.description) as description
    from asked a
    cross join lateral (
        select m.name_id from entity_members m
        where m.app_id = %(app_id)s and m.entity_id = a.entity_id and m.until = 'infinity'
        union all
        select a.entity_id
        where not exists (select from entity_members m
                          where m.app_id = %(app_id)s and m.name_id = a.entity_id)
    ) m
    cross join (values (1::smallint), (2::smallint), (3::smallint)) as k (kind)
    cross join lateral (
        select d.kind, d.published_on, d.description
        from name_descriptions d
        where d.app_id = %(app_id)s and d.name_id = m.name_id and d.text_md5 = a.text_md5
          and d.kind = k.kind
        order by d.published_on desc
        limit 1
    ) d
    group by a.entity_id, a.text_md5
),
gone as (
    delete from entity_descriptions e
    using (select entity_id, text_md5 from asked
           except
           select entity_id, text_md5 from newest) a
    where e.app_id = %(app_id)s and e.entity_id = a.entity_id and e.text_md5 = a.text_md5
)
insert into entity_descriptions as e
    (app_id, entity_id, text_md5, kind, published_on, description)
select %(app_id)s, entity_id, text_md5, kind, published_on, description from newest
on conflict (app_id, entity_id, text_md5) do update
    set kind = excluded.kind, published_on = excluded.published_on
    where (e.kind, e.published_on) is distinct from (excluded.kind, excluded.published_on);

-- described_edges --
-- Which related names, by what texts, some documents describe.
select head_id, relation, tail_id, text_md5::text
from edge_descriptions
where document_id = any(%(document_ids)s::text[]);

-- unmark_first --
-- Documents that are no longer the first to say some texts of related names.
update edge_descriptions e
set first = false
from unnest(%(head_ids)s::text[], %(relations)s::text[], %(tail_ids)s::text[],
            %(text_md5s)s::uuid[]) as a (head_id, relation, tail_id, text_md5)
cross join lateral (
    select d.document_id
    from edge_descriptions d
    where d.app_id = %(app_id)s and d.head_id = a.head_id and d.relation = a.relation
      and d.tail_id = a.tail_id and d.text_md5 = a.text_md5
    order by d.published_on desc, d.document_id collate "C"
    limit 1
) n
where e.app_id = %(app_id)s and e.head_id = a.head_id and e.relation = a.relation
  and e.tail_id = a.tail_id and e.text_md5 = a.text_md5 and e.first
  and e.document_id <> n.document_id;

-- mark_first --
-- Documents that are the first now to say some texts of related names.
update edge_descriptions e
set first = true
from unnest(%(head_ids)s::text[], %(relations)s::text[], %(tail_ids)s::text[],
            %(text_md5s)s::uuid[]) as a (head_id, relation, tail_id, text_md5)
cross join lateral (
    select d.document_id
    from edge_descriptions d
    where d.app_id = %(app_id)s and d.head_id = a.head_id and d.relation = a.relation
      and d.tail_id = a.tail_id and d.text_md5 = a.text_md5
    order by d.published_on desc, d.document_id collate "C"
    limit 1
) n
where e.document_id = n.document_id and e.head_id = a.head_id and e.tail_id = a.tail_id
  and e.relation = a.relation and e.text_md5 = a.text_md5 and not e.first;

-- clear_contributions --
-- Removes what every document of an app brought, and the sums of it.
with names as (delete from entity_names where app_id = %(app_id)s),
     chunks as (delete from entity_chunks where app_id = %(app_id)s),
     texts as (delete from name_descriptions where app_id = %(app_id)s),
     edges as (delete from edge_documents where app_id = %(app_id)s),
     edge_texts as (delete from edge_descriptions where app_id = %(app_id)s),
     variants as (delete from name_variants where app_id = %(app_id)s),
     entity_texts as (delete from entity_descriptions where app_id = %(app_id)s)
delete from alias_links where app_id = %(app_id)s;
