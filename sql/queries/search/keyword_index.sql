-- store_id --
-- Which database a copy was derived from.
select store_id::text as store_id from store_identity;

-- log --
-- The transaction before which every other has ended, and the one from which on the log is whole.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, changes_from
from store_identity;

-- lacking --
-- The same, and whether anything changed in between: all that a search asks before it looks.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, changes_from,
       exists (select from index_changes
               where transaction_id >= %(since)s::text::xid8
                 and transaction_id < pg_snapshot_xmin(pg_current_snapshot())) as changed
from store_identity;

-- changed --
-- Documents changed by transactions that ended since a horizon; order of commits does not matter.
select distinct document_id
from index_changes
where transaction_id >= %(since)s::text::xid8 and transaction_id < %(until)s::text::xid8
order by document_id;

-- waiting --
-- How long the oldest change has waited that a copy at a horizon does not have, of those that it may.
select coalesce(extract(epoch from now() - min(changed_at)), 0)::float8 as waiting_s
from index_changes
where transaction_id >= %(since)s::text::xid8
  and transaction_id < pg_snapshot_xmin(pg_current_snapshot());

-- changed_after --
-- Documents whose changes a copy at a horizon is not to have yet.
select distinct document_id from index_changes where transaction_id >= %(since)s::text::xid8;

-- prune --
-- Removes changes of long ago, and remembers from which transaction on the log is whole.
with recent as (
    select transaction_id from index_changes
    where changed_at >= now() - make_interval(days => %(days)s::int)
    order by transaction_id
    limit 1
),
gone as (
    delete from index_changes
    -- one that is not through yet may have listed earlier ones
    where transaction_id < least((select transaction_id from recent),
                                 pg_snapshot_xmin(pg_current_snapshot()))
    returning transaction_id::text::bigint as at
)
update store_identity
set changes_from = greatest(changes_from, (select max(at) + 1 from gone))
where exists (select from gone);

-- ids_with_prefix --
-- Documents and weekly builds that readers see, of those whose ids begin alike.
select document_id from documents
where status = 'indexed' and starts_with(document_id, %(prefix)s::text)
  -- the index serves a range; after the prefix only hexadecimal digits follow
  and (%(prefix)s::text = '' or document_id between %(prefix)s::text and %(prefix)s::text || 'g')
union all
select build_id from community_builds
where published_at is not null and starts_with(build_id, %(prefix)s::text);

-- entries --
-- What readers see of some documents or of all: one row per chunk, table and report, with its texts.
-- Whose it is, over what it stands, what it says, and the rows of a table as sentences. No period
-- and no title: 137 questions on annual reports found their page among the first 10 in .79 of cases
-- without, in .70 with the document's year in every entry, since a table's own years then count for
-- less.
-- Entities by the ids of their names: which names are one entity changes without the document.
select d.app_id, d.document_id, d.revision, d.published_on,
       array_remove(d.company_code || d.company_codes, null) as codes,
       'chunk' as kind, c.ordinal,
       array(select e.name_id from entity_chunks e
             where e.document_id = d.document_id and e.chunk = c.ordinal and e.app_id = d.app_id)
           as entity_ids,
       concat_ws(E'\n', coalesce(d.company_name, d.title), d.broker) as identity,
       array_to_string(c.section, ' / ') as heading, c.content as body, '' as lines
from current_documents d
join clique_chunks c using (document_id, revision)
where %(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[])
union all
select d.app_id, d.document_id, d.revision, d.published_on,
       array_remove(d.company_code || d.company_codes, null),
       'table', t.ordinal, '{}',
       concat_ws(E'\n', coalesce(d.company_name, d.title), d.broker),
       concat_ws(E'\n', over.heading, t.title), t.markdown,
       coalesce((select string_agg(s.value ->> 'text', E'\n' order by s.at)
                 from jsonb_array_elements(t.statements) with ordinality as s (value, at)), '')
from current_documents d
join html_tables t using (document_id, revision)
left join lateral (
    -- the heading over what stands above it on its page, else over what stands below it
    select r.section[cardinality(r.section)] as heading
    from cleaned_text r
    where r.document_id = t.document_id and r.revision = t.revision and r.page = t.page
      and r.rule is null
    order by r.bbox[2] <= t.bbox[2] + 2 desc,
             case when r.bbox[2] <= t.bbox[2] + 2 then -r.ordinal else r.ordinal end
    limit 1) as over on true
where %(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[])
union all
-- a build stands for a document, its communities and chains for revisions
select b.app_id, b.build_id, l.community_id, b.published_by, '{}', 'community', 0, '{}',
       '', s.title,
       concat_ws(E'\n', s.summary,
                 (select string_agg(concat_ws(E'\n', f.value ->> 'summary',
                                              f.value ->> 'explanation'), E'\n' order by f.at)
                  from jsonb_array_elements(s.findings) with ordinality as f (value, at))), ''
from community_builds b
join leiden_communities l using (build_id)
join community_summaries s using (report_id)
where b.published_at is not null
  and (%(document_ids)s::text[] is null or b.build_id = any(%(document_ids)s::text[]))
union all
select b.app_id, b.build_id, c.chain_id, b.published_by, '{}', 'chain', 0, '{}',
       '', c.title, c.text, ''
from community_builds b
join chain_reports c using (build_id)
where b.published_at is not null
  and (%(document_ids)s::text[] is null or b.build_id = any(%(document_ids)s::text[]));
