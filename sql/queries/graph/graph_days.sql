-- What two days make of the entity graph, as of days of publication.

-- changed_edges --
-- Edges that are stated otherwise on a later day than on an earlier one, the most changed first.
with touched as (
    select distinct entity_id, edge_type, neighbour_id
    from entity_neighbours
    where app_id = %(app_id)s and outgoing and edge_type <> 'co_occurs'
      and ((since > %(first)s and since <= %(last)s) or (until > %(first)s and until <= %(last)s))
      and (%(entity_id)s::text is null or %(entity_id)s::text in (entity_id, neighbour_id))
),
compared as (
    select t.entity_id as src, t.edge_type, t.neighbour_id as dst,
           coalesce(b.weight, 0) as before, coalesce(n.weight, 0) as now
    from touched t
    left join entity_neighbours b on b.app_id = %(app_id)s and b.entity_id = t.entity_id
        and b.neighbour_id = t.neighbour_id and b.edge_type = t.edge_type and b.outgoing
        and b.since <= %(first)s and %(first)s < b.until
    left join entity_neighbours n on n.app_id = %(app_id)s and n.entity_id = t.entity_id
        and n.neighbour_id = t.neighbour_id and n.edge_type = t.edge_type and n.outgoing
        and n.since <= %(last)s and %(last)s < n.until
)
select src, edge_type, dst, before, now, count(*) over ()::int as total
from compared
where before <> now
order by abs(now - before) desc, src, edge_type collate "C", dst
limit %(k)s;
