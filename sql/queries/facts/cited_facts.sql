-- printed --
-- Figures of documents, by document and ordinal, as far as readers see their revision.
select f.document_id || '/' || to_char(f.ordinal, 'FM000000000') as fact_id, f.revision,
       f.company_key, f.company_name,
       f.company_code, f.metric, f.segment, f.fiscal_year, f.period_kind as period, f.first_on,
       f.last_on, f.scope, f.nature,
       f.value, f.unit, f.text, f.label, f.heading, f.quote, f.page, f.bbox, f.restated, f.broker,
       f.source as source_kind, f.currency, f.printed_unit, f.checked, f.table_ordinal, f.grid_row,
       f.grid_column, false as is_vendor, d.source, d.title, d.published_on
from unnest(%(owners)s::text[], %(ordinals)s::int[]) as wanted (document_id, ordinal)
join current_documents d using (document_id)
join financial_facts f using (document_id, revision, ordinal);

-- supplied --
-- Figures of files that users supplied, by file and ordinal.
select v.file_id || '/' || to_char(v.ordinal, 'FM000000000') as fact_id, '' as revision,
       v.company_key, v.company_name,
       v.company_code, v.metric, v.segment, v.fiscal_year, v.period_kind as period, v.first_on,
       v.last_on, v.scope, v.nature,
       v.value, v.unit, v.text, v.label, '' as heading, v.quote, null::int as page,
       null::double precision[] as bbox, v.restated, v.broker, v.source as source_kind, v.currency,
       v.printed_unit, null::boolean as checked, null::int as table_ordinal,
       null::int as grid_row, null::int as grid_column,
       true as is_vendor, v.file as source, null as title, v.published_on
from unnest(%(owners)s::text[], %(ordinals)s::int[]) as wanted (file_id, ordinal)
join structured_financials v using (file_id, ordinal);

-- said_alike --
-- Ids of the figures that speak of the same, the one that is believed first.
select fact_id
from facts
where company_key = %(company_key)s and metric = %(metric)s and segment = %(segment)s
  and fiscal_year = %(fiscal_year)s and period = %(period)s and scope = %(scope)s
  and nature = %(nature)s and broker is not distinct from %(broker)s
order by (checked is false), source_rank, restated desc, published_on desc, fact_id collate "C"
limit %(most)s;
