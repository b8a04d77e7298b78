-- connected --
-- Names that declared aliases and decisions connect with some names, those included.
with recursive connected (name_id) as (
    select unnest(%(name_ids)s::text[])
    union
    select link.name_id
    from connected c
    cross join lateral (
        select a.name_id from alias_links a
        where a.app_id = %(app_id)s and a.alias_id = c.name_id
        union all
        select a.alias_id from alias_links a
        where a.app_id = %(app_id)s and a.name_id = c.name_id
        union all
        select e.other_id from entity_decisions e
        where e.app_id = %(app_id)s and e.name_id = c.name_id and e.undone_at is null
        union all
        select e.name_id from entity_decisions e
        where e.app_id = %(app_id)s and e.other_id = c.name_id and e.undone_at is null
    ) link
)
select name_id from connected order by name_id;

-- declared_links --
-- What current revisions of some documents declare an alias of what.
select distinct a.alias_id, a.name_id
from documents d
join entity_aliases a on a.document_id = d.document_id and a.revision = d.current_revision
where d.document_id = any(%(document_ids)s::text[]);

-- set_links --
-- Brings some declared aliases to what documents say now; tells those that changed.
with asked as materialized (
    select * from unnest(%(alias_ids)s::text[], %(name_ids)s::text[]) as a (alias_id, name_id)
),
declared as (
    select a.alias_id, a.name_id, f.published_on
    from asked a
    cross join lateral (
        select e.published_on
        from entity_aliases e
        join documents d on d.document_id = e.document_id and d.current_revision = e.revision
        where e.app_id = %(app_id)s and e.alias_id = a.alias_id and e.name_id = a.name_id
        order by e.published_on
        limit 1
    ) f
),
gone as (
    delete from alias_links l
    using asked a
    where l.app_id = %(app_id)s and l.alias_id = a.alias_id and l.name_id = a.name_id
      and not exists (select from declared d
                      where d.alias_id = a.alias_id and d.name_id = a.name_id)
    returning l.alias_id, l.name_id
),
new as (
    insert into alias_links as l (app_id, alias_id, name_id, published_on)
    select %(app_id)s, alias_id, name_id, published_on from declared
    on conflict (app_id, alias_id, name_id) do update
        set published_on = excluded.published_on
        where l.published_on <> excluded.published_on
    returning l.alias_id, l.name_id
)
select alias_id, name_id from gone
union all
select alias_id, name_id from new;

-- set_every_link --
-- The declared aliases of an app.
insert into alias_links select * from alias_links_afresh where app_id = %(app_id)s;

-- linked_names --
-- Every name of an app that a declared alias or a decision is about.
select alias_id as name_id from alias_links where app_id = %(app_id)s
union
select name_id from alias_links where app_id = %(app_id)s
union
select name_id from entity_decisions where app_id = %(app_id)s and undone_at is null
union
select other_id from entity_decisions where app_id = %(app_id)s and undone_at is null;

-- alias_links --
-- For some names what they are declared an alias of, and since which day of publication.
select alias_id, name_id, published_on
from alias_links
where app_id = %(app_id)s and alias_id = any(%(name_ids)s::text[])
order by alias_id, name_id;

-- members --
-- The entities that some names belong to, where they are not entities by themselves.
select name_id, entity_id, nullif(since, '-infinity') as since, nullif(until, 'infinity') as until
from entity_members
where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])
order by name_id, entity_members.since;

-- delete_members --
-- Forgets which entities some names belong to.
delete from entity_members where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[]);

-- add_members --
-- The entities that some names belong to, each between two days of publication.
insert into entity_members (app_id, name_id, entity_id, since, until)
select %(app_id)s, name_id, entity_id, coalesce(since, '-infinity'), coalesce(until, 'infinity')
from unnest(%(name_ids)s::text[], %(entity_ids)s::text[], %(since)s::date[], %(until)s::date[])
    as m (name_id, entity_id, since, until);

-- names_of --
-- Every name that ever belonged to some entities; an entity without members is its only name.
select entity_id, name_id from entity_members
where app_id = %(app_id)s and entity_id = any(%(entity_ids)s::text[])
union
select entity_id, entity_id from unnest(%(entity_ids)s::text[]) as entity_id
order by 1, 2;

-- clear_members --
-- Removes the memberships of an app's graph.
delete from entity_members where app_id = %(app_id)s;
