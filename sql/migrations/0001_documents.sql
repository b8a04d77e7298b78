-- Documents, their revisions, what each stage made of them, and the log that keyword copies follow.

-- Names this database for copies derived from it: a copy of another database is never reused.
create table store_identity (
    only_row boolean primary key default true check (only_row),
    store_id uuid not null default gen_random_uuid()
);
insert into store_identity default values;

-- One row per content and app; `status` is what readers get, `reason` is what the last attempt met.
create table documents (
    document_id text primary key,
    app_id text not null,
    content_sha256 text not null,
    size_bytes bigint not null,
    arrival_on date not null,
    status text not null default 'registered'
        check (status in ('registered', 'indexed', 'quarantined', 'withdrawn')),
    current_revision text,
    reason text,
    detail text,
    -- the revision and limits under which `reason` was met: it is not met again under the same ones
    reason_under text,
    registered_at timestamptz not null default now(),
    indexed_at timestamptz,
    unique (app_id, content_sha256),
    check ((status = 'indexed') = (current_revision is not null)),
    check (status <> 'quarantined' or reason is not null)
);
create index on documents (app_id, arrival_on);

-- One row per file or URL: which document its bytes are now.
create table document_sources (
    app_id text not null,
    uri text not null,
    document_id text not null references documents,
    name text not null,
    -- size and modification mark of the listing: equal means the bytes were not read again
    fingerprint text not null,
    first_seen_at timestamptz not null default now(),
    primary key (app_id, uri)
);
create index on document_sources (document_id);

-- A source's bytes changed: the new document takes the old one's place once it is indexed.
create table supersessions (
    new_document_id text not null references documents,
    old_document_id text not null references documents,
    uri text not null,
    superseded_at timestamptz not null default now(),
    primary key (new_document_id, old_document_id, uri)
);

-- One row per reading of a document; `revision` is the fingerprint of the code that read it.
create table document_revisions (
    document_id text not null references documents,
    revision text not null,
    page_count integer not null,
    title text,
    kind text not null,
    language text not null,
    company_name text,
    company_code text,
    company_codes text[] not null default '{}',
    broker text,
    analysts text[] not null default '{}',
    rating text,
    target_price double precision,
    -- the day printed on the document, else its arrival day
    published_on date not null,
    published_on_printed boolean not null,
    primary key (document_id, revision)
);

-- One row per finished stage of a revision: a stage with a row is never run again.
create table document_stages (
    document_id text not null,
    revision text not null,
    stage text not null,
    row_count integer not null,
    seconds double precision not null,
    finished_at timestamptz not null default now(),
    primary key (document_id, revision, stage),
    foreign key (document_id, revision) references document_revisions on delete cascade
);

create table pages (
    document_id text not null,
    revision text not null,
    page integer not null check (page >= 1),
    width_pt double precision not null,
    height_pt double precision not null,
    -- what the layout model saw, for the table finder
    layout jsonb,
    primary key (document_id, revision, page),
    foreign key (document_id, revision) references document_revisions on delete cascade
);

-- One row per region of a page, kept (rule is null) or dropped by a named rule.
create table cleaned_text (
    document_id text not null,
    revision text not null,
    ordinal integer not null,
    page integer not null,
    bbox double precision[] not null check (cardinality(bbox) = 4),
    kind text not null,
    rule text,
    section text[] not null default '{}',
    text text not null,
    primary key (document_id, revision, ordinal),
    foreign key (document_id, revision, page) references pages on delete cascade
);
create index on cleaned_text (document_id, revision, page);

-- One row per table of a document.
create table html_tables (
    document_id text not null,
    revision text not null,
    ordinal integer not null,
    page integer not null,
    bbox double precision[] not null check (cardinality(bbox) = 4),
    title text,
    unit text,
    footnote text,
    header text[] not null default '{}',
    cells jsonb not null,
    html text not null,
    markdown text not null,
    primary key (document_id, revision, ordinal),
    foreign key (document_id, revision, page) references pages on delete cascade
);

-- One row per chunk of kept text.
create table clique_chunks (
    document_id text not null,
    revision text not null,
    ordinal integer not null,
    page integer not null,
    -- every box it stands in: [{"page", "bbox"}]
    places jsonb not null,
    section text[] not null default '{}',
    meta text not null,
    content text not null,
    token_count integer not null,
    primary key (document_id, revision, ordinal),
    foreign key (document_id, revision, page) references pages on delete cascade
);

-- One row per embedding model ever used; queries go to the active one.
create table vector_spaces (
    space_id text primary key,
    name text not null,
    dimension integer not null check (dimension between 1 and 4000),
    active boolean not null default false,
    created_at timestamptz not null default now()
);
create unique index one_active_vector_space on vector_spaces (active) where active;

-- One row per vector of a chunk or table; each space has an HNSW index of its own.
create table embeddings (
    document_id text not null,
    revision text not null,
    kind text not null check (kind in ('chunk', 'table')),
    ordinal integer not null,
    space_id text not null references vector_spaces,
    embedding halfvec not null,
    primary key (document_id, revision, kind, ordinal, space_id),
    foreign key (document_id, revision) references document_revisions on delete cascade
);

-- Which documents changed for readers, in commit order by transaction: keyword copies follow it.
create table index_changes (
    change_id bigint generated always as identity primary key,
    app_id text not null,
    document_id text not null,
    transaction_id xid8 not null default pg_current_xact_id(),
    changed_at timestamptz not null default now()
);
create index on index_changes (transaction_id);

-- What readers see of documents.
create view current_documents as
select d.document_id, d.app_id, d.arrival_on, d.current_revision as revision, d.indexed_at,
       r.page_count, r.title, r.kind, r.language, r.company_name, r.company_code, r.company_codes,
       r.broker, r.analysts, r.rating, r.target_price, r.published_on, r.published_on_printed,
       coalesce(
           (select min(s.name collate "C") from document_sources s
            where s.document_id = d.document_id),
           d.document_id
       ) as source
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.status = 'indexed';
