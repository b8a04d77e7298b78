-- remove_regions --
-- Removes the regions of a revision, whose tables now say which text is theirs.
delete from cleaned_text where document_id = %(document_id)s and revision = %(revision)s;

-- add_flag --
-- Notes on a page what went less than well.
update pages set flags = flags || jsonb_build_array(%(flag)s::jsonb)
where document_id = %(document_id)s and revision = %(revision)s and page = %(page)s;

-- page_layouts --
-- The layout of the pages of a revision, for the table finder.
select page, layout from pages
where document_id = %(document_id)s and revision = %(revision)s
order by page;

-- page_sizes --
-- Width and height of the pages of a revision, in points as a reader sees them.
select page, width_pt, height_pt from pages
where document_id = %(document_id)s and revision = %(revision)s
order by page;

-- regions --
-- Every region of a revision in reading order.
select ordinal, page, bbox, kind, rule, section, text
from cleaned_text
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;

-- empty_documents --
-- Those of some indexed documents with neither a chunk nor a table.
select d.document_id, d.source
from current_documents d
where d.document_id = any(%(document_ids)s::text[])
  and not exists (select from clique_chunks c
                  where c.document_id = d.document_id and c.revision = d.revision)
  and not exists (select from html_tables t
                  where t.document_id = d.document_id and t.revision = d.revision)
order by d.source;
