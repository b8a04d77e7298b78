-- lock_graph --
-- One transaction at a time changes the graph of an app; held until it ends.
select pg_advisory_xact_lock(hashtext('finrag.entity_graph'), hashtext(%(app_id)s));

-- touched_names --
-- Names that current revisions of some documents mention or declare.
select m.name_id
from documents d
join entity_mentions m on m.document_id = d.document_id and m.revision = d.current_revision
where d.document_id = any(%(document_ids)s::text[])
union
select unnest(array[a.alias_id, a.name_id])
from documents d
join entity_aliases a on a.document_id = d.document_id and a.revision = d.current_revision
where d.document_id = any(%(document_ids)s::text[]);

-- delete_names --
-- Removes the names that some documents used.
delete from entity_names where document_id = any(%(document_ids)s::text[]);

-- add_names --
-- The names that current revisions of some documents use, registered ones and aliases included.
insert into entity_names
    (app_id, name_id, document_id, name, spelling, registered, name_key, type, codes,
     mention_count, published_on)
select app_id, name_id, document_id, name, min(spelling), bool_or(registered), min(name_key),
       min(type), max(codes), sum(mention_count), min(published_on)
from (
    select m.app_id, m.name_id, m.document_id, m.revision, m.name, m.spelling,
           false as registered, m.name_key, m.type,
           case when m.name_id = m.resolved_id then m.codes else '{}' end as codes,
           1 as mention_count, m.published_on
    from entity_mentions m
    where m.document_id = any(%(document_ids)s::text[])
    union all
    select m.app_id, m.name_id, m.document_id, m.revision, m.registered_name,
           m.registered_spelling, true, m.name_key, m.type, m.codes, 0, m.published_on
    from entity_mentions m
    where m.document_id = any(%(document_ids)s::text[])
      and m.registered_name is not null and m.name_id = m.resolved_id
    union all
    select a.app_id, m.name_id, a.document_id, a.revision, a.alias, a.spelling, false, m.name_key,
           m.type, m.codes, 0, a.published_on
    from entity_aliases a
    join entity_mentions m using (document_id, revision)
    where a.document_id = any(%(document_ids)s::text[]) and m.name_id = a.name_id
) spelt
join documents d using (document_id, app_id)
where d.current_revision = spelt.revision
group by app_id, name_id, document_id, name;

-- delete_chunks --
-- Removes which chunks of some documents name what.
delete from entity_chunks where document_id = any(%(document_ids)s::text[]);

-- add_chunks --
-- Which chunks of some documents' current revisions name what, and how surely.
insert into entity_chunks
    (app_id, entity_id, name_id, document_id, chunk, page_no, confidence, weight, published_on)
select m.app_id,
       coalesce((select e.entity_id from entity_members e
                 where e.app_id = m.app_id and e.name_id = m.name_id and e.until = 'infinity'),
                m.name_id),
       m.name_id, m.document_id, m.chunk, min(m.page),
       (array_agg(m.confidence order by v.tenths desc))[1], sum(v.tenths) / 10.0,
       min(m.published_on)
from entity_mentions m
join documents d on d.document_id = m.document_id and d.current_revision = m.revision
join (values ('high', 10), ('medium', 6), ('low', 3)) as v (confidence, tenths)
    on v.confidence = m.confidence
where m.document_id = any(%(document_ids)s::text[])
group by m.app_id, m.name_id, m.document_id, m.chunk;

-- move_chunks --
-- Puts the chunks of some names under the entity that they belong to now.
update entity_chunks c
set entity_id = coalesce((select e.entity_id from entity_members e
                          where e.app_id = c.app_id and e.name_id = c.name_id
                            and e.until = 'infinity'), c.name_id)
where c.app_id = %(app_id)s and c.name_id = any(%(name_ids)s::text[]);

