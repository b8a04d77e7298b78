-- Backups of the whole store: what a fresh database lacks, what a restored one must change.

-- is_store --
-- Whether the database holds the product's tables.
select to_regclass('schema_migrations') is not null as is_store;

-- tables --
-- How many tables a database holds beside those of the server and of extensions.
select count(*) as tables
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
  and n.nspname <> 'information_schema'
  and not starts_with(n.nspname, 'pg_')
  and not exists (select from pg_depend d
                  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e');

-- holdings --
-- What the store holds over all apps: the same before a backup and after its restore. Of tables
-- that every release had: a restored store is migrated afterwards.
select (select count(*) from documents) as documents,
       (select count(*) from document_sources) as files,
       (select count(*) from clique_chunks) as chunks,
       (select count(*) from html_tables) as tables,
       (select count(*) from entities) as entities,
       (select count(*) from community_builds) as weekly_builds;

-- export_snapshot --
-- Lets pg_dump see exactly what this transaction sees.
select pg_export_snapshot() as snapshot;

-- make_independent --
-- Transaction ids of another server mean nothing in this one, and copies derived from the store
-- that was backed up are not copies of this one.
with forgotten as (delete from index_changes)
update store_identity set store_id = gen_random_uuid();
