-- Single figures: whose, of which period, how sure, and where they stand. What documents print and
-- what a data vendor supplies stay apart in their tables and meet in the views that questions read.

-- One row per figure that a document prints. Its document's revision takes it along.
create table financial_facts (
    document_id text not null,
    revision text not null,
    ordinal integer not null,
    app_id text not null,
    published_on date not null,
    -- of `grammar/fact_metrics.csv`; the folded label of a statement's line that it lacks
    metric text not null,
    company_key text not null,
    company_code text,
    company_name text,
    -- as its filer calls it
    fiscal_year integer not null,
    period_kind text not null
        check (period_kind in ('FY', 'H1', 'H2', '9M', 'Q1', 'Q2', 'Q3', 'Q4', 'other')),
    -- null for what stands at a point in time
    first_on date,
    last_on date not null,
    -- in whole units: a figure in 万元 is stored in CNY
    value numeric not null,
    unit text not null,
    currency text,
    -- figure and unit as printed
    text text not null,
    printed_unit text not null,
    -- kind of document and column, and its rank: 1 is believed first
    source text not null,
    source_rank integer not null,
    nature text not null check (nature in ('actual', 'forecast', 'guidance')),
    scope text not null check (scope in ('consolidated', 'parent')),
    -- of the business, region, product or customer; empty for the whole
    segment text not null,
    restated boolean not null,
    broker text,
    -- whether the sums of its statement hold; null where nothing could be added up
    checked boolean,
    page integer not null check (page >= 1),
    bbox double precision[] not null check (cardinality(bbox) = 4),
    table_ordinal integer,
    grid_row integer,
    grid_column integer,
    label text not null,
    heading text not null,
    quote text not null,
    primary key (document_id, revision, ordinal),
    foreign key (document_id, revision) references document_revisions on delete cascade,
    check (first_on <= last_on)
);

-- One row per figure of a file that a data vendor supplied. Loading a file again replaces its rows.
create table structured_financials (
    app_id text not null,
    -- its name, and what its rows are found by: of the application and the name
    file text not null,
    file_id text not null,
    ordinal integer not null,
    published_on date not null,
    metric text not null,
    company_key text not null,
    company_code text,
    company_name text,
    fiscal_year integer not null,
    period_kind text not null
        check (period_kind in ('FY', 'H1', 'H2', '9M', 'Q1', 'Q2', 'Q3', 'Q4', 'other')),
    first_on date,
    last_on date not null,
    value numeric not null,
    unit text not null,
    currency text,
    text text not null,
    printed_unit text not null,
    source text not null,
    source_rank integer not null,
    nature text not null check (nature in ('actual', 'forecast', 'guidance')),
    scope text not null check (scope in ('consolidated', 'parent')),
    segment text not null,
    restated boolean not null,
    broker text,
    -- empty for files that have no sheets
    sheet text not null,
    -- of the file, its heading being 1
    line integer not null,
    label text not null,
    quote text not null,
    loaded_at timestamptz not null default now(),
    primary key (file_id, ordinal),
    check (first_on <= last_on)
);

-- one company's figure, and all companies' of one metric
create index on financial_facts (app_id, company_key, metric, fiscal_year);
create index on financial_facts (app_id, metric, fiscal_year, period_kind);
create index on structured_financials (app_id, company_key, metric, fiscal_year);
create index on structured_financials (app_id, metric, fiscal_year, period_kind);

create trigger own before insert on financial_facts for each row
    when (new.app_id is null) execute function own_by_revision();

-- A document's day is one, wherever it stands.
create or replace function follow_published_on() returns trigger language plpgsql as $$
declare
    dated text;
begin
    foreach dated in array array['pages', 'cleaned_text', 'html_tables', 'financial_facts',
                                 'clique_chunks', 'embeddings'] loop
        execute format('update %I set published_on = $1 where document_id = $2 and revision = $3',
                       dated) using new.published_on, new.document_id, new.revision;
    end loop;
    return new;
end $$;

call keep_apart('financial_facts', '(published_on > (select reading_day())) is not true');
call keep_apart('structured_financials', '(published_on > (select reading_day())) is not true');

-- Every figure that readers may answer from, contradictions side by side.
create view facts with (security_invoker = true) as
select f.document_id || '/' || to_char(f.ordinal, 'FM000000000') as fact_id, f.company_key,
       f.company_code, f.company_name, f.metric, f.segment, f.fiscal_year, f.period_kind as period, f.first_on, f.last_on, f.value,
       f.unit, f.currency, f.scope, f.nature, f.restated, f.broker, f.source, f.source_rank,
       f.checked, f.published_on, f.document_id, false as is_vendor
from financial_facts f
join documents d on d.document_id = f.document_id and d.current_revision = f.revision
where d.status = 'indexed'
union all
select v.file_id || '/' || to_char(v.ordinal, 'FM000000000'), v.company_key, v.company_code,
       v.company_name, v.metric, v.segment, v.fiscal_year, v.period_kind, v.first_on, v.last_on, v.value,
       v.unit, v.currency, v.scope, v.nature, v.restated, v.broker, v.source, v.source_rank,
       null, v.published_on, null, true
from structured_financials v;

-- Of figures that speak of the same the one that is believed: none of a statement whose sums fail
-- where there is another, the best kind of source, within it the figure as adjusted, then the
-- newest, in one document the first that is printed: numbers in ids are as wide as each other.
-- A filter on what rows are distinct by reaches the indexes.
create view best_facts with (security_invoker = true) as
select distinct on (company_key, metric, segment, fiscal_year, period, scope, nature, broker,
                    currency) *
from facts
order by company_key, metric, segment, fiscal_year, period, scope, nature, broker, currency,
         (checked is false), source_rank, restated desc, published_on desc, fact_id collate "C";

-- Whose figures there are, each company under the name that its best source has.
create view companies with (security_invoker = true) as
select distinct on (company_key) company_key, company_code, company_name
from facts
order by company_key, (company_code is null), (company_name is null), source_rank,
         published_on desc, fact_id collate "C";
