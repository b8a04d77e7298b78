-- anchors --
-- Chunks that readers see and that name some entities: most of them first, then by weight.
-- Of each name the weightiest `each` are looked at, in the order of an index, so that a name that
-- every chunk has costs no more than another. What names several entities is found by the rarest.
with named as materialized (
    select * from unnest(%(entity_ids)s::text[], %(name_ids)s::text[]) as n (entity_id, name_id)
),
candidate as materialized (
    select c.document_id, c.chunk
    from named n
    cross join lateral (
        select c.document_id, c.chunk
        from entity_chunks c
        where c.app_id = %(app_id)s and c.name_id = n.name_id and c.published_on <= %(day)s::date
        order by c.weight desc, c.document_id, c.chunk
        limit %(each)s
    ) c
    where not %(narrowed)s::boolean
    union
    -- few documents: by their names instead
    select c.document_id, c.chunk
    from named n
    cross join readable_documents(%(app_id)s, %(day)s, %(document_ids)s, %(company)s) d
    join entity_chunks c on c.app_id = %(app_id)s and c.name_id = n.name_id
        and c.document_id = d.document_id
    where %(narrowed)s::boolean
      and (%(names)s::text[] is null or exists (
            select from entity_chunks o
            where o.document_id = c.document_id and o.chunk = c.chunk
              and o.app_id = c.app_id and o.name_id = any(%(names)s::text[])))
)
select c.document_id, d.current_revision as revision, c.chunk as ordinal, c.entities, c.weight
from (
    select x.document_id, x.chunk, count(distinct c.entity_id)::int as entities,
           sum(c.weight) as weight
    from candidate x
    -- one by one: joined as a whole, every chunk of every name would be read after all
    cross join lateral (
        select n.entity_id, c.weight
        from named n
        join entity_chunks c on c.app_id = %(app_id)s and c.name_id = n.name_id
            and c.document_id = x.document_id and c.chunk = x.chunk
        offset 0
    ) c
    group by x.document_id, x.chunk
) c
join documents d on d.document_id = c.document_id and d.status = 'indexed'
order by c.entities desc, c.weight desc, c.document_id, c.chunk
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
    cross join lateral (
        -- in the order of an index: two names that share every chunk have statements without end
        select e.*
        from relation_evidence e
        join documents d on d.document_id = e.document_id and d.current_revision = e.revision
        where ends.counts and e.app_id = %(app_id)s and e.head_id = ends.head
          and e.tail_id = ends.tail and e.relation = edge.edge_type and e.modality = 'asserted'
          and e.published_on <= %(day)s::date
          and (not %(narrowed)s::boolean or e.document_id in (
                select d.document_id
                from readable_documents(%(app_id)s, %(day)s, %(document_ids)s, %(company)s) d))
          and (%(names)s::text[] is null or exists (
                select from entity_chunks o
                where o.document_id = e.document_id and o.chunk = e.chunk
                  and o.app_id = e.app_id and o.name_id = any(%(names)s::text[])))
        order by e.published_on desc, e.document_id, e.ordinal
        limit %(each)s
    ) e
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

-- companies_in --
-- Companies that some chunks name, and where.
select m.document_id, m.revision, m.chunk as ordinal, m.start_at, m.resolved_id as key,
       coalesce(m.registered_name, m.text) as name
from unnest(%(document_ids)s::text[], %(revisions)s::text[], %(ordinals)s::int[])
    as found (document_id, revision, chunk)
join entity_mentions m using (document_id, revision, chunk)
where m.type = 'company'
order by m.document_id, m.revision, m.chunk, m.start_at;
