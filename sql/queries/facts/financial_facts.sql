-- remove --
-- Removes the figures of a revision: others take their place.
delete from financial_facts where document_id = %(document_id)s and revision = %(revision)s;

-- never_read --
-- How many of some documents readers see that no release read for figures.
select count(*) as documents
from current_documents d
where d.document_id = any(%(document_ids)s::text[])
  and not exists (
        select from document_stages t
        where t.document_id = d.document_id and t.revision = d.revision
          and starts_with(t.stage, 'financial_facts'));

-- facts_of --
-- The figures of a revision in order of print.
select metric, company_key, company_code, company_name, fiscal_year, period_kind, first_on, last_on,
       value, unit, text, printed_unit, source, nature, scope, segment, restated, broker, checked,
       page, bbox, table_ordinal, grid_row, grid_column, label, heading, quote
from financial_facts
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;
