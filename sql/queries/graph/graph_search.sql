-- What a question reads of the entity graph, as of a day of publication: `day` is the day asked for,
-- or the last day there is.

-- spelled --
-- Entities that had one of some spellings by a day, with how often their documents used it.
with n as materialized (
    select spelling, name_id, min(type collate "C") as type, sum(mention_count) as mention_count
    from entity_names
    where app_id = %(app_id)s and spelling = any(%(spellings)s::text[])
      and published_on <= %(day)s::date
    group by spelling, name_id
)
select n.spelling, coalesce(m.entity_id, n.name_id) as entity_id,
       min(n.type) as type, sum(n.mention_count)::int as mention_count
from n
left join entity_members m on m.app_id = %(app_id)s and m.name_id = n.name_id
    and m.since <= %(day)s::date and %(day)s::date < m.until
group by n.spelling, coalesce(m.entity_id, n.name_id)
order by n.spelling, mention_count desc, entity_id;

-- coded --
-- Entities whose names went with one of some securities codes by a day.
select distinct coalesce(m.entity_id, n.name_id) as entity_id, n.type, code.code
from coded_names(%(app_id)s, %(codes)s::text[]) as coded (name_id)
join entity_names n on n.app_id = %(app_id)s and n.name_id = coded.name_id
cross join lateral unnest(n.codes) as code (code)
left join entity_members m on m.app_id = n.app_id and m.name_id = n.name_id
    and m.since <= %(day)s::date and %(day)s::date < m.until
where n.published_on <= %(day)s::date
  and code.code = any(%(codes)s::text[])
order by code.code, entity_id;

-- exists --
-- Which of some entities there were by a day.
select e.entity_id
from unnest(%(entity_ids)s::text[]) as e (entity_id)
where exists (
    select from entity_names n
    left join entity_members m on m.app_id = n.app_id and m.name_id = n.name_id
        and m.since <= %(day)s::date and %(day)s::date < m.until
    where n.app_id = %(app_id)s and n.published_on <= %(day)s::date
      and n.name_id in (select e.entity_id
                        union all
                        select x.name_id from entity_members x
                        where x.app_id = %(app_id)s and x.entity_id = e.entity_id)
      and coalesce(m.entity_id, n.name_id) = e.entity_id)
order by e.entity_id;

-- names_of --
-- The names that belonged to some entities by a day.
select entity_id, name_id
from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
order by entity_id, name_id;

-- entities_then --
-- The entities of a day to which the names of today's entities belonged.
with names as (
    -- today is the last day there is
    select entity_id as now_id, name_id
    from names_on(%(app_id)s, %(entity_ids)s, '9999-12-31')
)
select distinct n.now_id, coalesce(m.entity_id, n.name_id) as entity_id
from names n
left join entity_members m on m.app_id = %(app_id)s and m.name_id = n.name_id
    and m.since <= %(day)s::date and %(day)s::date < m.until
where exists (select from entity_names e
              where e.app_id = %(app_id)s and e.name_id = n.name_id
                and e.published_on <= %(day)s::date)
order by n.now_id, entity_id;

-- neighbours --
-- Entities within some hops by a day, nearest first, each by its best path.
-- A node leads to its `fan_out` heaviest edges and no further, and a path counts the less the more
-- edges lead to where it goes: everything is near to what everybody names.
with recursive reached as (
    select s.entity_id, 0 as hops, 1.0::double precision as score,
           array[s.entity_id] as path, null::text as edge_type, null::boolean as outgoing,
           null::double precision as weight
    from unnest(%(entity_ids)s::text[]) as s (entity_id)
    union all
    select n.neighbour_id, r.hops + 1,
           r.score * n.weight / (1 + n.weight) / ln(exp(1) + d.degree),
           r.path || n.neighbour_id, n.edge_type, n.outgoing, n.weight
    from reached r
    cross join lateral (
        select e.neighbour_id, e.edge_type, e.outgoing, e.weight
        from entity_neighbours e
        where e.app_id = %(app_id)s and e.entity_id = r.entity_id
          and e.since <= %(day)s::date and %(day)s::date < e.until
          and (%(edge_types)s::text[] is null or e.edge_type = any(%(edge_types)s::text[]))
        order by e.weight desc, e.neighbour_id, e.edge_type, e.outgoing
        limit %(fan_out)s
    ) n
    cross join lateral (
        select count(*) as degree
        from (select from entity_neighbours e
              where e.app_id = %(app_id)s and e.entity_id = n.neighbour_id
                and e.since <= %(day)s::date and %(day)s::date < e.until
              limit %(counted)s) counted
    ) d
    where r.hops < %(hops)s and n.neighbour_id <> all(r.path)
),
best as (
    select distinct on (entity_id) *
    from reached
    where hops > 0 and entity_id <> all(%(entity_ids)s::text[])
    order by entity_id, score desc, hops, path, edge_type, outgoing
)
select entity_id, hops, score, path[cardinality(path) - 1] as from_id, edge_type, outgoing, weight
from best
order by score desc, entity_id
limit %(k)s;

-- edges_among --
-- Edges between some entities by a day: what is stated before what only shares a chunk.
select e.entity_id as src, e.edge_type, e.neighbour_id as dst, e.weight
from entity_neighbours e
where e.app_id = %(app_id)s and e.outgoing and e.entity_id = any(%(entity_ids)s::text[])
  and e.neighbour_id = any(%(entity_ids)s::text[])
  and e.since <= %(day)s::date and %(day)s::date < e.until
order by e.edge_type = 'co_occurs', e.weight desc, e.entity_id, e.neighbour_id, e.edge_type
limit %(k)s;

-- entities --
-- Some entities as they are today.
select entity_id, name, type, entity_key, mention_count, document_count, published_from,
       published_to, aliases, codes, description, degree
from entities
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[])
order by entity_id;

-- nearest_entities --
-- Today's entities nearest to a vector, of which some name was used by a day.
select v.src_entity_id as entity_id,
       1 - (v.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)) as score
from graph_embeddings v
where v.app_id = %(app_id)s and v.space_id = %(space_id)s and v.kind = 'entity'
  and (%(as_of)s::date is null or exists (
        select from entity_names n
        where n.app_id = v.app_id and n.published_on <= %(as_of)s::date
          and n.name_id in (select v.src_entity_id
                            union all
                            select m.name_id from entity_members m
                            where m.app_id = v.app_id and m.entity_id = v.src_entity_id
                              and m.until = 'infinity')))
order by v.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)
limit %(k)s;

-- nearest_relations --
-- Today's edges nearest to a vector that were published in part by a day.
select v.src_entity_id as src, v.edge_type, v.dst_entity_id as dst,
       1 - (v.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)) as score
from graph_embeddings v
where v.app_id = %(app_id)s and v.space_id = %(space_id)s and v.kind = 'relation'
  and (%(as_of)s::date is null or exists (
        select from entity_edges e
        where e.app_id = v.app_id and e.src_entity_id = v.src_entity_id
          and e.dst_entity_id = v.dst_entity_id and e.edge_type = v.edge_type
          and e.published_from <= %(as_of)s::date))
order by v.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)
limit %(k)s;

-- edges_held --
-- Which of some edges there were by a day, with their weights then.
select edge.at::int as edge, e.weight
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    with ordinality as edge (src, edge_type, dst, at)
join entity_neighbours e
    on e.app_id = %(app_id)s and e.entity_id = edge.src and e.neighbour_id = edge.dst
    and e.edge_type = edge.edge_type and e.outgoing
where e.since <= %(day)s::date and %(day)s::date < e.until
order by edge.at;
