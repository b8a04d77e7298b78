-- lock_graph --
-- One transaction at a time changes the graph of an app; held until it ends.
select pg_advisory_xact_lock(hashtext('finrag.entity_graph'), hashtext(%(app_id)s));

-- entities_of --
-- Entities that some documents name, or documents of some names: how many name each.
select coalesce(m.entity_id, n.name_id) as entity_id, count(distinct n.document_id)::int as documents
from (
    select name_id, document_id from entity_names
    where app_id = %(app_id)s and document_id = any(%(document_ids)s::text[])
    union all
    select name_id, document_id from entity_names
    where app_id = %(app_id)s and name_id = any(%(linked)s::text[])
      and document_id <> all(%(document_ids)s::text[])
      and document_id in (select o.document_id from entity_names o
                          where o.app_id = %(app_id)s and o.name_id = any(%(moved)s::text[]))
) n
left join entity_members m on m.app_id = %(app_id)s and m.name_id = n.name_id
    and m.until = 'infinity'
group by coalesce(m.entity_id, n.name_id);

-- move_chunks --
-- Puts the chunks of some names under the entity that they belong to now.
update entity_chunks c
set entity_id = coalesce((select e.entity_id from entity_members e
                          where e.app_id = c.app_id and e.name_id = c.name_id
                            and e.until = 'infinity'), c.name_id)
where c.app_id = %(app_id)s and c.name_id = any(%(name_ids)s::text[]);

-- entities_now --
-- Some entities as they are, from sums: how many documents and neighbours came to them is given.
with asked as (
    select *
    from unnest(%(entity_ids)s::text[], %(documents)s::int[], %(degrees)s::int[])
        as a (entity_id, documents, degree)
),
member as materialized (
    select m.entity_id, m.name_id
    from entity_members m
    where m.app_id = %(app_id)s and m.entity_id = any(%(entity_ids)s::text[])
      and m.until = 'infinity'
    union all
    select a.entity_id, a.entity_id
    from asked a
    where not exists (select from entity_members m
                      where m.app_id = %(app_id)s and m.name_id = a.entity_id)
),
variant as materialized (
    select m.entity_id, v.*
    from member m
    join name_variants v on v.app_id = %(app_id)s and v.name_id = m.name_id
),
spelt as materialized (
    select v.entity_id, v.name, bool_or(v.registered) as registered, sum(v.mentions) as mentions,
           min(f.published_on) as since, max(l.published_on) as until
    from (select entity_id, name_id, name, bool_or(registered) as registered,
                 sum(mention_count) as mentions
          from variant
          group by entity_id, name_id, name) v
    cross join lateral (
        select n.published_on
        from entity_names n
        where n.app_id = %(app_id)s and n.name_id = v.name_id and n.name = v.name
        order by n.published_on
        limit 1
    ) f
    cross join lateral (
        select n.published_on
        from entity_names n
        where n.app_id = %(app_id)s and n.name_id = v.name_id and n.name = v.name
        order by n.published_on desc
        limit 1
    ) l
    group by v.entity_id, v.name
),
named as (
    select distinct on (entity_id) entity_id, name
    from spelt
    -- the newest registered name, else the one that is used most
    order by entity_id, registered desc, case when registered then until end desc, mentions desc,
             length(name) desc, name collate "C"
),
called as (
    select entity_id, min(since) as published_from, max(until) as published_to,
           jsonb_agg(jsonb_build_object('name', name, 'since', since, 'until', until)
                     order by name collate "C") as aliases
    from spelt
    group by entity_id
),
counted as (
    select entity_id, sum(mention_count)::int as mention_count,
           (array_agg(type order by (name_id = entity_id) desc, name_key collate "C"))[1] as type,
           (array_agg(name_key order by (name_id = entity_id) desc, name_key collate "C"))[1]
               as entity_key
    from variant
    group by entity_id
),
coded as (
    select v.entity_id, array_agg(distinct code order by code) as codes
    from variant v, unnest(v.codes) as code
    group by v.entity_id
)
select a.entity_id, n.name, c.type, c.entity_key, c.mention_count,
       coalesce(e.document_count, 0) + a.documents as document_count,
       s.published_from, s.published_to, s.aliases, coalesce(k.codes, '{}') as codes,
       coalesce(t.description, '') as description, coalesce(e.degree, 0) + a.degree as degree
