-- Reports on communities, and what they are written from: the graph as of the day of their build.

-- communities --
-- Every community of a build with its report, the finest first.
select community_id, level, parent_id, entity_count, report_id, no_report
from leiden_communities
where build_id = %(build_id)s
order by level desc, community_id;

-- members --
-- The entities of some communities, each with the sub-community that it is in.
select c.community_id, m.entity_id, s.community_id as sub_id
from leiden_communities c
join leiden_communities f on f.build_id = c.build_id
    and f.first_leaf >= c.first_leaf and f.last_leaf <= c.last_leaf
join community_members m on m.build_id = f.build_id and m.community_id = f.community_id
left join leiden_communities s on s.build_id = c.build_id and s.parent_id = c.community_id
    and s.first_leaf <= f.first_leaf and f.last_leaf <= s.last_leaf
where c.build_id = %(build_id)s and c.community_id = any(%(community_ids)s::text[])
order by c.community_id, m.entity_id;

-- nodes --
-- The `k` entities of some communities with the most neighbours by a day, and how many there are.
with member as materialized (
    select *
    from unnest(%(communities)s::text[], %(entities)s::text[]) as m (community_id, entity_id)
),
degree as (
    select e.entity_id, count(distinct n.neighbour_id)::int as degree
    from (select distinct entity_id from member) e
    left join entity_neighbours n on n.app_id = %(app_id)s and n.entity_id = e.entity_id
        and n.since <= %(day)s::date and %(day)s::date < n.until
    group by e.entity_id
),
ranked as (
    select m.community_id, m.entity_id, d.degree, count(*) over (partition by m.community_id) as total,
           row_number() over (partition by m.community_id
                              order by d.degree desc, m.entity_id) as rank
    from member m
    join degree d using (entity_id)
)
select community_id, entity_id, degree, total::int
from ranked
where rank <= %(k)s
order by community_id, rank;

-- edges --
-- The `k` foremost stated edges inside some communities by a day, and how many there are.
-- They come by the neighbours of both their ends; `across` asks for those alone that lead from one
-- sub-community to another.
with member as materialized (
    select *
    from unnest(%(communities)s::text[], %(entities)s::text[], %(subs)s::text[])
        as m (community_id, entity_id, sub_id)
),
inside as materialized (
    select s.community_id, n.entity_id as src, n.edge_type, n.neighbour_id as dst, n.weight
    from member s
    join entity_neighbours n on n.app_id = %(app_id)s and n.entity_id = s.entity_id and n.outgoing
        and n.edge_type <> 'co_occurs' and n.since <= %(day)s::date and %(day)s::date < n.until
    join member t on t.community_id = s.community_id and t.entity_id = n.neighbour_id
    where (not %(across)s::boolean or s.sub_id is distinct from t.sub_id)
      and (%(edge_types)s::text[] is null or n.edge_type = any(%(edge_types)s::text[]))
),
degree as (
    select e.entity_id, count(distinct n.neighbour_id)::int as degree
    from (select src as entity_id from inside union select dst from inside) e
    join entity_neighbours n on n.app_id = %(app_id)s and n.entity_id = e.entity_id
        and n.since <= %(day)s::date and %(day)s::date < n.until
    group by e.entity_id
),
ranked as (
    select i.*, s.degree + d.degree as degree, count(*) over (partition by i.community_id) as total,
           row_number() over (partition by i.community_id
                              order by s.degree + d.degree desc, i.weight desc, i.src,
                                       i.edge_type collate "C", i.dst) as rank
    from inside i
    join degree s on s.entity_id = i.src
    join degree d on d.entity_id = i.dst
)
select community_id, src, edge_type, dst, weight, degree, total::int
from ranked
where rank <= %(k)s
order by community_id, rank;

-- counts --
-- How many entities of each type some communities have.
with member as materialized (
    select *
    from unnest(%(communities)s::text[], %(entities)s::text[]) as m (community_id, entity_id)
)
select m.community_id, t.type, count(*)::int as entities
from member m
cross join lateral (
    -- an entity is called by the id of one of its names
    select min(n.type collate "C") as type
    from entity_names n
    where n.app_id = %(app_id)s and n.name_id = m.entity_id
) t
where t.type is not null
group by m.community_id, t.type
order by m.community_id, t.type collate "C";