-- describe_entities --
-- Some entities as they are, or as they were by a day of publication.
with member as (
    select m.entity_id, m.name_id
    from entity_members m
    where m.app_id = %(app_id)s and m.entity_id = any(%(entity_ids)s::text[])
      and case when %(as_of)s::date is null then m.until = 'infinity'
               else m.since <= %(as_of)s::date and %(as_of)s::date < m.until end
    union all
    select asked.entity_id, asked.entity_id
    from unnest(%(entity_ids)s::text[]) as asked (entity_id)
    where not exists (select from entity_members m
                      where m.app_id = %(app_id)s and m.name_id = asked.entity_id)
),
held as (
    select m.entity_id, n.*
    from member m
    join entity_names n on n.app_id = %(app_id)s and n.name_id = m.name_id
    where %(as_of)s::date is null or n.published_on <= %(as_of)s::date
),
spelt as (
    select entity_id, name, bool_or(registered) as registered, sum(mention_count) as mentions,
           min(published_on) as since, max(published_on) as until
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
counted as (
    select entity_id, sum(mention_count)::int as mention_count,
           count(distinct document_id)::int as document_count, min(published_on) as published_from,
           max(published_on) as published_to,
           (array_agg(type order by (name_id = entity_id) desc, name_key collate "C"))[1] as type,
           (array_agg(name_key order by (name_id = entity_id) desc, name_key collate "C"))[1]
               as entity_key
    from held
    group by entity_id
),
said as (
    select m.entity_id, 1 as kind, r.description, r.published_on
    from member m
    join entity_mentions r on r.app_id = %(app_id)s and r.name_id = m.name_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.description <> '' and (%(as_of)s::date is null or r.published_on <= %(as_of)s::date)
    union all
    select m.entity_id, 2, r.description, r.published_on
    from member m
    join relation_evidence r on r.app_id = %(app_id)s and r.head_id = m.name_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.description <> '' and r.modality = 'asserted'
      and (%(as_of)s::date is null or r.published_on <= %(as_of)s::date)
    union all
    select m.entity_id, 2, r.description, r.published_on
    from member m
    join relation_evidence r on r.app_id = %(app_id)s and r.tail_id = m.name_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.description <> '' and r.modality = 'asserted'
      and (%(as_of)s::date is null or r.published_on <= %(as_of)s::date)
    union all
    select m.entity_id, 3, c.description, c.published_on
    from member m
    join entity_claims c on c.app_id = %(app_id)s and c.name_id = m.name_id
    join documents d on d.document_id = c.document_id and d.current_revision = c.revision
    where c.description <> '' and c.modality = 'asserted'
      and (%(as_of)s::date is null or c.published_on <= %(as_of)s::date)
),
distinct_said as (
    select entity_id, min(kind) as kind, description, max(published_on) as published_on
    from said
    group by entity_id, description
),
-- what it is, what it is related to, what is claimed of it: the newest few of each
ranked as (
    select *, row_number() over (partition by entity_id, kind
                                 order by published_on desc, description collate "C") as rank
    from distinct_said
)
select n.entity_id, n.name, c.type, c.entity_key, c.mention_count, c.document_count,
       c.published_from, c.published_to,
       (select jsonb_agg(jsonb_build_object('name', s.name, 'since', s.since, 'until', s.until)
                         order by s.name collate "C")
        from spelt s where s.entity_id = n.entity_id) as aliases,
       (select coalesce(array_agg(distinct code order by code), '{}')
        from held h, unnest(h.codes) as code where h.entity_id = n.entity_id) as codes,
       (select coalesce(string_agg(r.description, E'\n'
                                   order by r.kind, r.published_on desc, r.description collate "C"),
                        '')
        from ranked r where r.entity_id = n.entity_id and r.rank <= 4) as description,
       (select count(distinct b.neighbour_id)::int from entity_neighbours b
        where b.app_id = %(app_id)s and b.entity_id = n.entity_id
          and case when %(as_of)s::date is null then b.until = 'infinity'
                   else b.since <= %(as_of)s::date and %(as_of)s::date < b.until end) as degree
from named n
join counted c using (entity_id)
order by n.entity_id;

-- delete_entities --
-- Removes some entities, with what was written of them by a model.
with s as (delete from entity_summaries
           where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[]))
delete from entities where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[]);

-- add_entity --
-- One entity as it is now.
insert into entities
    (app_id, entity_id, name, type, aliases, codes, entity_key, description, mention_count,
     document_count, degree, published_from, published_to)
values (%(app_id)s, %(entity_id)s, %(name)s, %(type)s, %(aliases)s, %(codes)s::text[],
        %(entity_key)s, %(description)s, %(mention_count)s, %(document_count)s, %(degree)s,
        %(published_from)s, %(published_to)s);

-- every_document --
-- Documents of an app that have, or had, a part in its graph.
select document_id from documents where app_id = %(app_id)s and current_revision is not null
union
select document_id from entity_names where app_id = %(app_id)s
order by 1;

-- every_name --
-- Every name of an app's graph, used, declared, or decided on.
select name_id from entity_names where app_id = %(app_id)s
union
select name_id from entity_members where app_id = %(app_id)s;

-- digests --
-- One digest a table of an app's graph, of its rows without their moments.
select 'entity_names' as name,
       md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest
from entity_names t where app_id = %(app_id)s
union all
select 'entity_members', md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), ''))
from entity_members t where app_id = %(app_id)s
union all
select 'entity_chunks', md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), ''))
from entity_chunks t where app_id = %(app_id)s
union all
select 'entity_neighbours', md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), ''))
from entity_neighbours t where app_id = %(app_id)s
union all
select 'entity_edges', md5(coalesce(string_agg(md5(r::text), '' order by md5(r::text)), ''))
from (select to_jsonb(t) - 'updated_at' as r from entity_edges t where app_id = %(app_id)s) e
union all
select 'entities', md5(coalesce(string_agg(md5(r::text), '' order by md5(r::text)), ''))
from (select to_jsonb(t) - 'created_at' as r from entities t where app_id = %(app_id)s) e;

-- counts --
-- How large the graph of an app is.
select
    (select count(*)::int from entities where app_id = %(app_id)s) as entities,
    (select count(*)::int from entity_edges where app_id = %(app_id)s) as edges,
    (select count(*)::int from entity_edges
     where app_id = %(app_id)s and edge_type = 'co_occurs') as co_occurrences,
    (select count(*)::int from entity_summaries where app_id = %(app_id)s) as summaries,
    (select count(*)::int from entities
     where app_id = %(app_id)s and degree >= %(super_node)s) as super_nodes;

-- largest --
-- The entities with the most neighbours.
select entity_id, name, type, degree, mention_count
from entities
where app_id = %(app_id)s
order by degree desc, entity_id
limit %(k)s;

-- clear_names --
-- Removes the names of an app's graph.
delete from entity_names where app_id = %(app_id)s;

-- clear_chunks --
-- Removes the chunks of an app's graph.
delete from entity_chunks where app_id = %(app_id)s;

-- clear_summaries --
-- Removes the summaries of an app's graph.
delete from entity_summaries where app_id = %(app_id)s;

-- clear_entities --
-- Removes the entities of an app's graph.
delete from entities where app_id = %(app_id)s;
