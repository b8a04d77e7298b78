-- pending_texts --
-- What of a revision has no vector in a space yet: the texts that are embedded.
with texts (kind, ordinal, text) as (
    -- revisions older than `context` have their section in its place
    select 'chunk', c.ordinal,
           concat_ws(E'\n', nullif(c.meta, ''),
                     coalesce(nullif(c.context, ''), nullif(array_to_string(c.section, ' / '), '')),
                     c.content)
    from clique_chunks c
    where c.document_id = %(document_id)s and c.revision = %(revision)s
    union all
    select 'table', t.ordinal,
           concat_ws(E'\n',
                     nullif(concat_ws(' ', case when strpos(coalesce(r.title, ''),
                                                            r.company_name) = 0
                                                then r.company_name end,
                                      r.title,
                                      case when r.published_on_printed
                                           then to_char(r.published_on, 'YYYY-MM') end), ''),
                     left(t.markdown, %(skeleton)s),
                     left((select string_agg(told.row ->> 'text', ' ' order by told.n)
                           from jsonb_array_elements(t.statements)
                                with ordinality as told (row, n)), %(statements)s))
    from html_tables t
    join document_revisions r using (document_id, revision)
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
select 'chunk' as kind, c.ordinal,
       concat_ws(E'\n', nullif(c.meta, ''), n.context, c.content) as text
from clique_chunks c
join unnest(%(ordinals)s::int[], %(contexts)s::text[]) as n (ordinal, context) using (ordinal)
where c.document_id = %(document_id)s and c.revision = %(revision)s
order by c.ordinal;
