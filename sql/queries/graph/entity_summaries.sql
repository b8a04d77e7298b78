-- frequent --
-- Entities that many chunks name.
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
named as (
    select m.entity_id, c.chunk_id, c.document_id, c.chunk, max(c.published_on) as published_on,
           sum(round(c.weight * 10)::int) as tenths
    from member m
    join entity_chunks c on c.app_id = %(app_id)s and c.name_id = m.name_id
    where %(as_of)s::date is null or c.published_on <= %(as_of)s::date
    group by m.entity_id, c.chunk_id, c.document_id, c.chunk
),
ranked as (
    select *, count(*) over (partition by entity_id) as chunks,
           row_number() over (partition by entity_id
                              order by tenths desc, published_on desc, document_id, chunk) as rank
    from named
)
select r.entity_id, r.chunk_id, c.content
from ranked r
join documents d using (document_id)
join clique_chunks c on c.document_id = d.document_id and c.revision = d.current_revision
    and c.ordinal = r.chunk
where r.rank <= %(k)s and r.chunks >= %(chunks)s
order by r.entity_id, r.rank;

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
-- Removes the summaries of all but some entities.
delete from entity_summaries
where app_id = %(app_id)s and entity_id <> all(%(entity_ids)s::text[]);
