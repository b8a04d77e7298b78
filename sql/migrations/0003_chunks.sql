-- What makes a chunk stand alone and rank fairly; vectors of summaries and of whole documents.

alter table clique_chunks
    add column last_page integer generated always as ((places -> -1 ->> 'page')::integer) stored,
    -- the page that holds most of its text: what is read around it
    add column parent_page integer,
    -- one line that places it in its document, and who wrote it: 'headings' or a chat model
    add column context text not null default '',
    add column context_by text not null default 'headings',
    -- its sentences that say most; empty in revisions older than this column
    add column summary text not null default '',
    add column value text not null default 'plain'
        check (value in ('argument', 'plain', 'figures', 'template')),
    -- MinHash of its content, by which copies of a passage are told among what a search found
    add column signature integer[] not null default '{}';
update clique_chunks set parent_page = page;
alter table clique_chunks alter column parent_page set not null;

-- chunk: meta, context and content; summary: meta and summary; document: one a revision, ordinal 0
alter table embeddings drop constraint embeddings_kind_check;
alter table embeddings add constraint embeddings_kind_check
    check (kind in ('chunk', 'summary', 'table', 'document'));

-- Three indexes a space, one for each way that vectors are asked for: a filter on kinds that are
-- rare in an index would make its scan visit nearly everything.
do $$
declare
    space record;
begin
    for space in select space_id, dimension from vector_spaces loop
        execute format('drop index if exists %I',
                       'embeddings_hnsw_' || replace(space.space_id, '-', '_'));
        execute format(
            'create index %I on embeddings using hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
            ' where space_id = %L and kind in (''chunk'', ''table'')',
            'embeddings_hnsw_' || replace(space.space_id, '-', '_') || '_content',
            space.dimension, space.space_id);
        execute format(
            'create index %I on embeddings using hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
            ' where space_id = %L and kind = ''summary''',
            'embeddings_hnsw_' || replace(space.space_id, '-', '_') || '_summary',
            space.dimension, space.space_id);
        execute format(
            'create index %I on embeddings using hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
            ' where space_id = %L and kind = ''document''',
            'embeddings_hnsw_' || replace(space.space_id, '-', '_') || '_document',
            space.dimension, space.space_id);
    end loop;
end $$;
