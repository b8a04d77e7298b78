-- How large the tables are, and how much of what they hold is new.

-- tables --
-- Every table with what it takes on the disk, indexes included, and its rows as the server estimates them.
select n.nspname as schema_name, c.relname as table_name,
       pg_total_relation_size(c.oid) as bytes,
       greatest(coalesce(s.n_live_tup, 0), c.reltuples, 0)::bigint as rows
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_stat_user_tables s on s.relid = c.oid
where c.relkind in ('r', 'm') and n.nspname in (current_schema, %(events_schema)s)
order by n.nspname, c.relname;

-- recent --
-- How much came within some days of what is dated: as a share, null where there is none.
select (select avg((registered_at > now() - make_interval(days => %(days)s::int))::int)
        from documents where status <> 'withdrawn')::float8 as documents,
       (select avg((clustered_at > now() - make_interval(days => %(days)s::int))::int)
        from community_builds)::float8 as builds,
       (select avg((replied_at > now() - make_interval(days => %(days)s::int))::int)
        from model_replies)::float8 as replies;

-- database --
-- What the whole database takes on the disk.
select pg_database_size(current_database()) as bytes;