-- stated --
-- How much is stated inside some communities by a day: relations, claims, documents, first and last.
with member as materialized (
    select *
    from unnest(%(communities)s::text[], %(entities)s::text[]) as m (community_id, entity_id)
),
name as materialized (
    select m.community_id, n.entity_id, n.name_id
    from member m
    join names_on(%(app_id)s, %(entities)s, %(day)s) n using (entity_id)
),
said as (
    select h.community_id, r.document_id, r.published_on, 1 as relation
    from name h
    join relation_evidence r on r.app_id = %(app_id)s and r.head_id = h.name_id
    join name t on t.community_id = h.community_id and t.name_id = r.tail_id
        and t.entity_id <> h.entity_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.relation <> 'co_occurs' and r.modality = 'asserted'
      and r.published_on <= %(day)s::date
    union all
    select n.community_id, c.document_id, c.published_on, 0
    from name n
    join entity_claims c on c.app_id = %(app_id)s and c.name_id = n.name_id
    join documents d on d.document_id = c.document_id and d.current_revision = c.revision
    where c.modality <> 'negated' and c.published_on <= %(day)s::date
)
select community_id, sum(relation)::int as relations, (count(*) - sum(relation))::int as claims,
       count(distinct document_id)::int as documents, min(published_on) as first_on,
       max(published_on) as last_on
from said
group by community_id
order by community_id;

-- statements --
-- The newest asserted statements behind some edges by a day, each with the line that it stands in.
with edge as (
    select * from unnest(%(srcs)s::text[], %(edge_types)s::text[], %(dsts)s::text[])
        with ordinality as e (src, edge_type, dst, at)
),
name as materialized (
    select entity_id, name_id
    from names_on(%(app_id)s, %(srcs)s::text[] || %(dsts)s::text[], %(day)s)
),
pair as (
    select e.at, e.edge_type, h.name_id as head_id, t.name_id as tail_id
    from edge e
    join name h on h.entity_id = e.src
    join name t on t.entity_id = e.dst
    union
    select e.at, e.edge_type, t.name_id, h.name_id
    from edge e
    join name h on h.entity_id = e.src
    join name t on t.entity_id = e.dst
    where e.edge_type = any(%(symmetric)s::text[])
),
ranked as (
    select p.at, r.*, row_number() over (partition by p.at
                                         order by r.published_on desc, r.document_id,
                                                  r.ordinal) as rank
    from pair p
    join relation_evidence r on r.app_id = %(app_id)s and r.head_id = p.head_id
        and r.tail_id = p.tail_id and r.relation = p.edge_type
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.modality = 'asserted' and r.published_on <= %(day)s::date
)
select r.at::int as edge, r.relation as kind, r.description, r.modality, r.period, r.document_id,
       r.chunk, r.page, r.start_at, r.end_at, r.published_on, l.line_at::int,
       split_part(substr(c.content, l.line_at + 1), E'\n', 1) as line,
       substr(c.content, r.start_at + 1, r.end_at - r.start_at) as quote
from ranked r
cross join lateral evidence_passage(r.document_id, r.revision, r.chunk) c
cross join lateral (
    select case strpos(reverse(left(c.content, r.start_at)), E'\n') when 0 then 0
           else r.start_at + 1 - strpos(reverse(left(c.content, r.start_at)), E'\n') end as line_at
) l
where r.rank <= %(k)s
order by r.at, r.rank;

-- claims --
-- The newest claims of each kind of some entities by a day, each with the line that it stands in
-- and the house that published it.
with name as materialized (
    select entity_id, name_id from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
),
ranked as (
    select n.entity_id, r.*, row_number() over (partition by n.entity_id, r.kind
                                                order by r.published_on desc, r.document_id,
                                                         r.ordinal) as rank
    from name n
    join entity_claims r on r.app_id = %(app_id)s and r.name_id = n.name_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.modality <> 'negated' and r.published_on <= %(day)s::date
)
select r.entity_id, r.kind, r.description, r.modality, r.period, r.document_id, r.chunk, r.page,
       r.start_at, r.end_at, r.published_on, l.line_at::int,
       split_part(substr(c.content, l.line_at + 1), E'\n', 1) as line,
       substr(c.content, r.start_at + 1, r.end_at - r.start_at) as quote,
       v.broker as publisher
