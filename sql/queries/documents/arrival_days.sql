-- What the store holds of the documents of an arrival day: figures of Dagster's partitions.

-- first_day --
-- The day on which the store's first document arrived, whatever app it is of.
select min(arrival_on) as first_on from documents;

-- registered --
-- Documents and files of some days.
select day.arrival_on, count(d.document_id) as documents,
       coalesce(sum(s.files), 0)::int as files
from unnest(%(days)s::date[]) as day (arrival_on)
left join documents d on d.app_id = %(app_id)s and d.arrival_on = day.arrival_on
    and d.status <> 'withdrawn'
left join lateral (
    select count(*) as files from document_sources where document_id = d.document_id
) s on true
group by day.arrival_on
order by day.arrival_on;

-- passed --
-- Documents of some days that are through a stage, by their last reading, their pages and the rows that the stage left.
select day.arrival_on, count(t.stage) as documents,
       coalesce(sum(t.row_count), 0)::bigint as rows,
       coalesce(sum(t.page_count), 0)::int as pages,
       count(*) filter (where d.status = 'quarantined') as quarantined
from unnest(%(days)s::date[]) as day (arrival_on)
left join documents d on d.app_id = %(app_id)s and d.arrival_on = day.arrival_on
    and d.status <> 'withdrawn'
left join lateral (
    select s.stage, s.row_count, r.page_count
    from document_stages s
    join document_revisions r using (document_id, revision)
    where s.document_id = d.document_id and s.stage = %(stage)s
    order by s.finished_at desc
    limit 1
) t on true
group by day.arrival_on
order by day.arrival_on;

-- rows_in_all --
-- Rows that a stage left of an app's documents, those of revisions to come included.
select coalesce(sum(s.row_count), 0)::bigint as rows
from documents d
join document_stages s using (document_id)
where d.app_id = %(app_id)s and s.stage = %(stage)s;

-- documents_in_all --
-- Documents that an app ever had.
select count(*) as documents from documents where app_id = %(app_id)s;

-- in_graph --
-- Documents of some days that readers see, the entities that they name, and how many of these have a summary or wait for one, or for a vector.
select day.arrival_on, count(distinct d.document_id) as documents,
       count(distinct c.entity_id) as entities, count(distinct s.entity_id) as summaries,
       count(distinct u.src_entity_id) filter (where u.work = 'summary') as waiting_for_summary,
       count(distinct u.src_entity_id) filter (where u.work <> 'summary') as waiting_for_vector
from unnest(%(days)s::date[]) as day (arrival_on)
left join documents d on d.app_id = %(app_id)s and d.arrival_on = day.arrival_on
    and d.status = 'indexed'
left join entity_chunks c on c.document_id = d.document_id
left join entity_summaries s on s.app_id = c.app_id and s.entity_id = c.entity_id
left join unfinished_elements u on u.app_id = c.app_id and u.kind = 'entity'
    and u.src_entity_id = c.entity_id
    and u.work in (select space_id from vector_spaces where active union all select 'summary')
group by day.arrival_on
order by day.arrival_on;
