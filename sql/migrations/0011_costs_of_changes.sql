-- What a night costs follows what changed: lists of what is left to do, in place of looking at all.

-- One row per element of a graph whose vector or summary is to be made anew, or may have to be.
create table unfinished_elements (
    app_id text not null,
    -- 'summary', or the id of the vector space that it is to have a vector in
    work text not null,
    kind text not null check (kind in ('entity', 'relation', 'community', 'chain')),
    -- as in `graph_embeddings`
    src_entity_id text not null,
    edge_type text not null default '',
    dst_entity_id text not null default '',
    -- the transaction that listed it last: who works it off sees by it that nothing changed meanwhile
    listed_by xid8 not null default pg_current_xact_id(),
    primary key (app_id, work, kind, src_entity_id, edge_type, dst_entity_id)
);

-- One row per app and work, once everything was looked at and listed where it was lacking: from then
-- on, what changes is listed by who changes it. Without a row everything is looked at again.
create table element_passes (
    app_id text not null,
    work text not null,
    -- who writes, from how much: another writer looks at everything again
    made_under text not null,
    passed_at timestamptz not null default now(),
    primary key (app_id, work)
);

-- One row per entity: the name that stands in the embedded texts of its relations. One that is
-- called otherwise now has all of them listed.
create table embedded_names (
    app_id text not null,
    entity_id text not null,
    name text not null,
    primary key (app_id, entity_id)
);

-- The log that keyword copies follow is whole from this transaction on: who stopped before it builds
-- anew.
alter table store_identity add column changes_from bigint not null default 0;

-- What a summary rests on: the weightiest chunks of a name, the newest of them first. No query asks
-- for those of an entity.
create index entity_chunks_foremost on entity_chunks
    (app_id, name_id, weight desc, published_on desc, document_id, chunk);
drop index entity_chunks_app_id_entity_id_weight_idx;

-- What nights look for.
create index on clique_chunks (token_count);
create index on documents (app_id, indexed_at) where status = 'indexed';
create index on documents (app_id) where reason is not null;
create index on entities (app_id, degree desc, entity_id);
