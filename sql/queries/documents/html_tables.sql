-- add_table --
-- Stores one table of a document.
insert into html_tables (document_id, revision, ordinal, page, bbox, title, unit, footnote, header,
                         cells, html, markdown, places, periods, statements)
values (%(document_id)s, %(revision)s, %(ordinal)s, %(page)s, %(bbox)s::float8[], %(title)s,
        %(unit)s, %(footnote)s, %(header)s::text[], %(cells)s, %(html)s, %(markdown)s, %(places)s,
        %(periods)s, %(statements)s);

-- tables_of --
-- The tables of a revision in reading order.
select ordinal, page, bbox, title, unit, footnote, header, html, markdown, places, periods,
       statements
from html_tables
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;
