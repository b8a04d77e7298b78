-- matching --
-- A part of all figures that a filter leaves, contradictions side by side.
with matching as materialized (
    select fact_id, last_on, metric, source_rank
    from facts
    where (%(company_keys)s::text[] is null or company_key = any(%(company_keys)s::text[]))
      and (%(metric)s::text is null or metric = %(metric)s::text)
      and (%(fiscal_year_from)s::int is null or fiscal_year >= %(fiscal_year_from)s::int)
      and (%(fiscal_year_to)s::int is null or fiscal_year <= %(fiscal_year_to)s::int)
      and (%(period)s::text is null or period = %(period)s::text)
      and (%(scope)s::text is null or scope = %(scope)s::text)
      and (%(nature)s::text is null or nature = %(nature)s::text)
      and (%(broker)s::text is null or broker = %(broker)s::text)
      and (%(segment)s::text is null or segment = %(segment)s::text)
      and (%(document_id)s::text is null or document_id = %(document_id)s::text)
      and (%(published_from)s::date is null or published_on >= %(published_from)s::date)
      and (%(published_to)s::date is null or published_on <= %(published_to)s::date)
)
select (select count(*)::int from matching) as total,
       array(select fact_id from matching
             order by last_on desc, metric collate "C", source_rank, fact_id collate "C"
             limit %(limit)s offset %(offset)s) as fact_ids;

-- matching_best --
-- A part of the figures that are believed, as far as a filter leaves them.
with matching as materialized (
    select fact_id, last_on, metric, source_rank
    from best_facts
    where (%(company_keys)s::text[] is null or company_key = any(%(company_keys)s::text[]))
      and (%(metric)s::text is null or metric = %(metric)s::text)
      and (%(fiscal_year_from)s::int is null or fiscal_year >= %(fiscal_year_from)s::int)
      and (%(fiscal_year_to)s::int is null or fiscal_year <= %(fiscal_year_to)s::int)
      and (%(period)s::text is null or period = %(period)s::text)
      and (%(scope)s::text is null or scope = %(scope)s::text)
      and (%(nature)s::text is null or nature = %(nature)s::text)
      and (%(broker)s::text is null or broker = %(broker)s::text)
      and (%(segment)s::text is null or segment = %(segment)s::text)
      and (%(document_id)s::text is null or document_id = %(document_id)s::text)
      and (%(published_from)s::date is null or published_on >= %(published_from)s::date)
      and (%(published_to)s::date is null or published_on <= %(published_to)s::date)
)
select (select count(*)::int from matching) as total,
       array(select fact_id from matching
             order by last_on desc, metric collate "C", source_rank, fact_id collate "C"
             limit %(limit)s offset %(offset)s) as fact_ids;

-- metrics_of --
-- The metrics that figures of a company are held of, and for which years.
select metric, count(*)::int as figures, min(fiscal_year) as first_fiscal_year,
       max(fiscal_year) as last_fiscal_year
from facts
where company_key = any(%(company_keys)s::text[]) and segment = ''
group by metric
order by figures desc, metric collate "C";

-- periods_of --
-- The parts of fiscal years that a company reports, or a house expects, any of some metrics of.
select fiscal_year, period
from facts
where company_key = any(%(company_keys)s::text[]) and metric = any(%(metrics)s::text[])
  and nature in ('actual', 'forecast') and segment = '' and period <> 'other'
group by fiscal_year, period
order by max(last_on), fiscal_year, period;

-- companies --
-- Companies that figures are held of, as their best source names them.
select company_key, company_code, company_name
from companies
where company_key = any(%(company_keys)s::text[]);

-- disputed --
-- What sources on a company differ in by more than a two-hundredth, newest periods first.
select company_key, metric, fiscal_year, period, scope, unit,
       (array_agg(fact_id order by (checked is false), source_rank, restated desc,
                                   published_on desc, fact_id collate "C"))[1:%(alike)s] as fact_ids
from facts
where company_key = any(%(company_keys)s::text[]) and nature = 'actual' and segment = ''
  and (%(metrics)s::text[] is null or metric = any(%(metrics)s::text[]))
  and metric <> all(%(but)s::text[])
  and (%(fiscal_year)s::int is null or fiscal_year = %(fiscal_year)s::int)
group by company_key, metric, fiscal_year, period, scope, unit
having (max(value) - min(value)) * 200 > greatest(abs(max(value)), abs(min(value)))
order by max(last_on) desc, period, metric collate "C", scope, unit;

-- outcomes --
-- The last forecast of each house for a fiscal year before its company reported it, and the report.
select f.fact_id as forecast_id, a.fact_id as actual_id
from (
    select distinct on (company_key, metric, fiscal_year, unit) *,
           min(published_on) over (partition by company_key, metric, fiscal_year, unit) as told_on
    from facts
    where nature = 'actual' and period = 'FY' and segment = '' and scope = 'consolidated'
      and metric = any(%(metrics)s::text[])
      and (%(company_keys)s::text[] is null or company_key = any(%(company_keys)s::text[]))
    order by company_key, metric, fiscal_year, unit, (checked is false), source_rank,
             restated desc, published_on desc, fact_id collate "C"
) a
cross join lateral (
    select distinct on (broker) fact_id, broker, published_on
    from facts f
    where f.company_key = a.company_key and f.metric = a.metric and f.unit = a.unit
      and f.fiscal_year = a.fiscal_year and f.nature = 'forecast' and f.period = 'FY'
      and f.segment = '' and f.scope = 'consolidated' and f.published_on < a.told_on
      and f.broker is not null
      and (%(broker)s::text is null or f.broker = %(broker)s::text)
    order by broker, published_on desc, source_rank, fact_id collate "C"
) f
order by a.fiscal_year desc, a.company_key collate "C", a.metric collate "C",
         f.published_on desc, f.fact_id collate "C"
limit %(most)s;
