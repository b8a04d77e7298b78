-- matching --
-- A part of the documents that a filter leaves, by the day of publication, the newest first.
with matching as materialized (
    select d.document_id, coalesce(r.published_on, d.arrival_on) as day
    from documents d
    left join document_revisions r
        on r.document_id = d.document_id and r.revision = d.current_revision
    where d.app_id = %(app_id)s
      and (%(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[]))
      and (%(status)s::text is null or d.status = %(status)s::text)
      and (%(reason)s::text is null or d.reason = %(reason)s::text)
      and (%(kind)s::text is null or r.kind = %(kind)s::text)
      and (%(broker)s::text is null or r.broker = %(broker)s::text)
      and (%(published_from)s::date is null or r.published_on >= %(published_from)s::date)
      and (%(published_to)s::date is null or r.published_on <= %(published_to)s::date)
      and (%(arrived_from)s::date is null or d.arrival_on >= %(arrived_from)s::date)
      and (%(arrived_to)s::date is null or d.arrival_on <= %(arrived_to)s::date)
      and (%(text)s::text is null
           or strpos(lower(coalesce(r.title, '')), lower(%(text)s::text)) > 0
           or exists (select from document_sources s
                      where s.document_id = d.document_id
                        and strpos(lower(s.name), lower(%(text)s::text)) > 0))
)
select (select count(*)::int from matching) as total,
       array(select document_id from matching
             order by day desc, document_id
             limit %(limit)s offset %(offset)s) as document_ids;

-- page_sizes --
-- The pages of a revision as a reader sees them, upright, and what went less than well on them.
select page, width_pt, height_pt, ocr_confidence, flags
from pages
where document_id = %(document_id)s and revision = %(revision)s
order by page;
