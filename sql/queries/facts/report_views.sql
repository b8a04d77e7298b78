-- views --
-- The prices and the forecasts of whole fiscal years that reports give of their own company.
select f.document_id, f.fact_id, f.metric, f.fiscal_year, f.value, f.unit
from facts f
join current_documents d using (document_id)
where f.document_id = any(%(document_ids)s::text[]) and f.nature = 'forecast' and f.segment = ''
  and f.scope = 'consolidated'
  and (f.metric = any(%(prices)s::text[])
       or (f.metric = any(%(metrics)s::text[]) and f.period = 'FY'))
  and (f.company_code = any(d.company_codes) or f.company_code is not distinct from d.company_code)
order by f.document_id, f.source_rank, f.fact_id collate "C";

-- said_before --
-- What houses expected of a company's fiscal year before a day, each house's last word on it.
select distinct on (broker, metric, fiscal_year, unit)
       fact_id, document_id, broker, metric, fiscal_year, value, unit, published_on
from facts
where company_key = %(company_key)s and nature = 'forecast' and period = 'FY' and segment = ''
  and scope = 'consolidated' and metric = any(%(metrics)s::text[])
  and fiscal_year = any(%(fiscal_years)s::int[]) and published_on < %(before)s
  and broker is not null
order by broker, metric, fiscal_year, unit, published_on desc, source_rank, fact_id collate "C";

-- reported --
-- What companies told of a fiscal year for the first time in some documents, soon after its end.
select f.document_id, f.fact_id, f.company_key, f.company_name, f.metric, f.fiscal_year, f.value,
       f.unit, f.published_on
from facts f
where f.document_id = any(%(document_ids)s::text[]) and f.nature = 'actual' and f.period = 'FY'
  and f.segment = '' and f.scope = 'consolidated' and f.metric = any(%(metrics)s::text[])
  and f.published_on - f.last_on between 0 and %(within_days)s
  and not exists (select from facts o
                  where o.company_key = f.company_key and o.metric = f.metric
                    and o.nature = 'actual' and o.period = 'FY' and o.segment = ''
                    and o.fiscal_year = f.fiscal_year and o.published_on < f.published_on)
order by f.document_id, f.metric, f.fiscal_year desc, f.source_rank, f.fact_id collate "C";

-- newest_actual --
-- The newest figures of a company: of its last fiscal year, and of its last part of one after that.
select distinct on (metric, kind)
       fact_id, metric, fiscal_year, period, last_on, value, unit, kind
from (
    select fact_id, metric, fiscal_year, period, last_on, value, unit, source_rank,
           case when period = 'FY' then 'FY' else 'part' end as kind
    from best_facts
    where company_key = %(company_key)s and nature = 'actual' and segment = ''
      and scope = 'consolidated' and metric = any(%(metrics)s::text[])
      and period in ('FY', 'H1', '9M', 'Q1', 'Q2', 'Q3', 'Q4')
) as own
order by metric, kind, last_on desc,
         array_position(array['9M', 'H1', 'Q1', 'FY', 'Q3', 'Q2', 'Q4'], period), source_rank;
