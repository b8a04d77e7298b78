-- covers --
-- What some documents that readers see say of themselves, with where they say it.
select d.document_id, d.current_revision as revision, d.arrival_on, r.title, r.kind,
       r.company_name, r.company_code, r.broker, r.analysts, r.rating, r.target_price,
       r.metadata_places as places, r.published_on,
       (not r.published_on_printed and r.published_basis = 'arrival') as known_by_arrival,
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

-- of_days --
-- Documents that readers see and that arrived, or were published by their own word, in some days.
select d.document_id
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.app_id = %(app_id)s and d.status = 'indexed'
  and (d.arrival_on between %(first_on)s and %(last_on)s
       or (r.published_on_printed and r.published_on between %(first_on)s and %(last_on)s))
order by d.document_id;

-- last_day --
-- The last day on which a document arrived or was published, up to a day.
select max(day) as day
from (
    select greatest(d.arrival_on, r.published_on) as day
    from documents d
    join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
    where d.app_id = %(app_id)s and d.status = 'indexed'
      and greatest(d.arrival_on, r.published_on) <= %(by)s
    union all
    select r.published_on
    from documents d
    join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
    where d.app_id = %(app_id)s and d.status = 'indexed' and r.published_on <= %(by)s
) days;

-- quarantined --
-- Documents that arrived in some days and that no reader gets, with why.
select d.document_id, d.reason, coalesce(d.detail, '') as detail,
       coalesce((select min(s.name collate "C") from document_sources s
                 where s.document_id = d.document_id), d.document_id) as source
from documents d
where d.app_id = %(app_id)s and d.status = 'quarantined'
  and d.arrival_on between %(first_on)s and %(last_on)s
order by source;

-- risk_chunks --
-- Chunks of some documents that list risks.
select d.document_id, d.current_revision as revision, c.ordinal
from documents d
join clique_chunks c on c.document_id = d.document_id and c.revision = d.current_revision
where d.status = 'indexed' and d.document_id = any(%(document_ids)s::text[])
  and c.content ~* '风险提示|风险因素|投资风险|主要风险|risk factors|key risks|risks?:'
order by d.document_id, c.ordinal;

-- signed_by --
-- Documents of an app that somebody signs whom a text names.
select d.document_id
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.app_id = %(app_id)s and d.status = 'indexed'
  and exists (select from unnest(r.analysts) as name
              where length(name) >= 2 and strpos(%(text)s, name) > 0)
order by d.document_id;

-- indexed_after --
-- Documents that readers got after a moment.
select source from current_documents
where app_id = %(app_id)s and indexed_at > %(moment)s
order by indexed_at, source;
