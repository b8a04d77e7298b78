-- changes --
-- By how many tenths, and on which days of publication, the weights of edges rise and fall.
-- Counted are some documents, those in which some names were moved as far as they name what is linked
-- with these, and the evidence of some pairs of names.
with relation as materialized (
    select * from edge_documents
    where app_id = %(app_id)s and document_id = any(%(document_ids)s::text[])
    union all
    select * from edge_documents
    where app_id = %(app_id)s and document_id <> all(%(document_ids)s::text[])
      and (head_id = any(%(linked)s::text[]) or tail_id = any(%(linked)s::text[]))
      and document_id in (
            select m.document_id from edge_documents m
            where m.app_id = %(app_id)s and m.head_id = any(%(moved)s::text[])
            union all
            select m.document_id from edge_documents m
            where m.app_id = %(app_id)s and m.tail_id = any(%(moved)s::text[]))
    union all
    select e.*
    from (select distinct head_id, tail_id
          from unnest(%(head_ids)s::text[], %(tail_ids)s::text[]) as p (head_id, tail_id)) p
    join edge_documents e on e.app_id = %(app_id)s and e.head_id = p.head_id
        and e.tail_id = p.tail_id
),
-- a name belongs to one entity after the other
told as (
    select r.relation, coalesce(h.entity_id, r.head_id) collate "C" as head,
           coalesce(t.entity_id, r.tail_id) collate "C" as tail, r.document_id, r.chunks, r.tenths,
           greatest(r.published_on, h.since, t.since) as since,
           least(h.until, t.until, 'infinity'::date) as until
    from relation r
    left join entity_members h on h.app_id = %(app_id)s and h.name_id = r.head_id
    left join entity_members t on t.app_id = %(app_id)s and t.name_id = r.tail_id
),
share as materialized (
    select case when t.relation = any(%(symmetric)s::text[]) then least(t.head, t.tail)
                else t.head end as src,
           t.relation as edge_type,
           case when t.relation = any(%(symmetric)s::text[]) then greatest(t.head, t.tail)
                else t.tail end as dst,
           t.document_id, c.chunk, c.tenths, t.since, t.until
    from told t
    cross join lateral unnest(t.chunks, t.tenths) as c (chunk, tenths)
    where t.head <> t.tail and t.since < t.until
),
day as (
    select src, edge_type, dst, document_id, chunk, since as day from share
    union
    select src, edge_type, dst, document_id, chunk, until from share where until < 'infinity'
),
-- what a chunk adds from each of its days on: it counts once, by the heaviest of its statements
added as (
    select src, edge_type, dst, document_id, chunk, d.day,
           coalesce(max(s.tenths) filter (where s.since <= d.day and d.day < s.until), 0) as tenths
    from day d
    join share s using (src, edge_type, dst, document_id, chunk)
    group by src, edge_type, dst, document_id, chunk, d.day
)
select src, edge_type, dst, day, sum(change)::int as tenths
from (
    select src, edge_type, dst, day,
           tenths - lag(tenths, 1, 0) over (partition by src, edge_type, dst, document_id, chunk
                                            order by day) as change
    from added
) c
group by src, edge_type, dst, day
order by src, edge_type, dst, day;

-- change_steps --
-- Adds tenths to the weights of edges from some days on; steps before these days stay as they are.
with change as materialized (
    select *
    from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[], %(days)s::date[],
                %(tenths)s::int[]) as c (src, edge_type, dst, day, tenths)
),
held as materialized (
    select f.src, f.edge_type, f.dst, n.since, n.until, round(n.weight * 10)::int as tenths
    from (select src, edge_type, dst, min(day) as day from change group by 1, 2, 3) f
    join entity_neighbours n on n.app_id = %(app_id)s and n.entity_id = f.src
        and n.neighbour_id = f.dst and n.edge_type = f.edge_type and n.outgoing
        -- from the step in which, or with whose end, the first of the days falls
        and n.since >= coalesce((
            select b.since from entity_neighbours b
            where b.app_id = %(app_id)s and b.entity_id = f.src and b.neighbour_id = f.dst
              and b.edge_type = f.edge_type and b.outgoing and b.since < f.day
            order by b.since desc
            limit 1), f.day)
        and n.until >= f.day
),
rise as (
    select src, edge_type, dst, day, sum(tenths) as tenths
    from (
        select src, edge_type, dst, day, tenths from change
        union all
        select src, edge_type, dst, since, tenths from held
        union all
        select src, edge_type, dst, until, -tenths from held where until < 'infinity'
    ) r
    group by src, edge_type, dst, day
    having sum(tenths) <> 0
),
step as materialized (
    select *
    from (select src, edge_type, dst, day as since, lead(day, 1, 'infinity') over w as until,
                 (sum(tenths) over w)::int as tenths
          from rise
          window w as (partition by src, edge_type, dst order by day)) s
    where tenths <> 0
),
gone as (
    delete from entity_neighbours n
    using (
        select case when outgoing then src else dst end as entity_id,
               case when outgoing then dst else src end as neighbour_id, edge_type, outgoing, since
        from (select src, edge_type, dst, since from held
              except
              select src, edge_type, dst, since from step) h
        cross join (values (true), (false)) as o (outgoing)
    ) h
    where n.app_id = %(app_id)s and n.entity_id = h.entity_id
      and n.neighbour_id = h.neighbour_id and n.edge_type = h.edge_type
      and n.outgoing = h.outgoing and n.since = h.since
)
insert into entity_neighbours as n
    (app_id, entity_id, neighbour_id, edge_type, outgoing, since, until, weight)
select %(app_id)s, case when outgoing then src else dst end,
       case when outgoing then dst else src end, edge_type, outgoing, since, until, tenths / 10.0
from (select * from step except select * from held) s
cross join (values (true), (false)) as o (outgoing)
on conflict (app_id, entity_id, neighbour_id, edge_type, outgoing, since) do update
    set until = excluded.until, weight = excluded.weight;

-- clear --
-- Removes the steps of weights of an app's graph.
delete from entity_neighbours where app_id = %(app_id)s;
