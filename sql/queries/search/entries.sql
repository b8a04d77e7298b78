-- chunks_found --
-- Chunks that lanes found, with their documents, as far as readers still see them.
select 'chunk' as kind, c.document_id, c.revision, c.ordinal, c.page, c.parent_page, c.places,
       c.section, c.token_count, c.meta, c.context, c.content as text, c.value, c.signature,
       d.source, d.title, d.company_name, d.company_code, d.broker, d.published_on
from unnest(%(document_ids)s::text[], %(revisions)s::text[], %(ordinals)s::int[])
    as found (document_id, revision, ordinal)
join current_documents d using (document_id, revision)
join clique_chunks c using (document_id, revision, ordinal);

-- tables_found --
-- Tables that lanes found, with their documents, as far as readers still see them.
select 'table' as kind, t.document_id, t.revision, t.ordinal, t.page, t.bbox, t.places,
       t.markdown as text,
       t.title as caption, t.unit, t.footnote, t.cells,
       d.source, d.title, d.company_name, d.company_code, d.broker, d.published_on
from unnest(%(document_ids)s::text[], %(revisions)s::text[], %(ordinals)s::int[])
    as found (document_id, revision, ordinal)
join current_documents d using (document_id, revision)
join html_tables t using (document_id, revision, ordinal);

-- saying --
-- Chunks that match a pattern and tables in which a cell matches another one, of some documents, as
-- far as readers still see them.
select found.kind, wanted.document_id, d.revision, found.ordinal
from unnest(%(document_ids)s::text[]) with ordinality as wanted (document_id, place)
join current_documents d using (document_id)
cross join lateral (
    select 'table' as kind, t.ordinal from html_tables t
    where t.document_id = d.document_id and t.revision = d.revision
      and exists (select from jsonb_array_elements(t.cells) as cell
                  where cell ->> 'text' ~* %(cell)s)
    union all
    select 'chunk', c.ordinal from clique_chunks c
    where c.document_id = d.document_id and c.revision = d.revision
      and c.content ~* %(passage)s
) as found
order by wanted.place, found.kind desc, found.ordinal;

-- headed --
-- Chunks of some documents that have the line of a heading, as far as readers still see them.
select wanted.document_id, d.revision, c.ordinal
from unnest(%(document_ids)s::text[]) with ordinality as wanted (document_id, place)
join current_documents d using (document_id)
join clique_chunks c on c.document_id = d.document_id and c.revision = d.revision
where c.content ~ %(heading)s
order by wanted.place, c.ordinal;

-- kept_text --
-- The kept regions of some pages in reading order.
select t.document_id, t.page, t.bbox, t.text
from (select distinct * from
      unnest(%(document_ids)s::text[], %(revisions)s::text[], %(pages)s::int[]) as w) as
    wanted (document_id, revision, page)
join cleaned_text t using (document_id, revision, page)
where t.rule is null
order by t.document_id, t.page, t.ordinal;

-- holds_documents --
-- Whether readers of an app see any document.
select exists (select from current_documents where app_id = %(app_id)s) as held;

-- first_chunks --
-- The first chunk of each of some documents, as far as readers still see them.
select c.document_id, c.revision, c.ordinal
from current_documents d
join clique_chunks c using (document_id, revision)
where d.document_id = any(%(document_ids)s::text[]) and c.ordinal = 0
order by c.document_id;
