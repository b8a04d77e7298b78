-- frequent --
-- Entities that many chunks name: read from all of them.
select entity_id
from entity_chunks
where app_id = %(app_id)s
group by entity_id
having count(distinct (document_id, chunk)) >= %(chunks)s
order by entity_id;

-- anchors --
-- The foremost chunks of some entities' names, as they are or were by a day of publication.
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
-- two names of an entity, the rarer first; how rare is not counted to the end
counted as materialized (
    select m.entity_id, m.name_id, (
        select count(*) from (
            select from entity_chunks c
            where c.app_id = %(app_id)s and c.name_id = m.name_id
            limit 10000) bounded) as chunks
    from member m
),
pair as materialized (
    select m.entity_id, m.name_id, o.name_id as other_id
    from counted m
    join counted o on o.entity_id = m.entity_id and (o.chunks, o.name_id) > (m.chunks, m.name_id)
),
-- a chunk that names an entity once is foremost only if it is so of that name; those that name it by
-- several names are looked up from the rarer
candidate as (
    select m.entity_id, c.document_id, c.chunk
    from member m
    cross join lateral (
        select c.document_id, c.chunk
        from entity_chunks c
        where c.app_id = %(app_id)s and c.name_id = m.name_id
          and (%(as_of)s::date is null or c.published_on <= %(as_of)s::date)
        order by c.weight desc, c.published_on desc, c.document_id, c.chunk
        limit %(k)s
    ) c
    union
    select p.entity_id, c.document_id, c.chunk
    from pair p
    cross join lateral (
        select c.document_id, c.chunk
        from entity_chunks c
        where c.app_id = %(app_id)s and c.name_id = p.name_id
          and (%(as_of)s::date is null or c.published_on <= %(as_of)s::date)
        offset 0  -- each by itself: joined, all chunks of all names would be
    ) c
    join entity_chunks n on n.app_id = %(app_id)s and n.name_id = p.other_id
        and n.document_id = c.document_id and n.chunk = c.chunk
),
named as (
    select t.entity_id, c.chunk_id, c.document_id, c.chunk, max(c.published_on) as published_on,
           sum(round(c.weight * 10)::int) as tenths
    from candidate t
    join member m using (entity_id)
    join entity_chunks c on c.app_id = %(app_id)s and c.name_id = m.name_id
        and c.document_id = t.document_id and c.chunk = t.chunk
    group by t.entity_id, c.chunk_id, c.document_id, c.chunk
),
ranked as (
    select *, count(*) over (partition by entity_id) as candidates,
           row_number() over (partition by entity_id
                              order by tenths desc, published_on desc, document_id, chunk) as rank
    from named
)
select r.entity_id, r.chunk_id, c.content
from ranked r
join documents d using (document_id)
cross join lateral evidence_passage(d.document_id, d.current_revision, r.chunk) c
-- as many as are asked for, or all there are: fewer than are needed say that there are no more
where r.rank <= %(k)s and r.candidates >= %(chunks)s
order by r.entity_id, r.rank;

-- described --
-- What summaries are told of some entities besides their chunks.
select entity_id, name, type, aliases, description, published_to
from entities
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[])
order by entity_id;

-- summaries --
-- What is written of some entities of an app, and from what; of all without ids.
select entity_id, summary_text, anchor_chunk_ids, written_by, source_sha256, published_to
from entity_summaries
where app_id = %(app_id)s
  and (%(entity_ids)s::text[] is null or entity_id = any(%(entity_ids)s::text[]))
order by entity_id;

-- set_summary --
-- Writes one summary in place of an older one, where its entity is still there.
insert into entity_summaries
    (app_id, entity_id, summary_text, anchor_chunk_ids, written_by, source_sha256, published_to)
select %(app_id)s, entity_id, %(summary_text)s, %(anchor_chunk_ids)s, %(written_by)s,
       %(source_sha256)s, %(published_to)s
from entities
where app_id = %(app_id)s and entity_id = %(entity_id)s
on conflict (app_id, entity_id) do update
    set summary_text = excluded.summary_text, anchor_chunk_ids = excluded.anchor_chunk_ids,
        written_by = excluded.written_by, source_sha256 = excluded.source_sha256,
        published_to = excluded.published_to, updated_at = now();

-- delete_summaries --
-- Removes the summaries of some entities.
delete from entity_summaries
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[]);

-- count --
-- How many entities of an app have a summary.
select count(*)::int as summaries from entity_summaries where app_id = %(app_id)s;
