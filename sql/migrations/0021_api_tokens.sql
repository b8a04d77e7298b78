-- Who may ask by HTTP: tokens of applications. No reader is granted them.

-- One row per token; its secret is stored as a hash alone.
create table api_tokens (
    -- what the token begins with, and what it is revoked by
    token_id text primary key,
    app_id text not null,
    -- of the whole token
    token_sha256 bytea not null check (octet_length(token_sha256) = 32),
    -- what it is for, as its maker says
    name text not null default '',
    scopes text[] not null,
    created_at timestamptz not null default now(),
    -- null: never
    expires_at timestamptz,
    -- to the minute
    last_used_at timestamptz,
    revoked_at timestamptz
);
create index api_tokens_app on api_tokens (app_id);
call keep_apart('api_tokens');
