-- Communities of a weekly build, and the graph of a day that they are made of.

-- graph_of_day --
-- Entities that there were by a day, and edges among them with their weights then, as columns.
-- One row: half a million rows of their own take three times as long to reach the process.
with present as materialized (
    select entity_id, (row_number() over (order by entity_id collate "C") - 1)::int as place
    from (select distinct coalesce(m.entity_id, n.name_id) as entity_id
          from entity_names n
          left join entity_members m on m.app_id = n.app_id and m.name_id = n.name_id
              and m.since <= %(day)s::date and %(day)s::date < m.until
          where n.app_id = %(app_id)s and n.published_on <= %(day)s::date) named
)
select array(select entity_id from present order by place) as entity_ids,
       coalesce(array_agg(s.place), '{}') as heads,
       coalesce(array_agg(d.place), '{}') as tails,
       coalesce(array_agg(e.weight), '{}') as weights
from entity_neighbours e
join present s on s.entity_id = e.entity_id
join present d on d.entity_id = e.neighbour_id
where e.app_id = %(app_id)s and e.outgoing
  and e.since <= %(day)s::date and %(day)s::date < e.until;

-- documents_of_day --
-- What readers saw of documents by a day, and by whom it was read, in one text.
select coalesce(string_agg(concat_ws(' ', d.document_id, d.revision, s.stages), E'\n'
                           order by d.document_id), '') as documents
from current_documents d
left join lateral (
    select string_agg(s.stage, ',' order by s.stage collate "C") as stages
    from document_stages s
    where s.document_id = d.document_id and s.revision = d.revision
      and s.stage like 'entity_mentions%%') s on true
where d.app_id = %(app_id)s and d.published_on <= %(day)s::date;

-- read_at --
-- The moment that a snapshot shows.
select now() as read_at;

-- communities --
-- Every community of a build with the entities of which it is the finest.
select c.community_id, c.level, c.parent_id, c.entity_count, c.edge_count, c.first_leaf,
       c.last_leaf, coalesce(m.entity_ids, '{}') as entity_ids
from leiden_communities c
left join (select community_id, array_agg(entity_id order by entity_id collate "C") as entity_ids
           from community_members
           where build_id = %(build_id)s
           group by community_id) m on m.community_id = c.community_id
where c.build_id = %(build_id)s
order by c.level, c.community_id collate "C";

-- members --
-- Every entity inside a community, those of its sub-communities included.
select m.entity_id
from leiden_communities c
join leiden_communities leaf on leaf.build_id = c.build_id
    and leaf.first_leaf between c.first_leaf and c.last_leaf
join community_members m on m.build_id = leaf.build_id and m.community_id = leaf.community_id
where c.build_id = %(build_id)s and c.community_id = %(community_id)s
  and leaf.first_leaf = leaf.last_leaf
order by m.entity_id collate "C";

-- events --
-- What became of communities since the build before.
select community_id, event, level, others, entities_before, entities_after
from community_events
where build_id = %(build_id)s
order by level, community_id collate "C", event collate "C";
