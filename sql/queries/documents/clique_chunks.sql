-- add_chunk --
-- Stores one chunk of a document.
insert into clique_chunks (document_id, revision, ordinal, page, places, section, token_count,
                           parent_page, meta, context, content, summary, value, signature)
values (%(document_id)s, %(revision)s, %(ordinal)s, %(page)s, %(places)s, %(section)s::text[],
        %(token_count)s, %(parent_page)s, %(meta)s, %(context)s, %(content)s, %(summary)s,
        %(value)s, %(signature)s::int[]);

-- lengths --
-- How many chunks of an app are over the maximum or under the minimum length, and the longest.
select count(*) as chunks,
       count(*) filter (where c.token_count > %(max_tokens)s) as over,
       count(*) filter (where c.token_count < %(min_tokens)s) as under,
       coalesce(max(c.token_count), 0) as longest
from current_documents d
join clique_chunks c using (document_id, revision)
where d.app_id = %(app_id)s;

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
