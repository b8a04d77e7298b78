-- anchors --
-- Chunks that readers see and that name some entities: most of them first, then by weight.
select c.document_id, d.revision, c.chunk as ordinal, count(distinct n.entity_id)::int as entities,
       sum(c.weight) as weight
from unnest(%(entity_ids)s::text[], %(name_ids)s::text[]) as n (entity_id, name_id)
join entity_chunks c on c.app_id = %(app_id)s and c.name_id = n.name_id
join current_documents d on d.document_id = c.document_id
where c.published_on <= %(day)s::date
  and (%(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[]))
  and (%(company)s::text is null or exists (
        select from unnest(d.company_code || d.company_codes) as code
        where %(company)s::text in (lower(code), split_part(lower(code), '.', 1))))
  and (%(names)s::text[] is null or exists (
        select from entity_chunks o
        where o.document_id = c.document_id and o.chunk = c.chunk
          and o.app_id = c.app_id and o.name_id = any(%(names)s::text[])))
group by c.document_id, d.revision, c.chunk
order by entities desc, weight desc, c.document_id, c.chunk
limit %(k)s;

-- statements --
-- What is asserted between the ends of some edges in what readers see, newest first for each edge.
select edge.at::int as edge, r.document_id, r.revision, r.chunk as ordinal, r.weight, r.description
from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[], %(symmetric)s::bool[])
    with ordinality as edge (src, edge_type, dst, either_way, at)
cross join lateral (
    select e.*
    from unnest(%(entity_ids)s::text[], %(name_ids)s::text[]) as h (entity_id, name_id)
    join unnest(%(entity_ids)s::text[], %(name_ids)s::text[]) as t (entity_id, name_id)
        on h.entity_id = edge.src and t.entity_id = edge.dst
    cross join lateral (values (h.name_id, t.name_id, true), (t.name_id, h.name_id, edge.either_way))
        as ends (head, tail, counts)
    join relation_evidence e
        on e.app_id = %(app_id)s and e.head_id = ends.head and e.tail_id = ends.tail
        and e.relation = edge.edge_type
    join current_documents d on d.document_id = e.document_id and d.revision = e.revision
    where ends.counts and e.modality = 'asserted' and e.published_on <= %(day)s::date
      and (%(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[]))
      and (%(company)s::text is null or exists (
            select from unnest(d.company_code || d.company_codes) as code
            where %(company)s::text in (lower(code), split_part(lower(code), '.', 1))))
      and (%(names)s::text[] is null or exists (
            select from entity_chunks o
            where o.document_id = e.document_id and o.chunk = e.chunk
              and o.app_id = e.app_id and o.name_id = any(%(names)s::text[])))
    order by e.published_on desc, e.document_id, e.ordinal
    limit %(each)s
) r
order by edge.at, r.published_on desc, r.document_id, r.ordinal;

-- chunk_nearness --
-- How near some chunks are to a vector, by cosine.
select e.document_id, e.revision, e.ordinal, 1 - (e.embedding <=> %(vector)s::halfvec) as score
from unnest(%(document_ids)s::text[], %(revisions)s::text[], %(ordinals)s::int[])
    as found (document_id, revision, ordinal)
join embeddings e using (document_id, revision, ordinal)
where e.space_id = %(space_id)s and e.kind = 'chunk';
