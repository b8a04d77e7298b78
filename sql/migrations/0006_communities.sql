-- Weekly communities of the entity graph, their reports, and the chains that are drawn from them.

-- One row per weekly build, written beside those before it; readers see published ones.
create table community_builds (
    -- of app, week and `input_sha256`: the same input is the same build
    build_id text primary key,
    app_id text not null,
    -- the Sunday that opens the week; it is built from what was published by the Saturday after it
    week date not null check (extract(dow from week) = 0),
    published_by date not null generated always as (week + 6) stored,
    -- the build whose partition it started from, which may be gone
    started_from text,
    -- the graph as of that day, parameters, versions, and the partition it started from
    input_sha256 text not null,
    parameters jsonb not null,
    versions jsonb not null,
    -- {"entities", "edges", "isolated", "super_nodes"}; by level "communities", and how many
    -- divisions were "kept" from the build before or made "fresh"
    sizes jsonb not null,
    -- of each level, on the graph as it is
    modularity double precision[] not null,
    clustered_at timestamptz not null default now(),
    -- when every community had its report
    summarised_at timestamptz,
    -- when readers were sent to it
    published_at timestamptz,
    -- what is there, but less well than the settings ask for
    degraded text[] not null default '{}'
);
create index on community_builds (app_id, week);
create unique index one_published_build_a_week on community_builds (app_id, week)
    where published_at is not null;

-- One row per report, by its content: communities whose content did not change share it.
create table community_summaries (
    -- of app, `source_sha256` and `written_by`
    report_id text primary key,
    app_id text not null,
    title text not null,
    summary text not null,
    -- 0 to 10: how much it matters to a reader
    rating double precision not null check (rating between 0 and 10),
    rating_reason text not null,
    -- [{"summary", "explanation", "evidence": [{"document_id", "chunk", "start", "end", "page",
    --   "quote", "published_on"}]}]
    findings jsonb not null,
    -- reports of sub-communities that stand for their elements in what it was written from
    child_report_ids text[] not null default '{}',
    -- 'offline' or the name of a chat model
    written_by text not null,
    -- what it was written from
    source_sha256 text not null,
    source_tokens integer not null,
    created_at timestamptz not null default now()
);

-- One row per community of a build.
create table leiden_communities (
    build_id text not null references community_builds on delete cascade,
    -- carries over from week to week
    community_id text not null,
    -- 0 is the coarsest; where a community is not divided further, it counts on all levels below
    level integer not null check (level >= 0),
    parent_id text,
    entity_count integer not null check (entity_count > 0),
    -- edges of the graph between its entities
    edge_count integer not null,
    -- the finest communities are numbered so that those inside another follow one another
    first_leaf integer not null,
    last_leaf integer not null check (last_leaf >= first_leaf),
    report_id text references community_summaries,
    -- why there is none
    no_report text,
    primary key (build_id, community_id),
    foreign key (build_id, parent_id) references leiden_communities (build_id, community_id)
        on delete cascade deferrable initially deferred
);
create index on leiden_communities (build_id, first_leaf, last_leaf);
create index on leiden_communities (report_id);

-- One row per entity of a build: the finest community that it is in. A trigger in place of a
-- foreign key, which takes half as long again when 100,000 rows are written.
create table community_members (
    build_id text not null,
    entity_id text not null,
    community_id text not null,
    primary key (build_id, entity_id)
);
create index on community_members (build_id, community_id);
create function delete_community_members() returns trigger language plpgsql as $$
begin
    delete from community_members where build_id = old.build_id;
    return old;
end $$;
create trigger delete_community_members before delete on community_builds
    for each row execute function delete_community_members();

-- What became of communities since the build that this one started from.
create table community_events (
    build_id text not null references community_builds on delete cascade,
    -- of this build; of the one before where it died
    community_id text not null,
    event text not null check (event in ('born', 'grew', 'shrank', 'split', 'merged', 'died')),
    level integer not null,
    -- split: what it became besides itself; merged: what it took up; died: where its entities went;
    -- born: where they came from
    others text[] not null default '{}',
    entities_before integer not null,
    entities_after integer not null,
    primary key (build_id, community_id, event)
);

-- One row per entity or relation with many descriptions: what they say together.
create table element_summaries (
    build_id text not null references community_builds on delete cascade,
    kind text not null check (kind in ('entity', 'relation')),
    -- of the entity; of a relation's head, type and tail
    src_entity_id text not null,
    edge_type text not null default '',
    dst_entity_id text not null default '',
    summary text not null,
    written_by text not null,
    -- of the descriptions: the same ones are not summed up again
    source_sha256 text not null,
    primary key (build_id, kind, src_entity_id, edge_type, dst_entity_id)
);
create index on element_summaries (source_sha256);

-- One row per report on a chain or on how communities are linked.
create table chain_reports (
    build_id text not null references community_builds on delete cascade,
    -- carries over from week to week
    chain_id text not null,
    -- industry_chain: 产业链图谱; sector_links: 板块关联报告
    kind text not null check (kind in ('industry_chain', 'sector_links')),
    title text not null,
    -- what it was drawn from: nodes and links with their evidence
    content jsonb not null,
    -- what is new, gone or otherwise since last week's
    changes jsonb not null,
    -- [{"n", "document_id", "chunk", "start", "end", "source", "page", "quote", "published_on"}]
    citations jsonb not null,
    -- as it is searched: no marks of Markdown
    text text not null,
    markdown text not null,
    html text not null,
    primary key (build_id, chain_id)
);

-- Vectors of reports stand beside those of what they are written from.
alter table graph_embeddings drop constraint graph_embeddings_kind_check;
alter table graph_embeddings add constraint graph_embeddings_kind_check
    check (kind in ('entity', 'relation', 'community', 'chain'));

create or replace view graph_texts as
select app_id, 'entity' as kind, entity_id as src_entity_id, '' as edge_type, '' as dst_entity_id,
       concat_ws(E'\n', name, nullif(description, '')) as text
from entities
union all
select e.app_id, 'relation', e.src_entity_id, e.edge_type, e.dst_entity_id,
       concat_ws(E'\n', concat_ws(' ', s.name, replace(e.edge_type, '_', ' '), t.name),
                 e.description)
from entity_edges e
join entities s on s.app_id = e.app_id and s.entity_id = e.src_entity_id
join entities t on t.app_id = e.app_id and t.entity_id = e.dst_entity_id
where e.description <> ''
union all
-- a community's report by its id
select app_id, 'community', report_id, '', '', concat_ws(E'\n', title, summary)
from community_summaries
union all
-- a chain's report by its build and its id
select b.app_id, 'chain', c.build_id, '', c.chain_id, concat_ws(E'\n', c.title, left(c.text, 2000))
from chain_reports c
join community_builds b using (build_id);

do $$
declare
    space record;
    kind text;
begin
    for space in select space_id, dimension from vector_spaces loop
        foreach kind in array array['community', 'chain'] loop
            execute format(
                'create index %I on graph_embeddings'
                ' using hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
                ' where space_id = %L and kind = %L',
                'embeddings_hnsw_' || replace(space.space_id, '-', '_') || '_' || kind,
                space.dimension, space.space_id, kind);
        end loop;
    end loop;
end $$;