from ranked r
cross join lateral evidence_passage(r.document_id, r.revision, r.chunk) c
join document_revisions v on v.document_id = r.document_id and v.revision = r.revision
cross join lateral (
    select case strpos(reverse(left(c.content, r.start_at)), E'\n') when 0 then 0
           else r.start_at + 1 - strpos(reverse(left(c.content, r.start_at)), E'\n') end as line_at
) l
where r.rank <= %(k)s
order by r.entity_id, r.kind collate "C", r.rank;

-- descriptions --
-- The newest mentions that say what some entities are, by a day, with the lines that they stand in.
with name as materialized (
    select entity_id, name_id from names_on(%(app_id)s, %(entity_ids)s, %(day)s)
),
ranked as (
    select n.entity_id, r.*, row_number() over (partition by n.entity_id
                                                order by r.published_on desc, r.document_id,
                                                         r.ordinal) as rank
    from name n
    join entity_mentions r on r.app_id = %(app_id)s and r.name_id = n.name_id
    join documents d on d.document_id = r.document_id and d.current_revision = r.revision
    where r.description <> '' and r.published_on <= %(day)s::date
)
select r.entity_id, 'description' as kind, r.description, 'asserted' as modality,
       null::text as period, r.document_id, r.chunk, r.page, r.start_at, r.end_at, r.published_on,
       l.line_at::int, split_part(substr(c.content, l.line_at + 1), E'\n', 1) as line,
       substr(c.content, r.start_at + 1, r.end_at - r.start_at) as quote
from ranked r
cross join lateral evidence_passage(r.document_id, r.revision, r.chunk) c
cross join lateral (
    select case strpos(reverse(left(c.content, r.start_at)), E'\n') when 0 then 0
           else r.start_at + 1 - strpos(reverse(left(c.content, r.start_at)), E'\n') end as line_at
) l
where r.rank <= %(k)s
order by r.entity_id, r.rank;

-- held --
-- Which of some passages readers see: characters of a chunk of a document's current revision.
select p.at::int as passage
from unnest(%(document_ids)s::text[], %(chunks)s::int[], %(starts)s::int[], %(quotes)s::text[])
    with ordinality as p (document_id, chunk, start_at, quote, at)
join documents d on d.document_id = p.document_id
cross join lateral evidence_passage(d.document_id, d.current_revision, p.chunk) c
where substr(c.content, p.start_at + 1, length(p.quote)) = p.quote
order by p.at;

-- reports --
-- Some reports by their ids.
select report_id, title, summary, rating, rating_reason, findings
from community_summaries
where report_id = any(%(report_ids)s::text[])
order by report_id;

-- add_report --
-- One report, unless it is there.
insert into community_summaries
    (report_id, app_id, title, summary, rating, rating_reason, findings, child_report_ids,
     written_by, source_sha256, source_tokens)
values (%(report_id)s, %(app_id)s, %(title)s, %(summary)s, %(rating)s, %(rating_reason)s,
        %(findings)s, %(child_report_ids)s, %(written_by)s, %(source_sha256)s, %(source_tokens)s)
on conflict (report_id) do nothing;

-- set_report --
-- Gives a community of a build its report, or says why it has none.
update leiden_communities
set report_id = %(report_id)s, no_report = %(no_report)s
where build_id = %(build_id)s and community_id = %(community_id)s;

-- largest --
-- The reports on the communities of a build that hold the most entities.
select c.level, c.entity_count, s.title, s.rating
from leiden_communities c
join community_summaries s using (report_id)
where c.build_id = %(build_id)s
order by c.entity_count desc, c.level, c.community_id collate "C"
limit %(k)s;
