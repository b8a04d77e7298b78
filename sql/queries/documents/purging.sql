-- What a document leaves where no revision of it stands any more: texts that were written from it,
-- in weekly builds of any age and in the cache of replies.

-- remember --
-- When a document came, what it alone calls something, and the entities that it names.
select d.registered_at as since,
       array(select distinct n.name from entity_names n
             where n.app_id = d.app_id and n.document_id = d.document_id
               and not exists (select from entity_names o
                               where o.app_id = n.app_id and o.name = n.name
                                 and o.document_id <> n.document_id)) as own_names,
       array(select n.name_id from entity_names n
             where n.app_id = d.app_id and n.document_id = d.document_id
             union
             select m.entity_id from entity_names n
             join entity_members m on m.app_id = n.app_id and m.name_id = n.name_id
             where n.app_id = d.app_id and n.document_id = d.document_id) as entity_ids
from documents d
where d.app_id = %(app_id)s and d.document_id = %(document_id)s;

-- delete_chain_reports --
-- Removes chains that hold one of some words, in any of an app's builds, with their vectors.
with gone as (
    delete from chain_reports r
    using community_builds b
    where b.build_id = r.build_id and b.app_id = %(app_id)s
      and exists (
        select from unnest(%(words)s::text[]) as word
        where strpos(concat(r.title, r.text, r.content, r.changes, r.citations), word) > 0)
    returning r.build_id, r.chain_id
),
vectors as (
    delete from graph_embeddings g
    using gone
    where g.app_id = %(app_id)s and g.kind = 'chain' and g.src_entity_id = gone.build_id
      and g.dst_entity_id = gone.chain_id
)
select build_id from gone;

-- leave_without_report --
-- Takes from communities the reports that hold one of some words, those that a model wrote in words
-- of its own on communities that hold some entities, and what was written from any of these.
with recursive tainted as (
    select s.report_id
    from community_summaries s
    where s.app_id = %(app_id)s
      and (exists (select from unnest(%(words)s::text[]) as word
                   where strpos(concat(s.title, s.summary, s.rating_reason, s.findings), word) > 0)
           or s.written_by <> 'offline' and exists (
                select from leiden_communities c
                join leiden_communities f on f.build_id = c.build_id
                    and f.first_leaf >= c.first_leaf and f.last_leaf <= c.last_leaf
                join community_members m on m.build_id = f.build_id
                    and m.community_id = f.community_id
                where c.report_id = s.report_id and m.entity_id = any(%(entity_ids)s::text[])))
    union
    select s.report_id
    from community_summaries s
    join tainted t on t.report_id = any(s.child_report_ids)
    where s.app_id = %(app_id)s
)
update leiden_communities c
set report_id = null, no_report = %(reason)s
from tainted t
where c.report_id = t.report_id
returning c.build_id;

-- delete_element_summaries --
-- Removes what builds say of some entities and of their relations.
delete from element_summaries e
using community_builds b
where b.build_id = e.build_id and b.app_id = %(app_id)s
  and (e.src_entity_id = any(%(entity_ids)s::text[])
       or e.dst_entity_id = any(%(entity_ids)s::text[]));

-- delete_names --
-- Forgets how entities were called that are gone.
delete from embedded_names n
where n.app_id = %(app_id)s and n.entity_id = any(%(entity_ids)s::text[])
  and not exists (select from entities e
                  where e.app_id = n.app_id and e.entity_id = n.entity_id);

-- delete_replies --
-- Removes the cached replies of chat models since a moment: requests are kept as hashes alone.
delete from model_replies where replied_at >= %(since)s;

-- renew_copies --
-- Has every keyword copy be built anew, its old files removed: an entry that is only deleted from
-- one stays in its files.
update store_identity
set changes_from = greatest(changes_from, pg_current_xact_id()::text::bigint + 1);
