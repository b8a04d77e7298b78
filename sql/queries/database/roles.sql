-- Who reads: what the reader's role is, what it may see, and what it must not be.

-- rights --
-- Whether a role exists, and what the current one can do for it.
select exists (select from pg_roles where rolname = %(role)s) as known,
       own.rolsuper as superuser,
       own.rolsuper or own.rolcreaterole as creates_roles,
       pg_has_role(current_user, t.relowner, 'usage') as owns_store,
       has_function_privilege('public', 'pg_catalog.set_config(text, text, boolean)', 'execute')
           as public_sets
from pg_roles own, pg_class t
where own.rolname = current_user and t.oid = 'documents'::regclass;

-- lacking --
-- Tables and views that a role is to read and may not.
select c.oid::regclass::text as name
from unnest(%(tables)s::text[]) as t (name)
join pg_class c on c.oid = to_regclass(t.name)
where not has_table_privilege(%(role)s, c.oid, 'select')
order by 1;

-- login --
-- What the role that is logged in could see or change beyond its rows.
select r.rolname as role,
       case when r.rolsuper then 'is a superuser' when r.rolbypassrls then 'has bypassrls'
            when r.rolcreaterole then 'creates roles'
            when r.rolreplication then 'copies the whole server' end as attribute,
       (select 'owns ' || min(c.oid::regclass::text) from pg_class c
        where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relowner = r.oid) as owned,
       (select 'belongs to ' || min(pg_get_userbyid(m.roleid)::text) from pg_auth_members m
        where m.member = r.oid) as member,
       to_regclass('schema_migrations') is not null
           and has_table_privilege('schema_migrations', 'select') as reads,
       has_function_privilege('pg_catalog.set_config(text, text, boolean)', 'execute') as sets
from pg_roles r
where r.rolname = session_user;

-- migrated --
-- The newest migration of the store.
select coalesce(max(version), 0) as version from schema_migrations;

-- bound --
-- The one application that the role logged in serves; null: any that is set.
select (select serves from reader_applications where role_name = session_user) as app_id;
