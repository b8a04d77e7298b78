-- add_revision --
-- Opens a revision with what the document says of itself.
insert into document_revisions
    (document_id, revision, page_count, title, kind, language, company_name, company_code,
     company_codes, broker, analysts, rating, target_price, eps_forecasts, metadata_places,
     published_on, published_on_printed, published_basis, period_first_on, period_last_on,
     fiscal_year, other_names)
values
    (%(document_id)s, %(revision)s, %(page_count)s, %(title)s, %(kind)s, %(language)s,
     %(company_name)s, %(company_code)s, %(company_codes)s::text[], %(broker)s,
     %(analysts)s::text[], %(rating)s, %(target_price)s, %(eps_forecasts)s, %(places)s,
     %(published_on)s, %(published_on_printed)s, %(published_basis)s, %(period_first_on)s,
     %(period_last_on)s, %(fiscal_year)s, %(other_names)s::text[])
on conflict do nothing;

-- revision_metadata --
-- What a revision says of its document.
select page_count, title, kind, language, company_name, company_code, company_codes, broker,
       analysts, rating, target_price, eps_forecasts, metadata_places as places, published_on,
       published_basis, period_first_on, period_last_on, fiscal_year, other_names
from document_revisions
where document_id = %(document_id)s and revision = %(revision)s;

-- finish_stage --
-- Marks a stage of a revision as done.
insert into document_stages (document_id, revision, stage, row_count, seconds)
values (%(document_id)s, %(revision)s, %(stage)s, %(row_count)s, %(seconds)s);

-- mark_stage_for_current --
-- Marks a stage as done for every current revision: the whole store passed it at once.
insert into document_stages (document_id, revision, stage, row_count, seconds)
select document_id, revision, %(stage)s, 0, 0 from current_documents
on conflict do nothing;

-- stage_rows --
-- How many rows each finished stage of a revision left.
select stage, row_count from document_stages
where document_id = %(document_id)s and revision = %(revision)s;

-- lacking_stage --
-- Those of some documents that readers see and that have not passed a stage.
select d.source
from current_documents d
where d.document_id = any(%(document_ids)s::text[])
  and not exists (select from document_stages t
                  where t.document_id = d.document_id and t.revision = d.revision
                    and t.stage = %(stage)s)
order by d.source;
