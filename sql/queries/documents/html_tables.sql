-- tables_of --
-- The tables of a revision in reading order.
select ordinal, page, bbox, title, unit, footnote, header, html, markdown, places, periods,
       statements
from html_tables
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;
