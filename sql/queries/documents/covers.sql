-- covers --
-- What some documents that readers see say of themselves, with where they say it.
select d.document_id, d.current_revision as revision, d.arrival_on, r.title, r.kind,
       r.company_name, r.company_code, r.broker, r.analysts, r.rating, r.target_price,
       r.metadata_places as places, r.published_on, r.published_on_printed,
       coalesce((select min(s.name collate "C") from document_sources s
                 where s.document_id = d.document_id), d.document_id) as source
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.status = 'indexed' and d.document_id = any(%(document_ids)s::text[])
order by r.published_on desc, d.document_id;

-- titled --
-- Documents of an app whose title stands in a text, white space aside, or holds a part that it quotes.
select d.document_id
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
cross join lateral (select regexp_replace(r.title, '\s', '', 'g') as bare) as own
where d.app_id = %(app_id)s and d.status = 'indexed' and length(own.bare) >= %(least)s
  and (strpos(%(text)s, own.bare) > 0
       or exists (select from unnest(%(quoted)s::text[]) as part where strpos(own.bare, part) > 0))
order by d.document_id;

-- regions --
-- All text of some pages, dropped regions too: covers print there what is no running text.
select t.document_id, t.page, t.bbox, t.text
from (select distinct * from
      unnest(%(document_ids)s::text[], %(revisions)s::text[], %(pages)s::int[]) as w) as
    wanted (document_id, revision, page)
join cleaned_text t using (document_id, revision, page)
order by t.document_id, t.page, t.ordinal;
