-- What a publication costs follows the document: what each brings to the graph is kept, and what is
-- kept of names, entities and edges changes by the difference.

-- Contributions: what current revisions of documents say, one document's rows at a time. The views
-- `…_afresh` define them; rebuilding, publishing and checking all read these.

-- One row per name, document and text that describes it.
create table name_descriptions (
    app_id text not null,
    name_id text not null,
    document_id text not null,
    text_md5 uuid not null,
    -- 1: what it is, 2: what it is related to, 3: what is claimed of it; the first that says it
    kind smallint not null,
    published_on date not null,
    description text not null,
    primary key (document_id, name_id, text_md5)
);
create index on name_descriptions (app_id, name_id, text_md5, kind, published_on);

create view name_descriptions_afresh with (security_invoker = true) as
select app_id, name_id, document_id, md5(description)::uuid as text_md5,
       min(kind)::smallint as kind, min(published_on) as published_on, description
from (
    select app_id, name_id, document_id, revision, 1 as kind, description, published_on
    from entity_mentions where description <> ''
    union all
    select app_id, head_id, document_id, revision, 2, description, published_on
    from relation_evidence where description <> '' and modality = 'asserted'
    union all
    select app_id, tail_id, document_id, revision, 2, description, published_on
    from relation_evidence where description <> '' and modality = 'asserted'
    union all
    select app_id, name_id, document_id, revision, 3, description, published_on
    from entity_claims where description <> '' and modality = 'asserted'
) said
join documents d using (document_id, app_id)
where d.current_revision = said.revision
group by app_id, name_id, document_id, description;

-- One row per asserted relation between two names, and document.
create table edge_documents (
    app_id text not null,
    head_id text not null,
    relation text not null,
    tail_id text not null,
    document_id text not null,
    published_on date not null,
    -- its chunks that say so, in order, and what each adds to the weight, in tenths
    chunks integer[] not null,
    tenths integer[] not null,
    valid_from date,
    valid_to date,
    primary key (document_id, head_id, tail_id, relation)
);
create index on edge_documents (app_id, head_id, tail_id, relation, published_on,
                           document_id collate "C");
create index on edge_documents (app_id, tail_id);
create index on edge_documents (app_id, head_id, tail_id, relation, valid_from)
    where valid_from is not null;
create index on edge_documents (app_id, head_id, tail_id, relation, valid_to)
    where valid_to is not null;

create view edge_documents_afresh with (security_invoker = true) as
select app_id, head_id, relation, tail_id, document_id, min(published_on) as published_on,
       array_agg(chunk order by chunk) as chunks, array_agg(tenths order by chunk) as tenths,
       min(valid_from) as valid_from, max(valid_to) as valid_to
from (
    -- a chunk that says the same twice counts once, by its heaviest statement
    select r.app_id, r.head_id, r.relation, r.tail_id, r.document_id, r.chunk,
           max(round(r.weight * 10)::integer) as tenths, min(r.published_on) as published_on,
           min(r.valid_from) as valid_from, max(r.valid_to) as valid_to
    from relation_evidence r
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.modality = 'asserted' and r.head_id <> r.tail_id
    group by r.app_id, r.head_id, r.relation, r.tail_id, r.document_id, r.chunk
) said
group by app_id, head_id, relation, tail_id, document_id;

-- One row per asserted relation between two names, document and text that describes it.
create table edge_descriptions (
    app_id text not null,
    head_id text not null,
    relation text not null,
    tail_id text not null,
    document_id text not null,
    text_md5 uuid not null,
    -- of the first statement that says so
    ordinal integer not null,
    published_on date not null,
    description text not null,
    -- whether it is the first of all that say so, the newest document first
    first boolean not null default false,
    primary key (document_id, head_id, tail_id, relation, text_md5)
);
create index on edge_descriptions
    (app_id, head_id, tail_id, relation, text_md5, published_on desc,
     document_id collate "C");
create unique index on edge_descriptions (app_id, head_id, tail_id, relation, text_md5) where first;
create index on edge_descriptions
    (app_id, head_id, tail_id, relation, published_on desc,
     document_id collate "C", ordinal) where first;

create view edge_descriptions_afresh with (security_invoker = true) as
select r.app_id, r.head_id, r.relation, r.tail_id, r.document_id,
       md5(r.description)::uuid as text_md5, min(r.ordinal) as ordinal,
       min(r.published_on) as published_on, r.description
from relation_evidence r
join documents d on d.document_id = r.document_id and d.current_revision = r.revision
where r.modality = 'asserted' and r.head_id <> r.tail_id and r.description <> ''
group by r.app_id, r.head_id, r.relation, r.tail_id, r.document_id, r.description;

create view entity_names_afresh with (security_invoker = true) as
select app_id, name_id, document_id, name, min(spelling) as spelling,
       bool_or(registered) as registered, min(name_key) as name_key, min(type) as type,
       max(codes) as codes, sum(mention_count)::integer as mention_count,
       min(published_on) as published_on
