-- Which runs are alive: each tells every few seconds that it is.

-- One row per run; rows of runs that ended long ago are removed by later ones.
create table run_heartbeats (
    run_id text primary key,
    -- where it runs, for people
    host text not null,
    process_id integer not null,
    started_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    -- somebody wants it to end
    end_asked boolean not null default false
);
create index on run_heartbeats (seen_at);
