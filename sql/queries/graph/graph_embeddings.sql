-- pending_texts --
-- Texts of an app's entities and relations that have no vector of that very text in a space.
select t.kind, t.src_entity_id as src, t.edge_type, t.dst_entity_id as dst, t.text,
       encode(sha256(convert_to(t.text, 'UTF8')), 'hex') as text_sha256
from graph_texts t
where t.app_id = %(app_id)s and not exists (
    select from graph_embeddings g
    where g.app_id = t.app_id and g.kind = t.kind and g.src_entity_id = t.src_entity_id
      and g.edge_type = t.edge_type and g.dst_entity_id = t.dst_entity_id
      and g.space_id = %(space_id)s
      and g.text_sha256 = encode(sha256(convert_to(t.text, 'UTF8')), 'hex'))
order by t.kind, t.src_entity_id, t.edge_type, t.dst_entity_id;

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

-- delete_stale --
-- Removes vectors of texts that an app's graph no longer holds, of some entities and relations.
delete from graph_embeddings g
where g.app_id = %(app_id)s
  and (g.kind = 'entity' and g.src_entity_id = any(%(entity_ids)s::text[])
       or (g.src_entity_id, g.edge_type, g.dst_entity_id) in (
            select * from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])))
  and not exists (
      select from graph_texts t
      where t.app_id = g.app_id and t.kind = g.kind and t.src_entity_id = g.src_entity_id
        and t.edge_type = g.edge_type and t.dst_entity_id = g.dst_entity_id
        and encode(sha256(convert_to(t.text, 'UTF8')), 'hex') = g.text_sha256);

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
