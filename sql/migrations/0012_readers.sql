-- Readers log in as a role that owns nothing: row-level security shows them one application, and of
-- that what was published by one day. Whose rows they are therefore stands in every table.

-- One row per role that can serve only one application, because it may set others: see
-- docs/deployment.md.
create table reader_applications (
    role_name name primary key,
    serves text not null
);
alter table reader_applications enable row level security;
create policy readers on reader_applications for select using (role_name = session_user);

-- What the transaction has set; '' once a setting has ended.
create function reading_app() returns text language sql stable parallel safe as $$
    select coalesce((select a.serves from reader_applications a where a.role_name = session_user),
                    nullif(current_setting('finrag.app_id', true), ''))
$$;
create function reading_day() returns date language sql stable parallel safe as $$
    select coalesce(nullif(current_setting('finrag.day', true), '')::date, 'infinity')
$$;

-- Shows readers the rows of a table that are their application's and meet a condition. Selects
-- inside stand for constants: they run once a statement.
create procedure keep_apart(guarded regclass, condition text default 'true') language plpgsql as $$
begin
    execute format('alter table %s enable row level security', guarded);
    execute format('create policy readers on %s for select'
                   ' using (app_id = (select reading_app()) and %s)', guarded, condition);
end $$;

-- Whose document a row belongs to, and the day it was published, stand on the row: a policy that
-- looked them up would do so for every row that a query visits.
alter table supersessions add column app_id text;
alter table document_revisions add column app_id text;
alter table document_stages add column app_id text;
alter table unfinished_stages add column app_id text;
alter table extraction_problems add column app_id text;
alter table pages add column app_id text, add column published_on date;
alter table cleaned_text add column app_id text, add column published_on date;
alter table html_tables add column app_id text, add column published_on date;
alter table clique_chunks add column app_id text, add column published_on date;
alter table embeddings add column app_id text, add column published_on date;
alter table leiden_communities add column app_id text;
alter table community_members add column app_id text;
alter table community_events add column app_id text;
alter table element_summaries add column app_id text;
alter table chain_reports add column app_id text;

-- An index over vectors takes each row that changes as a new one: made again it takes them at once.
create temporary table vector_indexes on commit drop as
select indexname, indexdef from pg_indexes
where schemaname = current_schema and tablename = 'embeddings'
  and starts_with(indexname, 'embeddings_hnsw_');
do $$
declare
    each record;
begin
    for each in select indexname from vector_indexes loop
        execute format('drop index %I', each.indexname);
    end loop;
end $$;

update supersessions s set app_id = d.app_id
from documents d where d.document_id = s.new_document_id;
do $$
declare
    filled text;
begin
    foreach filled in array array['document_revisions', 'document_stages', 'unfinished_stages',
                                  'extraction_problems'] loop
        execute format('update %I t set app_id = d.app_id'
                       ' from documents d where d.document_id = t.document_id', filled);
    end loop;
    foreach filled in array array['pages', 'cleaned_text', 'html_tables', 'clique_chunks',
                                  'embeddings'] loop
        execute format('update %I t set app_id = r.app_id, published_on = r.published_on'
                       ' from document_revisions r'
                       ' where r.document_id = t.document_id and r.revision = t.revision', filled);
        execute format('alter table %I alter column published_on set not null', filled);
    end loop;
    foreach filled in array array['leiden_communities', 'community_members', 'community_events',
                                  'element_summaries', 'chain_reports'] loop
        execute format('update %I t set app_id = b.app_id'
                       ' from community_builds b where b.build_id = t.build_id', filled);
    end loop;
    foreach filled in array array['supersessions', 'document_revisions', 'document_stages',
                                  'unfinished_stages', 'extraction_problems', 'pages',
                                  'cleaned_text', 'html_tables', 'clique_chunks', 'embeddings',
                                  'leiden_communities', 'community_members', 'community_events',
                                  'element_summaries', 'chain_reports'] loop
        execute format('alter table %I alter column app_id set not null', filled);
    end loop;
end $$;

do $$
declare
    each record;
begin
    for each in select indexdef from vector_indexes loop
        execute each.indexdef;
    end loop;
end $$;

-- Who writes a row need not know: it is its document's or its build's.
create function own_by_document() returns trigger language plpgsql as $$
begin
    select d.app_id into new.app_id from documents d where d.document_id = new.document_id;
    return new;
end $$;
create function own_by_revision() returns trigger language plpgsql as $$
begin
    select r.app_id, r.published_on into new.app_id, new.published_on
    from document_revisions r
    where r.document_id = new.document_id and r.revision = new.revision;
    return new;
end $$;
create function own_by_build() returns trigger language plpgsql as $$
begin
    select b.app_id into new.app_id from community_builds b where b.build_id = new.build_id;
    return new;
end $$;
do $$
declare
    owned record;
begin
    for owned in
        select * from (values
            ('document_revisions', 'document'), ('document_stages', 'document'),
            ('unfinished_stages', 'document'), ('extraction_problems', 'document'),
            ('pages', 'revision'), ('cleaned_text', 'revision'), ('html_tables', 'revision'),
            ('clique_chunks', 'revision'), ('embeddings', 'revision'),
            ('leiden_communities', 'build'), ('community_members', 'build'),
            ('community_events', 'build'), ('element_summaries', 'build'),
            ('chain_reports', 'build')) as o (name, parent)
    loop
        -- rows by the thousand may bring it along
        execute format('create trigger own before insert on %I for each row'
                       ' when (new.app_id is null) execute function own_by_%s()',
                       owned.name, owned.parent);
    end loop;
