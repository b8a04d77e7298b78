-- add_chunk --
-- Stores one chunk of a document.
insert into clique_chunks (document_id, revision, ordinal, page, places, section, meta, content,
                           token_count)
values (%(document_id)s, %(revision)s, %(ordinal)s, %(page)s, %(places)s, %(section)s::text[],
        %(meta)s, %(content)s, %(token_count)s);

-- lengths --
-- How many chunks of an app are over the maximum or under the minimum length, and the longest.
select count(*) as chunks,
       count(*) filter (where c.token_count > %(max_tokens)s) as over,
       count(*) filter (where c.token_count < %(min_tokens)s) as under,
       coalesce(max(c.token_count), 0) as longest
from current_documents d
join clique_chunks c using (document_id, revision)
where d.app_id = %(app_id)s;
