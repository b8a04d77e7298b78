-- Records of companies that a user keeps: what each of their documents says, as it is read from.

-- One row per document made of a company's record. Its text is indexed as any document's; the edges
-- that it states are evidence of the entity graph.
create table enterprise_graph (
    app_id text not null,
    -- `enterprise://records/<company>/<part>`: the source of the document
    uri text not null,
    company_id text not null,
    -- company_profile, company_relations, project_history or company_needs
    kind text not null,
    -- the record's document as JSON
    content text not null,
    loaded_at timestamptz not null default now(),
    primary key (app_id, uri)
);
call keep_apart('enterprise_graph');
