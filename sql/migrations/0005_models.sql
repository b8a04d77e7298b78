-- Chat models: replies, so that nothing is asked twice, and what was spent on them.

-- One row per request whose reply was found valid.
create table model_replies (
    -- of server, model, messages, parameters and schema
    request_sha256 text primary key,
    server text not null,
    model text not null,
    reply text not null,
    replied_at timestamptz not null default now()
);

-- One row per asset, run, document and model.
create table model_usage (
    app_id text not null,
    run_id text not null,
    asset text not null,
    -- null for what concerns no single document
    document_id text,
    model text not null,
    -- requests that were answered, and those that the stored replies answered
    calls integer not null,
    cached_calls integer not null,
    -- as the server counts, else as we do
    prompt_tokens bigint not null,
    completion_tokens bigint not null,
    -- as we count, which is what an estimate tells
    counted_prompt_tokens bigint not null,
    -- in the currency of the prices
    cost double precision not null,
    updated_at timestamptz not null default now(),
    unique nulls not distinct (app_id, run_id, asset, document_id, model)
);
