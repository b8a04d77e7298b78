-- made_under --
-- Under what everything of an app was looked at for a work; none where it never was.
select made_under from element_passes where app_id = %(app_id)s and work = %(work)s;

-- set_pass --
-- Notes that everything was looked at for a work, and listed where it was lacking.
insert into element_passes (app_id, work, made_under)
values (%(app_id)s, %(work)s, %(made_under)s)
on conflict (app_id, work) do update
    set made_under = excluded.made_under, passed_at = now();

-- forget_passes --
-- Has everything of an app looked at again.
delete from element_passes where app_id = %(app_id)s;

-- list_entities --
-- Lists some entities for every work: what is said of them changed.
insert into unfinished_elements (app_id, work, kind, src_entity_id)
select %(app_id)s, work.work, 'entity', e.entity_id
from unnest(%(entity_ids)s::text[]) as e (entity_id)
cross join (select space_id as work from vector_spaces union all select 'summary') as work
on conflict (app_id, work, kind, src_entity_id, edge_type, dst_entity_id) do update
    set listed_by = excluded.listed_by;

-- list_relations --
-- Lists those of some relations that a text is embedded of, for every vector space.
insert into unfinished_elements (app_id, work, kind, src_entity_id, edge_type, dst_entity_id)
select e.app_id, s.space_id, 'relation', e.src_entity_id, e.edge_type, e.dst_entity_id
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[]) as k (src, edge_type, dst)
join entity_edges e on e.app_id = %(app_id)s and e.src_entity_id = k.src
    and e.dst_entity_id = k.dst and e.edge_type = k.edge_type
cross join vector_spaces s
where e.description <> ''
on conflict (app_id, work, kind, src_entity_id, edge_type, dst_entity_id) do update
    set listed_by = excluded.listed_by;

-- list_relations_of_renamed --
-- Lists the relations of listed entities that are called otherwise than in their embedded texts.
with renamed as materialized (
    select e.entity_id
    from unfinished_elements u
    join entities e on e.app_id = u.app_id and e.entity_id = u.src_entity_id
    left join embedded_names n on n.app_id = e.app_id and n.entity_id = e.entity_id
    where u.app_id = %(app_id)s and u.work = %(work)s and u.kind = 'entity'
      and e.name is distinct from n.name
),
relation as (
    select e.src_entity_id, e.edge_type, e.dst_entity_id
    from renamed r
    join entity_edges e on e.app_id = %(app_id)s and e.src_entity_id = r.entity_id
    where e.description <> ''
    union
    select e.src_entity_id, e.edge_type, e.dst_entity_id
    from renamed r
    join entity_edges e on e.app_id = %(app_id)s and e.dst_entity_id = r.entity_id
    where e.description <> ''
)
insert into unfinished_elements (app_id, work, kind, src_entity_id, edge_type, dst_entity_id)
select %(app_id)s, s.space_id, 'relation', r.src_entity_id, r.edge_type, r.dst_entity_id
from relation r
cross join vector_spaces s
on conflict (app_id, work, kind, src_entity_id, edge_type, dst_entity_id) do update
    set listed_by = excluded.listed_by;

-- set_names --
-- Notes how listed entities are called in the texts that are embedded from now on.
insert into embedded_names (app_id, entity_id, name)
select e.app_id, e.entity_id, e.name
from unfinished_elements u
join entities e on e.app_id = u.app_id and e.entity_id = u.src_entity_id
where u.app_id = %(app_id)s and u.work = %(work)s and u.kind = 'entity'
on conflict (app_id, entity_id) do update set name = excluded.name
    where embedded_names.name <> excluded.name;

-- delete_names --
-- Forgets the names of listed entities that are gone.
delete from embedded_names n
using unfinished_elements u
where u.app_id = %(app_id)s and u.work = %(work)s and u.kind = 'entity'
  and n.app_id = u.app_id and n.entity_id = u.src_entity_id
  and not exists (select from entities e
                  where e.app_id = n.app_id and e.entity_id = n.entity_id);

-- add_names --
-- Notes how the entities of an app are called now whose names were never embedded with relations.
insert into embedded_names (app_id, entity_id, name)
select app_id, entity_id, name from entities where app_id = %(app_id)s
on conflict do nothing;

-- list_every_text --
-- Lists every text of an app's graph and reports that has no vector of that very text in a space.
insert into unfinished_elements (app_id, work, kind, src_entity_id, edge_type, dst_entity_id)
select t.app_id, %(work)s, t.kind, t.src_entity_id, t.edge_type, t.dst_entity_id
from graph_texts t
where t.app_id = %(app_id)s and not exists (
    select from graph_embeddings g
    where g.app_id = t.app_id and g.kind = t.kind and g.src_entity_id = t.src_entity_id
      and g.edge_type = t.edge_type and g.dst_entity_id = t.dst_entity_id
      and g.space_id = %(work)s
      and g.text_sha256 = encode(sha256(convert_to(t.text, 'UTF8')), 'hex'))
on conflict do nothing;

-- list_reports --
-- Lists those reports of a build that have no vector in a space; their ids tell their text.
insert into unfinished_elements (app_id, work, kind, src_entity_id, dst_entity_id)
select b.app_id, %(work)s, r.kind, r.src, r.dst
from community_builds b
cross join lateral (
    select distinct 'community' as kind, l.report_id as src, '' as dst
    from leiden_communities l
    where l.build_id = b.build_id and l.report_id is not null
    union all
    select 'chain', c.build_id, c.chain_id from chain_reports c where c.build_id = b.build_id
) r
where b.build_id = %(build_id)s and not exists (
    select from graph_embeddings g
    where g.app_id = b.app_id and g.kind = r.kind and g.src_entity_id = r.src
      and g.edge_type = '' and g.dst_entity_id = r.dst and g.space_id = %(work)s)
on conflict do nothing;

-- list_summaries --
-- Lists some entities, and all that have one, for their summaries.
insert into unfinished_elements (app_id, work, kind, src_entity_id)
select %(app_id)s, %(work)s, 'entity', listed.entity_id
from (
    select unnest(%(entity_ids)s::text[]) as entity_id
    union
    select entity_id from entity_summaries where app_id = %(app_id)s
) listed
on conflict do nothing;

-- count --
-- How many elements are listed for a work.
select count(*)::int as listed from unfinished_elements
where app_id = %(app_id)s and work = %(work)s;

-- listed --
-- The next elements that are listed for a work, in order.
select kind, src_entity_id as src, edge_type, dst_entity_id as dst, listed_by::text as listed_by
from unfinished_elements
where app_id = %(app_id)s and work = %(work)s
  and (kind, src_entity_id, edge_type, dst_entity_id)
      > (%(kind)s, %(src)s, %(edge_type)s, %(dst)s)
order by kind, src_entity_id, edge_type, dst_entity_id
limit %(k)s;

-- strike --
-- Takes those of some elements off the list that nobody listed again meanwhile.
delete from unfinished_elements u
using unnest(%(kinds)s::text[], %(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[],
             %(listed_by)s::text[]) as done (kind, src, edge_type, dst, listed_by)
where u.app_id = %(app_id)s and u.work = %(work)s and u.kind = done.kind
  and u.src_entity_id = done.src and u.edge_type = done.edge_type and u.dst_entity_id = done.dst
  and u.listed_by = done.listed_by::xid8
returning u.kind, u.src_entity_id as src, u.edge_type, u.dst_entity_id as dst;