end $$;

-- A document's day is one, wherever it stands.
create function follow_published_on() returns trigger language plpgsql as $$
declare
    dated text;
begin
    foreach dated in array array['pages', 'cleaned_text', 'html_tables', 'clique_chunks',
                                 'embeddings'] loop
        execute format('update %I set published_on = $1 where document_id = $2 and revision = $3',
                       dated) using new.published_on, new.document_id, new.revision;
    end loop;
    return new;
end $$;
create trigger follow_published_on after update of published_on on document_revisions
    for each row when (new.published_on <> old.published_on)
    execute function follow_published_on();

-- What readers see. Nothing of it binds the owner of the tables, who writes.
-- `is not true`: of `published_on <= day` the planner takes a third to pass where it does not know
-- the day, table by table, and then compares all vectors rather than follow the index.
do $$
declare
    day text := '(select reading_day())';
    published text := format('(published_on > %1$s and %1$s < ''infinity'') is not true', day);
    guarded text;
begin
    foreach guarded in array array['document_revisions', 'pages', 'cleaned_text', 'html_tables',
                                   'clique_chunks', 'embeddings', 'entity_mentions',
                                   'relation_evidence', 'entity_claims', 'entity_aliases',
                                   'entity_names', 'entity_chunks'] loop
        call keep_apart(guarded::regclass, published);
    end loop;
    -- a document without a revision has no day: only those see it who ask for none
    call keep_apart('documents', format($c$(%1$s < 'infinity' and not exists (
        select from document_revisions r
        where r.document_id = documents.document_id and r.revision = documents.current_revision))
        is not true$c$, day));
    call keep_apart('document_sources', format($c$(%1$s < 'infinity' and not exists (
        select from documents d where d.document_id = document_sources.document_id))
        is not true$c$, day));
    -- what an entity is today rests on all that names it; an edge may be older than its newest words
    call keep_apart('entities', format('(published_to > %s) is not true', day));
    call keep_apart('entity_summaries', format('(published_to > %s) is not true', day));
    call keep_apart('entity_edges', format('(published_from > %s) is not true', day));
    call keep_apart('entity_neighbours', format('(since > %s) is not true', day));
    call keep_apart('community_builds',
                    format('published_at is not null and published_by <= %s', day));
    foreach guarded in array array['leiden_communities', 'community_members', 'community_events',
                                   'element_summaries', 'chain_reports'] loop
        call keep_apart(guarded::regclass, 'build_id in (select build_id from community_builds)');
    end loop;
    call keep_apart('community_summaries', format($c$(%1$s < 'infinity' and not exists (
        select from leiden_communities c where c.report_id = community_summaries.report_id))
        is not true$c$, day));
    -- ids and vectors alone: by them a day's question is led from today's entities to those of then
    foreach guarded in array array['entity_members', 'graph_embeddings'] loop
        call keep_apart(guarded::regclass);
    end loop;
end $$;
-- ids of what went with an application are nobody's: every copy has to hear of them
alter table index_changes enable row level security;
create policy readers on index_changes for select
    using (app_id = (select reading_app())
           or app_id = '' and (select reading_app()) is not null);
-- whatever else is an application's: most of it is granted to nobody
do $$
declare
    guarded record;
begin
    for guarded in
        select c.oid::regclass as name, bool_or(a.attname = 'published_on') as dated
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
        where c.relkind = 'r' and c.relnamespace = current_schema::regnamespace
          and not c.relrowsecurity
        group by c.oid
        having bool_or(a.attname = 'app_id')
    loop
        call keep_apart(guarded.name, case when guarded.dated then
            '(published_on > (select reading_day())) is not true' else 'true' end);
    end loop;
end $$;
-- replies of chat models are shared by applications, and no reader's
alter table model_replies enable row level security;

-- a view shows what its owner sees, unless it is told not to
alter view current_documents set (security_invoker = true);
alter view graph_texts set (security_invoker = true);

-- What readers of an application see of documents that a question may be answered from.
create function readable_documents(app text, by_day date, ids text[], code text)
returns setof current_documents language sql stable parallel safe as $$
    select d.*
    from current_documents d
    where d.app_id = app
      and (by_day is null or d.published_on <= by_day)
      and (ids is null or d.document_id = any(ids))
      -- with or without its market
      and (code is null or exists (
            select from unnest(d.company_code || d.company_codes) as own
            where code in (lower(own), split_part(lower(own), '.', 1))))
$$;

-- Which names belong to some entities on a day; one that no row gives to another is an entity.
create function names_on(app text, ids text[], on_day date)
returns table (entity_id text, name_id text) language sql stable parallel safe as $$
    select m.entity_id, m.name_id
    from entity_members m
    where m.app_id = app and m.entity_id = any(ids) and m.since <= on_day and on_day < m.until
    union
    select own.id, own.id
    from unnest(ids) as own (id)
    where not exists (select from entity_members m
                      where m.app_id = app and m.name_id = own.id
                        and m.since <= on_day and on_day < m.until)
$$;

-- how many vectors pass a filter, and the few of a kind that is rare
create index embeddings_by_day on embeddings (app_id, space_id, kind, published_on);
-- the weightiest chunks of a name, without reading the others
create index entity_chunks_by_weight on entity_chunks
    (app_id, name_id, weight desc, document_id, chunk) include (published_on);
-- the newest statements of an edge
create index relation_evidence_newest on relation_evidence
    (app_id, head_id, tail_id, relation, published_on desc, document_id, ordinal)
    where modality = 'asserted';
