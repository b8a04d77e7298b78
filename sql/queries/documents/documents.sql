-- in_scope --
-- Documents of a scope that have to pass a stage: not withdrawn, not known to fail, stage not done.
with chosen as (
    select document_id from documents
    where app_id = %(app_id)s
      and (%(days)s::date[] is null or arrival_on = any(%(days)s::date[]))
    union
    -- what earlier days left; what they indexed under another revision is no leftover
    select document_id from documents
    where app_id = %(app_id)s and status in ('registered', 'quarantined')
      and arrival_on < %(leftovers_before)s::date
    union
    select u.document_id
    from unfinished_stages u
    join documents d using (document_id)
    where d.app_id = %(app_id)s and u.revision = %(revision)s::text
      and u.tries < %(most_tries)s and d.arrival_on < %(leftovers_before)s::date
)
select d.document_id, d.app_id, d.content_sha256, d.size_bytes, d.arrival_on,
       s.names[1] as source, s.uris
from chosen
join documents d using (document_id)
join lateral (
    select array_agg(uri order by uri collate "C") as uris,
           array_agg(name order by uri collate "C") as names
    from document_sources where document_id = d.document_id
) s on s.uris is not null
where d.status <> 'withdrawn'
  and (%(paths)s::text[] is null or exists (
        select from document_sources own, unnest(%(paths)s::text[]) as path
        where own.document_id = d.document_id
          and (own.uri = path or starts_with(own.uri, rtrim(path, '/') || '/'))))
  and ('x' || substr(d.content_sha256, 1, 7))::bit(28)::int %% %(batches)s::int = %(batch)s::int - 1
  and d.reason_under is distinct from %(reason_under)s::text
  and cardinality(%(after)s::text[]) = (
        select count(*) from document_stages t
        where t.document_id = d.document_id and t.revision = %(revision)s::text
          and t.stage = any(%(after)s::text[]))
  and not exists (
        select from document_stages t
        where t.document_id = d.document_id and t.revision = %(revision)s::text
          and t.stage = %(stage)s::text)
order by d.arrival_on, d.document_id;

-- never_tried --
-- Documents that a run registered and none has finished or quarantined; their files are there.
select d.document_id from documents d
where d.app_id = %(app_id)s and d.status = 'registered'
  and exists (select from document_sources s where s.document_id = d.document_id)
order by d.document_id;

-- lock_documents --
-- Takes the rows of documents and of those that they may replace, in order of ids, for one short transaction.
with recursive asked as (
    select unnest(%(document_ids)s::text[]) as document_id
    union
    select s.old_document_id from supersessions s
    join asked a on s.new_document_id = a.document_id
)
select document_id, app_id, status, current_revision
from documents
where document_id = any(array(select document_id from asked))
order by document_id
for no key update;

-- set_current --
-- Makes a revision the one that readers see.
update documents
set status = 'indexed', current_revision = %(revision)s, indexed_at = now(),
    reason = null, detail = null, reason_under = null
where document_id = %(document_id)s;

-- delete_other_revisions --
-- Removes all that other revisions of the document left.
delete from document_revisions
where document_id = %(document_id)s and revision <> %(revision)s;

-- delete_revisions --
-- Removes all that every revision of the document left.
delete from document_revisions where document_id = %(document_id)s;

-- superseded --
-- Documents that this one replaces, directly or through others, and that no source holds any more.
-- What readers have stays until they have this one: it is being published, or it was readable once.
with recursive replaced as (
    select old_document_id as document_id from supersessions
    where new_document_id = %(document_id)s
    union
    select s.old_document_id from supersessions s
    join replaced r on s.new_document_id = r.document_id
)
select d.document_id
from documents d
where d.document_id = any(array(select document_id from replaced))
  and d.document_id <> %(document_id)s
  and d.status <> 'withdrawn'
  and not exists (select from document_sources s where s.document_id = d.document_id)
  and (d.status <> 'indexed' or %(publishing)s::boolean or exists (
        select from documents n
        where n.document_id = %(document_id)s and n.status in ('indexed', 'withdrawn')
          and n.indexed_at is not null))
order by d.document_id
for no key update;

-- set_withdrawn --
-- Takes a document from readers; its row stays as a memory that it was here.
update documents
set status = 'withdrawn', current_revision = null, reason = null, detail = null, reason_under = null
where document_id = %(document_id)s;

-- set_reason --
-- Quarantines a document, or keeps its last good revision and notes why the new one failed.
update documents
set status = case when current_revision is null then 'quarantined' else status end,
    reason = %(reason)s, detail = %(detail)s, reason_under = %(reason_under)s
where document_id = %(document_id)s and status <> 'withdrawn';

-- clear_reason --
-- Forgets why a document failed: it passed a stage since.
update documents
set status = case when status = 'quarantined' then 'registered' else status end,
    reason = null, detail = null, reason_under = null
where document_id = %(document_id)s and reason is not null;

-- add_change --
-- Tells keyword copies that readers see this document differently.
insert into index_changes (app_id, document_id) values (%(app_id)s, %(document_id)s);

-- add_changes --
-- Tells them so of several documents, once a transaction.
insert into index_changes (app_id, document_id)
select d.app_id, d.document_id
from current_documents d
where d.document_id = any(%(document_ids)s::text[])
  and not exists (select from index_changes c
                  where c.transaction_id = pg_current_xact_id() and c.document_id = d.document_id);

