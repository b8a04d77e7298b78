-- touched_relations --
-- Pairs of names that current revisions of some documents relate, by what is asserted.
select distinct r.head_id, r.relation, r.tail_id
from documents d
join relation_evidence r on r.document_id = d.document_id and r.revision = d.current_revision
where d.document_id = any(%(document_ids)s::text[]) and r.modality = 'asserted';

-- relations_of_names --
-- Pairs of names that are related by what is asserted of some names.
select distinct r.head_id, r.relation, r.tail_id
from relation_evidence r
join documents d on d.document_id = r.document_id and d.current_revision = r.revision
where r.app_id = %(app_id)s and r.modality = 'asserted' and r.head_id = any(%(name_ids)s::text[])
union
select distinct r.head_id, r.relation, r.tail_id
from relation_evidence r
join documents d on d.document_id = r.document_id and d.current_revision = r.revision
where r.app_id = %(app_id)s and r.modality = 'asserted' and r.tail_id = any(%(name_ids)s::text[]);

-- evidence --
-- What is asserted between pairs of names, whichever is the head.
select r.head_id, r.relation, r.tail_id, r.document_id, r.chunk, r.ordinal, r.weight,
       r.description, r.valid_from, r.valid_to, r.published_on
from (select distinct least(one, other) as one, greatest(one, other) as other
      from unnest(%(head_ids)s::text[], %(tail_ids)s::text[]) as pair (one, other)) pair
cross join lateral (values (pair.one, pair.other), (pair.other, pair.one)) as ends (head, tail)
join relation_evidence r
    on r.app_id = %(app_id)s and r.head_id = ends.head and r.tail_id = ends.tail
join documents d on d.document_id = r.document_id and d.current_revision = r.revision
where r.modality = 'asserted' and (pair.one <> pair.other or ends.head = pair.one);

-- delete_edges --
-- Removes some edges; with them goes their history.
with gone as (
    select * from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
        as g (src, edge_type, dst)
),
steps as (
    delete from entity_neighbours n
    using (select src as entity_id, dst as neighbour_id, edge_type, true as outgoing from gone
           union all
           select dst, src, edge_type, false from gone) g
    where n.app_id = %(app_id)s and n.entity_id = g.entity_id
      and n.neighbour_id = g.neighbour_id and n.edge_type = g.edge_type
      and n.outgoing = g.outgoing
)
delete from entity_edges e
using gone g
where e.app_id = %(app_id)s and e.src_entity_id = g.src and e.dst_entity_id = g.dst
  and e.edge_type = g.edge_type;

-- add_edge --
-- One edge as it is now.
insert into entity_edges
    (app_id, src_entity_id, dst_entity_id, edge_type, weight, description, valid_from, valid_to,
     published_from, published_to, evidence_chunk_ids)
values (%(app_id)s, %(src)s, %(dst)s, %(edge_type)s, %(weight)s, %(description)s, %(valid_from)s,
        %(valid_to)s, %(published_from)s, %(published_to)s, %(evidence_chunk_ids)s);

-- add_step --
-- The weight of an edge between two days of publication, at both of its ends.
insert into entity_neighbours
    (app_id, entity_id, neighbour_id, edge_type, outgoing, since, until, weight)
select %(app_id)s, e.entity_id, e.neighbour_id, %(edge_type)s, e.outgoing, %(since)s::date,
       coalesce(%(until)s::date, 'infinity'), %(weight)s
from (values (%(src)s::text, %(dst)s::text, true), (%(dst)s::text, %(src)s::text, false))
    as e (entity_id, neighbour_id, outgoing);

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

-- clear_neighbours --
-- Removes the steps of weights of an app's graph.
delete from entity_neighbours where app_id = %(app_id)s;
