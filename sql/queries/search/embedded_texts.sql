-- pending_texts --
-- What of a revision has no vector in a space yet: the texts that are embedded.
with named (line) as (
    select concat_ws(' ', case when strpos(coalesce(r.title, ''), r.company_name) = 0
                               then r.company_name end,
                     r.title,
                     case when r.published_on_printed
                          then to_char(r.published_on, 'YYYY-MM') end)
    from document_revisions r
    where r.document_id = %(document_id)s and r.revision = %(revision)s
),
texts (kind, ordinal, text) as (
    select 'chunk', c.ordinal,
           concat_ws(E'\n', nullif(n.line, ''),
                     nullif(case c.context_by when 'headings' then array_to_string(c.section, ' / ')
                                              else c.context end, ''),
                     c.content)
    from clique_chunks c, named n
    where c.document_id = %(document_id)s and c.revision = %(revision)s
    union all
    select 'table', t.ordinal,
           concat_ws(E'\n', nullif(n.line, ''), left(t.markdown, %(longest_table)s))
    from html_tables t, named n
    where t.document_id = %(document_id)s and t.revision = %(revision)s
)
select t.kind, t.ordinal, t.text
from texts t
where not exists (select from embeddings e
                  where e.document_id = %(document_id)s and e.revision = %(revision)s
                    and e.kind = t.kind and e.ordinal = t.ordinal and e.space_id = %(space_id)s)
order by 1, 2;

-- texts_with_contexts --
-- What is embedded of some chunks once new lines place them: as `pending_texts` has it then.
with named (line) as (
    select concat_ws(' ', case when strpos(coalesce(r.title, ''), r.company_name) = 0
                               then r.company_name end,
                     r.title,
                     case when r.published_on_printed
                          then to_char(r.published_on, 'YYYY-MM') end)
    from document_revisions r
    where r.document_id = %(document_id)s and r.revision = %(revision)s
)
select 'chunk' as kind, c.ordinal,
       concat_ws(E'\n', nullif(d.line, ''), n.context, c.content) as text
from clique_chunks c
cross join named d
join unnest(%(ordinals)s::int[], %(contexts)s::text[]) as n (ordinal, context) using (ordinal)
where c.document_id = %(document_id)s and c.revision = %(revision)s
order by c.ordinal;
