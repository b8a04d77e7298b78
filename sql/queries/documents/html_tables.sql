-- tables_of --
-- The tables of a revision in reading order.
select ordinal, page, bbox, title, unit, footnote, header, html, markdown, places, periods,
       statements
from html_tables
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;

-- whole_tables --
-- What rows of a revision's tables are read from, in reading order.
select ordinal, page, bbox, title, unit, footnote, header, places, periods, cells
from html_tables
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;

-- set_stating_rows --
-- Keeps the rows of a revision's tables that state relations; none of tables that are not given.
update html_tables t set stating_rows = coalesce(n.rows, '[]')
from html_tables o
left join jsonb_to_recordset(%(tables)s) as n (ordinal integer, rows jsonb)
    on n.ordinal = o.ordinal
where o.document_id = %(document_id)s and o.revision = %(revision)s
  and t.document_id = o.document_id and t.revision = o.revision and t.ordinal = o.ordinal
  and t.stating_rows is distinct from coalesce(n.rows, '[]');

-- stating_places --
-- Where the rows of tables stand that state relations, by the numbers that the graph gives them.
select p.document_id, p.number, (stated.line ->> 'page')::int as page, stated.line -> 'bbox' as bbox
from unnest(%(document_ids)s::text[], %(numbers)s::int[]) as p (document_id, number)
join documents d on d.document_id = p.document_id
join html_tables t on t.document_id = d.document_id and t.revision = d.current_revision
    and t.ordinal = (-1 - p.number) / 1000
cross join lateral (select t.stating_rows -> ((-1 - p.number) %% 1000) as line) stated
where p.number < 0 and stated.line is not null;
