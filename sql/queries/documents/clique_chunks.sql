-- lengths --
-- How many chunks that readers of an app see are over the maximum length, and the longest of all.
select (select count(*)
        from clique_chunks c
        join documents d on d.document_id = c.document_id and d.current_revision = c.revision
        where d.app_id = %(app_id)s and c.token_count > %(max_tokens)s) as over,
       coalesce((select c.token_count
                 from clique_chunks c
                 join documents d on d.document_id = c.document_id
                     and d.current_revision = c.revision
                 where d.app_id = %(app_id)s
                 order by c.token_count desc
                 limit 1), 0) as longest;

-- chunks_of --
-- The chunks of a revision in order, with who wrote the line that places each.
select ordinal, content, places, section, token_count, parent_page, meta, context_by
from clique_chunks
where document_id = %(document_id)s and revision = %(revision)s
order by ordinal;

-- set_contexts --
-- Puts a model's lines where those of the headings stand; a model's own is never replaced.
update clique_chunks c set context = n.context, context_by = %(context_by)s
from unnest(%(ordinals)s::int[], %(contexts)s::text[]) as n (ordinal, context)
where c.document_id = %(document_id)s and c.revision = %(revision)s and c.ordinal = n.ordinal
  and c.context_by = 'headings'
returning c.ordinal;