from asked a
join named n using (entity_id)
join called s using (entity_id)
join counted c using (entity_id)
left join coded k using (entity_id)
left join entities e on e.app_id = %(app_id)s and e.entity_id = a.entity_id
-- what it is, what it is related to, what is claimed of it: the newest few of each
cross join lateral (
    select string_agg(d.description, E'\n'
                      order by d.kind, d.published_on desc, d.description collate "C")
               as description
    from (values (1::smallint), (2::smallint), (3::smallint)) as k (kind)
    cross join lateral (
        select d.kind, d.published_on, d.description
        from entity_descriptions d
        where d.app_id = %(app_id)s and d.entity_id = a.entity_id and d.kind = k.kind
        order by d.published_on desc, "left"(d.description, 80) collate "C",
                 d.description collate "C"
        limit 4
    ) d
) t
order by a.entity_id;

-- set_entities --
-- Writes some entities, where they are other than what stands there.
insert into entities as e
    (app_id, entity_id, name, type, aliases, codes, entity_key, description, mention_count,
     document_count, degree, published_from, published_to)
select %(app_id)s, r.entity_id, r.name, r.type, r.aliases, r.codes, r.entity_key, r.description,
       r.mention_count, r.document_count, r.degree, r.published_from, r.published_to
from jsonb_to_recordset(%(rows)s) as r (
    entity_id text, name text, type text, aliases jsonb, codes text[], entity_key text,
    description text, mention_count int, document_count int, degree int, published_from date,
    published_to date)
on conflict (app_id, entity_id) do update
    set name = excluded.name, type = excluded.type, aliases = excluded.aliases,
        codes = excluded.codes, entity_key = excluded.entity_key,
        description = excluded.description, mention_count = excluded.mention_count,
        document_count = excluded.document_count, degree = excluded.degree,
        published_from = excluded.published_from, published_to = excluded.published_to
    where (e.name, e.type, e.aliases, e.codes, e.entity_key, e.description, e.mention_count,
           e.document_count, e.degree, e.published_from, e.published_to)
        is distinct from
          (excluded.name, excluded.type, excluded.aliases, excluded.codes, excluded.entity_key,
           excluded.description, excluded.mention_count, excluded.document_count, excluded.degree,
           excluded.published_from, excluded.published_to)
returning e.entity_id;

-- delete_entities --
-- Removes some entities that no document names any more.
delete from entities
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[])
returning entity_id;

-- delete_summaries --
-- Removes what was written of some entities: it may tell what is gone.
delete from entity_summaries where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[]);

-- describe_entities --
-- Some entities as they are, or as they were by a day of publication: from all that documents brought.
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
distinct_said as (
    select m.entity_id, min(d.kind) as kind, d.description, max(d.published_on) as published_on
    from member m
    join name_descriptions d on d.app_id = %(app_id)s and d.name_id = m.name_id
    where %(as_of)s::date is null or d.published_on <= %(as_of)s::date
    group by m.entity_id, d.description
),
-- what it is, what it is related to, what is claimed of it: the newest few of each
ranked as (
    select *, row_number() over (partition by entity_id, kind
                                 order by published_on desc, description collate "C") as rank
    from distinct_said
),
called as (
    select entity_id,
           jsonb_agg(jsonb_build_object('name', name, 'since', since, 'until', until)
                     order by name collate "C") as aliases
    from spelt
    group by entity_id
),
coded as (
    select h.entity_id, array_agg(distinct code order by code) as codes
    from held h, unnest(h.codes) as code
    group by h.entity_id
),
told as (
    select entity_id,
           string_agg(description, E'\n'
                      order by kind, published_on desc, description collate "C") as description
    from ranked
    where rank <= 4
    group by entity_id
)
select n.entity_id, n.name, c.type, c.entity_key, c.mention_count, c.document_count,
       c.published_from, c.published_to, l.aliases, coalesce(k.codes, '{}') as codes,
       coalesce(t.description, '') as description,
       (select count(distinct b.neighbour_id)::int from entity_neighbours b
        where b.app_id = %(app_id)s and b.entity_id = n.entity_id
          and case when %(as_of)s::date is null then b.until = 'infinity'
                   else b.since <= %(as_of)s::date and %(as_of)s::date < b.until end) as degree
from named n
join counted c using (entity_id)
join called l using (entity_id)
left join coded k using (entity_id)
left join told t using (entity_id)
order by n.entity_id;

-- every_document --
-- Documents of an app that readers see, in order of publication.
select document_id from current_documents where app_id = %(app_id)s
order by published_on, document_id;

-- every_entity --
-- Every entity of an app's graph.
select entity_id from entities where app_id = %(app_id)s;

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

-- clear_summaries --
-- Removes the summaries of an app's graph.
delete from entity_summaries where app_id = %(app_id)s;

-- clear_entities --
-- Removes the entities of an app's graph.
delete from entities where app_id = %(app_id)s;