-- find_documents --
-- Documents that a name may mean: an id or its start as lists print it, or the name of a source with or without its suffix.
select distinct d.document_id, s.name as source, d.status
from documents d
left join document_sources s on s.document_id = d.document_id
where d.app_id = %(app_id)s
  and (d.document_id = %(name)s or s.uri = %(name)s or s.name = %(name)s
       or regexp_replace(s.name, '\.[^.]+$', '') = %(name)s
       or (length(%(name)s::text) >= 8 and starts_with(d.document_id, %(name)s::text)))
order by d.document_id;

-- named_nearly --
-- Documents of an app with those first whose file name or title has a name as a part.
select distinct d.document_id, coalesce(s.name, d.document_id) as source, d.status,
       position(lower(%(name)s) in lower(coalesce(s.name, ''))) > 0
       or position(lower(%(name)s) in lower(coalesce(r.title, ''))) > 0 as part
from documents d
left join document_sources s on s.document_id = d.document_id
left join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.app_id = %(app_id)s and d.status <> 'withdrawn'
order by part desc, d.document_id
limit 10000;

-- list_documents --
-- Every document of an app, or those of a scope, with what is known of it.
select d.document_id, coalesce(s.names[1], d.document_id) as source, s.names as sources, d.status,
       d.current_revision as revision,
       d.reason, d.detail, d.arrival_on, d.indexed_at, r.page_count as pages,
       r.title, r.kind, r.language, r.company_code, coalesce(r.company_codes, '{}') as company_codes,
       r.company_name, r.broker, r.published_on, r.published_on_printed, r.published_basis,
       r.period_first_on, r.period_last_on, r.fiscal_year, r.rating, r.target_price,
       coalesce(r.analysts, '{}') as analysts, coalesce(r.eps_forecasts, '[]') as eps_forecasts,
       coalesce(r.metadata_places, '{}') as metadata_places,
       (select coalesce(jsonb_agg(jsonb_build_object('page', p.page, 'flags', p.flags)
                                  order by p.page), '[]')
        from pages p
        where p.document_id = d.document_id and p.revision = d.current_revision
          and p.flags <> '[]') as flagged_pages,
       (select count(*) from clique_chunks c
        where c.document_id = d.document_id and c.revision = d.current_revision) as chunks,
       (select count(*) from html_tables t
        where t.document_id = d.document_id and t.revision = d.current_revision) as tables,
       (select count(*) from financial_facts f
        where f.document_id = d.document_id and f.revision = d.current_revision) as facts
from documents d
left join document_revisions r
    on r.document_id = d.document_id and r.revision = d.current_revision
left join lateral (
    select array_agg(name order by name collate "C") as names from document_sources
    where document_id = d.document_id
) s on true
where d.app_id = %(app_id)s
  and (%(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[]))
  and (%(status)s::text is null or d.status = %(status)s::text)
  and (%(days)s::date[] is null or d.arrival_on = any(%(days)s::date[]))
  and (%(paths)s::text[] is null or exists (
        select from document_sources own, unnest(%(paths)s::text[]) as path
        where own.document_id = d.document_id
          and (own.uri = path or starts_with(own.uri, rtrim(path, '/') || '/'))))
order by source, d.document_id;

-- seconds --
-- How long the stages of some documents took that made what readers see.
select d.document_id, sum(t.seconds) as seconds
from documents d
join document_stages t on t.document_id = d.document_id and t.revision = d.current_revision
where d.document_id = any(%(document_ids)s::text[])
group by d.document_id;

-- counts --
-- What an app holds, for status and metadata.
select
    (select count(*) from documents where app_id = %(app_id)s and status = 'registered') as registered,
    (select count(*) from documents where app_id = %(app_id)s and status = 'indexed') as indexed,
    (select count(*) from documents where app_id = %(app_id)s and status = 'quarantined') as quarantined,
    (select count(*) from documents where app_id = %(app_id)s and status = 'withdrawn') as withdrawn,
    (select coalesce(sum(page_count), 0)::int from current_documents where app_id = %(app_id)s) as pages,
    (select count(*) from current_documents d join clique_chunks c using (document_id, revision)
     where d.app_id = %(app_id)s) as chunks,
    (select count(*) from current_documents d join html_tables t using (document_id, revision)
     where d.app_id = %(app_id)s) as tables,
    (select count(*) from current_documents d join financial_facts f using (document_id, revision)
     where d.app_id = %(app_id)s) as facts,
    (select count(*) from structured_financials
     where app_id = %(app_id)s) as structured_financials,
    (select max(arrival_on) from documents where app_id = %(app_id)s) as last_arrival_on;

-- with_reason --
-- Documents whose last attempt failed, served from an older revision or not at all.
select d.document_id, d.status, d.reason, d.detail,
       coalesce((select min(name collate "C") from document_sources s where s.document_id = d.document_id),
                d.document_id) as source
from documents d
where d.app_id = %(app_id)s and d.reason is not null and d.status <> 'withdrawn'
order by source;

-- looked_at --
-- Documents that readers see and a check of a day looks at: those of late, and others in turn.
select document_id from documents
where app_id = %(app_id)s and status = 'indexed'
  and indexed_at >= now() - make_interval(days => %(days)s::int)
union
select document_id
from (
    (select document_id, content_sha256, 1 as turn from documents
     where app_id = %(app_id)s and status = 'indexed' and content_sha256 >= %(digest)s
     order by content_sha256
     limit %(most)s)
    union all
    (select document_id, content_sha256, 2 from documents
     where app_id = %(app_id)s and status = 'indexed' and content_sha256 < %(digest)s
     order by content_sha256
     limit %(most)s)
    order by turn, content_sha256
    limit %(most)s
) others;

-- database_clock --
-- The moment as the database sees it.
select clock_timestamp() as now;
