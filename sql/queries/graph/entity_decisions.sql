-- known_names --
-- Names that a spelling, a name's id or an entity's id stands for, with what is known of them.
select n.name_id, (array_agg(n.name order by n.registered desc, n.mention_count desc,
                                            n.name collate "C"))[1] as name,
       min(n.type) as type, max(n.codes) as codes, sum(n.mention_count)::int as mention_count,
       coalesce((select m.entity_id from entity_members m
                 where m.app_id = n.app_id and m.name_id = n.name_id and m.until = 'infinity'),
                n.name_id) as entity_id
from entity_names n
where n.app_id = %(app_id)s
  and n.name_id in (
        select name_id from entity_names
        where app_id = %(app_id)s and (spelling = %(spelling)s or name_id = %(name)s
                                         or %(name)s = any(codes))
        union all
        select name_id from entity_members
        where app_id = %(app_id)s and entity_id = %(name)s and until = 'infinity')
group by n.app_id, n.name_id
order by sum(n.mention_count) desc, n.name_id;

-- names_of_entity --
-- The names that belong to an entity now, by which it was mentioned, with their own ids.
select m.plain_id, min(m.name) as name, m.name_id, count(*)::int as mention_count
from entity_mentions m
join documents d on d.document_id = m.document_id and d.current_revision = m.revision
where m.app_id = %(app_id)s and m.name_id = any(%(name_ids)s::text[])
group by m.plain_id, m.name_id
order by count(*) desc, m.plain_id;

-- add_decision --
-- Records a merge or split by hand, unless it stands already.
insert into entity_decisions (app_id, kind, name_id, other_id, name, other_name, reason)
values (%(app_id)s, %(kind)s, %(name_id)s, %(other_id)s, %(name)s, %(other_name)s, %(reason)s)
on conflict do nothing
returning decision_id;

-- undo --
-- Takes a decision back; its row stays.
update entity_decisions set undone_at = now()
where app_id = %(app_id)s and decision_id = %(decision_id)s and undone_at is null
returning kind, name_id, other_id, name, other_name;

-- decisions --
-- Every merge and split by hand, the newest first.
select decision_id, kind, name_id, other_id, name, other_name, reason, decided_at, undone_at
from entity_decisions
where app_id = %(app_id)s
order by decision_id desc;

-- standing --
-- Merges and splits that stand and concern some names.
select kind, name_id, other_id
from entity_decisions
where app_id = %(app_id)s and undone_at is null
  and (name_id = any(%(name_ids)s::text[]) or other_id = any(%(name_ids)s::text[]))
order by kind, name_id, other_id;

-- documents_of --
-- Documents with mentions of a name that is anchored elsewhere.
select distinct document_id
from entity_mentions
where app_id = %(app_id)s and resolved_id = %(other_id)s and plain_id = %(name_id)s
order by document_id;

-- rename_mentions --
-- Brings mentions of a name to what splits say: by itself, or as its document and registry anchor it.
with m as (
    update entity_mentions m
    set name_id = case when exists (
            select from entity_decisions d
            where d.app_id = m.app_id and d.kind = 'split' and d.undone_at is null
              and d.name_id = m.plain_id and d.other_id = m.resolved_id)
        then m.plain_id else m.resolved_id end
    where m.app_id = %(app_id)s and m.resolved_id = %(other_id)s and m.plain_id = %(name_id)s
    returning m.document_id, m.revision, m.ordinal, m.name_id
),
h as (
    update relation_evidence r set head_id = m.name_id from m
    where r.document_id = m.document_id and r.revision = m.revision and r.head_mention = m.ordinal
)
update entity_claims r set name_id = m.name_id
from m
where r.document_id = m.document_id and r.revision = m.revision and r.mention = m.ordinal;

-- rename_tails --
-- The same for the tails of their relations: one statement updates a row once.
update relation_evidence r
set tail_id = m.name_id
from entity_mentions m
where m.app_id = %(app_id)s and m.resolved_id = %(other_id)s and m.plain_id = %(name_id)s
  and r.document_id = m.document_id and r.revision = m.revision and r.tail_mention = m.ordinal;
