-- connected --
-- Names that declared aliases and decisions connect with some names, those included.
with recursive connected (name_id) as (
    select unnest(%(name_ids)s::text[])
    union
    select link.name_id
    from connected c
    cross join lateral (
        select a.name_id
        from entity_aliases a
        join documents d on d.document_id = a.document_id and d.current_revision = a.revision
        where a.app_id = %(app_id)s and a.alias_id = c.name_id
        union all
        select a.alias_id
        from entity_aliases a
        join documents d on d.document_id = a.document_id and d.current_revision = a.revision
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

-- alias_links --
-- For some names what they are declared an alias of, and since which day of publication.
select a.alias_id, a.name_id, min(a.published_on) as published_on
from entity_aliases a
join documents d on d.document_id = a.document_id and d.current_revision = a.revision
where a.app_id = %(app_id)s and a.alias_id = any(%(name_ids)s::text[])
group by a.alias_id, a.name_id
order by a.alias_id, a.name_id;

-- members --
-- The entities that some names belong to, where they are not entities by themselves.
select name_id, entity_id, nullif(since, '-infinity') as since, nullif(until, 'infinity') as until
from entity_members
where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[])
order by name_id, entity_members.since;

-- delete_members --
-- Forgets which entities some names belong to.
delete from entity_members where app_id = %(app_id)s and name_id = any(%(name_ids)s::text[]);

-- add_member --
-- The entity that a name belongs to, between two days of publication.
insert into entity_members (app_id, name_id, entity_id, since, until)
values (%(app_id)s, %(name_id)s, %(entity_id)s, coalesce(%(since)s::date, '-infinity'),
        coalesce(%(until)s::date, 'infinity'));

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
