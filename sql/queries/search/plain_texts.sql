-- contents --
-- The bare text of every chunk and table of an app, with the pages it stands on.
select 'chunk' as kind, c.document_id, c.revision, c.ordinal, c.content as text,
       array(select (p ->> 'page')::int from jsonb_array_elements(c.places) as p)
           || c.page as pages
from current_documents d
join clique_chunks c using (document_id, revision)
where d.app_id = %(app_id)s
union all
select 'table', t.document_id, t.revision, t.ordinal, t.markdown,
       array(select (p ->> 'page')::int from jsonb_array_elements(t.places) as p)
           || t.page
from current_documents d
join html_tables t using (document_id, revision)
where d.app_id = %(app_id)s;
