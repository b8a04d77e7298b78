-- note --
-- Remembers what a stage left of a document; tries count while as much is left.
insert into unfinished_stages as u (document_id, revision, stage, left_count, reason, tries)
values (%(document_id)s, %(revision)s, %(stage)s, %(left)s, %(reason)s, %(in_vain)s::boolean::int)
on conflict (document_id, revision, stage) do update
    set left_count = excluded.left_count, reason = excluded.reason, noted_at = now(),
        tries = excluded.tries
                + case when u.left_count = excluded.left_count then u.tries else 0 end;

-- settle --
-- Forgets what a stage left of a document: it has finished since.
delete from unfinished_stages
where document_id = %(document_id)s and revision = %(revision)s and stage = %(stage)s;

-- waiting --
-- What stages left of the documents of an app, those with most left first.
select u.document_id,
       coalesce((select min(s.name collate "C") from document_sources s
                 where s.document_id = d.document_id), d.document_id) as source,
       u.stage, u.left_count, u.reason, u.tries
from unfinished_stages u
join documents d using (document_id)
where d.app_id = %(app_id)s and u.stage = any(%(stages)s::text[])
order by u.left_count desc, source, u.stage;
