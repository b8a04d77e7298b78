-- texts --
-- What an app's graph and reports say of some elements, where no vector in a space is of that very text.
-- One by one: a join would put together every text there is.
select t.*
from unnest(%(kinds)s::text[], %(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as asked (kind, src, edge_type, dst)
cross join lateral (
    select t.kind, t.src_entity_id as src, t.edge_type, t.dst_entity_id as dst, t.text,
           encode(sha256(convert_to(t.text, 'UTF8')), 'hex') as text_sha256
    from graph_texts t
    where t.app_id = %(app_id)s and t.kind = asked.kind and t.src_entity_id = asked.src
      and t.edge_type = asked.edge_type and t.dst_entity_id = asked.dst
    limit 1
) t
where t.text_sha256 is distinct from (
    select g.text_sha256 from graph_embeddings g
    where g.app_id = %(app_id)s and g.kind = asked.kind and g.src_entity_id = asked.src
      and g.edge_type = asked.edge_type and g.dst_entity_id = asked.dst
      and g.space_id = %(space_id)s)
order by t.kind, t.src, t.edge_type, t.dst;

-- set_vector --
-- Stores the vector of one text in place of that of an older one, if the graph still says so.
insert into graph_embeddings
    (app_id, kind, src_entity_id, edge_type, dst_entity_id, space_id, text_sha256, embedding)
select app_id, kind, src_entity_id, edge_type, dst_entity_id, %(space_id)s, %(text_sha256)s,
       %(embedding)s::halfvec
from graph_texts
where app_id = %(app_id)s and kind = %(kind)s and src_entity_id = %(src)s
  and edge_type = %(edge_type)s and dst_entity_id = %(dst)s
  and encode(sha256(convert_to(text, 'UTF8')), 'hex') = %(text_sha256)s
on conflict (app_id, kind, src_entity_id, edge_type, dst_entity_id, space_id) do update
    set text_sha256 = excluded.text_sha256, embedding = excluded.embedding;

-- delete_stale_entities --
-- Removes vectors of some entities whose text is another now, or gone.
delete from graph_embeddings g
where g.app_id = %(app_id)s and g.kind = 'entity'
  and g.src_entity_id = any(%(entity_ids)s::text[])
  and g.text_sha256 is distinct from (
      select encode(sha256(convert_to(t.text, 'UTF8')), 'hex') from graph_texts t
      where t.app_id = %(app_id)s and t.kind = 'entity' and t.src_entity_id = g.src_entity_id
      limit 1);

-- delete_stale_relations --
-- Removes vectors of some relations whose text is another now, or gone.
delete from graph_embeddings g
using unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
    as edge (src, edge_type, dst)
where g.app_id = %(app_id)s and g.kind = 'relation' and g.src_entity_id = edge.src
  and g.edge_type = edge.edge_type and g.dst_entity_id = edge.dst
  and g.text_sha256 is distinct from (
      select encode(sha256(convert_to(t.text, 'UTF8')), 'hex') from graph_texts t
      where t.app_id = %(app_id)s and t.kind = 'relation' and t.src_entity_id = edge.src
        and t.edge_type = edge.edge_type and t.dst_entity_id = edge.dst
      limit 1);

-- delete_every_stale --
-- Removes every vector of a text that an app's graph no longer holds.
delete from graph_embeddings g
where g.app_id = %(app_id)s
  and not exists (
      select from graph_texts t
      where t.app_id = g.app_id and t.kind = g.kind and t.src_entity_id = g.src_entity_id
        and t.edge_type = g.edge_type and t.dst_entity_id = g.dst_entity_id
        and encode(sha256(convert_to(t.text, 'UTF8')), 'hex') = g.text_sha256);

-- apps --
-- Every app that has a graph.
select distinct app_id from entities order by app_id;
