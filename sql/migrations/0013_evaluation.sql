-- How well questions find their pages, week by week, and what analysts say of single ones.

-- One row per week, question file, variant of search and measure.
create table retrieval_evaluations (
    app_id text not null,
    -- the Sunday that opens it
    week date not null,
    -- the file's name with its folder
    questions text not null,
    -- as shipped, or what it is measured beside
    variant text not null,
    measure text not null,
    value double precision not null,
    question_count integer not null,
    -- questions that raised an error: they count 0 in every measure
    error_count integer not null,
    -- of the question file: another one is another measurement
    questions_sha256 text not null,
    release text not null,
    -- vector space of the embedder
    space text not null,
    measured_at timestamptz not null default now(),
    primary key (app_id, week, questions, variant, measure)
);
call keep_apart('retrieval_evaluations');

-- One row per question that an analyst marked, with what was found then.
create table feedback (
    feedback_id bigint generated always as identity primary key,
    app_id text not null,
    marked_at timestamptz not null default now(),
    question text not null,
    verdict text not null check (verdict in ('good', 'bad')),
    comment text not null default '',
    as_of date,
    -- [{"source", "page"}]: where the answer stands
    expected_pages jsonb not null default '[]',
    -- of the answer, as `finrag ask` tells it; error where it raised one
    status text not null,
    route jsonb not null default '{}',
    -- [{"rank", "kind", "id", "source", "pages", "cited"}], best first
    found jsonb not null default '[]',
    release text not null
);
create index on feedback (app_id, marked_at);
call keep_apart('feedback');