from (
    select m.app_id, m.name_id, m.document_id, m.revision, m.name, m.spelling,
           false as registered, m.name_key, m.type,
           case when m.name_id = m.resolved_id then m.codes else '{}' end as codes,
           1 as mention_count, m.published_on
    from entity_mentions m
    union all
    select m.app_id, m.name_id, m.document_id, m.revision, m.registered_name,
           m.registered_spelling, true, m.name_key, m.type, m.codes, 0, m.published_on
    from entity_mentions m
    where m.registered_name is not null and m.name_id = m.resolved_id
    union all
    select a.app_id, m.name_id, a.document_id, a.revision, a.alias, a.spelling, false, m.name_key,
           m.type, m.codes, 0, a.published_on
    from entity_aliases a
    join entity_mentions m on m.document_id = a.document_id and m.revision = a.revision
        and m.name_id = a.name_id
) spelt
join documents d using (document_id, app_id)
where d.current_revision = spelt.revision
group by app_id, name_id, document_id, name;

create view entity_chunks_afresh with (security_invoker = true) as
select m.app_id,
       coalesce((select e.entity_id from entity_members e
                 where e.app_id = m.app_id and e.name_id = m.name_id and e.until = 'infinity'),
                m.name_id) as entity_id,
       m.name_id, m.document_id, m.chunk, min(m.page) as page_no,
       (array_agg(m.confidence order by v.tenths desc))[1] as confidence,
       (sum(v.tenths) / 10.0)::double precision as weight, min(m.published_on) as published_on
from entity_mentions m
join documents d on d.document_id = m.document_id and d.current_revision = m.revision
join (values ('high', 10), ('medium', 6), ('low', 3)) as v (confidence, tenths)
    on v.confidence = m.confidence
group by m.app_id, m.name_id, m.document_id, m.chunk;

-- Sums of contributions, which publications change by the difference.

-- One row per name, the way it is written and what is known with it.
create table name_variants (
    app_id text not null,
    name_id text not null,
    name text not null,
    registered boolean not null,
    name_key text not null,
    type text not null,
    codes text[] not null,
    document_count integer not null,
    mention_count integer not null,
    primary key (app_id, name_id, name, registered, type, codes)
);
-- its first and its last day of publication
create index on entity_names (app_id, name_id, name, published_on);

create view name_variants_afresh with (security_invoker = true) as
select app_id, name_id, name, registered, min(name_key) as name_key, type, codes,
       count(*)::integer as document_count, sum(mention_count)::integer as mention_count
from entity_names
group by app_id, name_id, name, registered, type, codes;

-- One row per entity, as names belong to it now, and text that describes it.
create table entity_descriptions (
    app_id text not null,
    entity_id text not null,
    text_md5 uuid not null,
    kind smallint not null,
    -- the last day of publication
    published_on date not null,
    description text not null,
    primary key (app_id, entity_id, text_md5)
);
-- the newest few of a kind; an index holds no text as long as descriptions may be
create index on entity_descriptions
    (app_id, entity_id, kind, published_on desc, "left"(description, 80) collate "C");

create view entity_descriptions_afresh with (security_invoker = true) as
select d.app_id, coalesce(m.entity_id, d.name_id) as entity_id, d.text_md5,
       min(d.kind)::smallint as kind, max(d.published_on) as published_on,
       min(d.description) as description
from name_descriptions d
left join entity_members m on m.app_id = d.app_id and m.name_id = d.name_id
    and m.until = 'infinity'
group by d.app_id, coalesce(m.entity_id, d.name_id), d.text_md5;

-- One row per name and what it is declared an alias of, in any document that readers see.
create table alias_links (
    app_id text not null,
    alias_id text not null,
    name_id text not null,
    -- the first day of publication
    published_on date not null,
    primary key (app_id, alias_id, name_id)
);
create index on alias_links (app_id, name_id);
create index on entity_aliases (app_id, alias_id, name_id, published_on);

create view alias_links_afresh with (security_invoker = true) as
select a.app_id, a.alias_id, a.name_id, min(a.published_on) as published_on
from entity_aliases a
join documents d on d.document_id = a.document_id and d.current_revision = a.revision
group by a.app_id, a.alias_id, a.name_id;

-- What stores of earlier releases hold.
insert into name_descriptions select * from name_descriptions_afresh;
insert into edge_documents select * from edge_documents_afresh;
insert into edge_descriptions select * from edge_descriptions_afresh;
update edge_descriptions d set first = true
from (select distinct on (app_id, head_id, tail_id, relation, text_md5)
             document_id, head_id, tail_id, relation, text_md5
      from edge_descriptions
      order by app_id, head_id, tail_id, relation, text_md5, published_on desc,
               document_id collate "C") f
where d.document_id = f.document_id and d.head_id = f.head_id and d.tail_id = f.tail_id
  and d.relation = f.relation and d.text_md5 = f.text_md5;
insert into name_variants select * from name_variants_afresh;
insert into entity_descriptions select * from entity_descriptions_afresh;
insert into alias_links select * from alias_links_afresh;
-- the planner knows nothing of these tables until autovacuum has its turn
analyze name_descriptions, edge_documents, edge_descriptions, name_variants, entity_descriptions,
        alias_links;

-- What `alias_links` answers now.
drop index entity_aliases_app_id_alias_id_idx;
drop index entity_aliases_app_id_name_id_idx;

-- Deleting a row looks for all that hangs on it: without an index, through a whole document or table.
create index on html_tables (document_id, revision, page);
create index on clique_chunks (document_id, revision, page);
create index on entity_mentions (document_id, revision, chunk);
create index on relation_evidence (document_id, revision, chunk);
create index on entity_claims (document_id, revision, chunk);
create index on embeddings (space_id);
create index on graph_embeddings (space_id);
create index on leiden_communities (build_id, parent_id);
