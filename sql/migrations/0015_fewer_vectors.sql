-- Summaries and whole documents have no vectors any more: a chunk and a table have one each.
do $$
declare
    unused text;
begin
    for unused in
        select indexname from pg_indexes
        where schemaname = current_schema and tablename = 'embeddings'
          and indexname ~ '^embeddings_hnsw_.*_(summary|document)$'
    loop
        execute format('drop index %I', unused);
    end loop;
end $$;
delete from embeddings where kind in ('summary', 'document');
alter table embeddings drop constraint embeddings_kind_check;
alter table embeddings add constraint embeddings_kind_check check (kind in ('chunk', 'table'));
