-- remove --
-- Removes the figures of a revision: others take their place.
delete from financial_facts where document_id = %(document_id)s and revision = %(revision)s;

-- facts_of --
-- The figures of a revision in order of print.
select metric, company_key, company_code, company_name, fiscal_year, period_kind, first_on, last_on,
       value, unit, text, printed_unit, source, nature, scope, segment, restated, broker, checked,
       page, bbox, table_ordinal, grid_row, grid_column, label, heading, quote
from financial_facts
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;
