-- What a store holds in a few figures, at the cost of its documents, not of their chunks.

-- documents --
-- Documents by state.
select status, count(*) as documents from documents group by status order by status;

-- chunks --
-- Chunks that readers can find, as the stage left them.
select coalesce(sum(s.row_count), 0)::bigint as chunks
from documents d
join document_stages s on s.document_id = d.document_id and s.revision = d.current_revision
where s.stage = 'clique_chunks';

-- unfinished --
-- Stages that documents wait for.
select stage, count(*) as documents from unfinished_stages group by stage order by stage;

-- times --
-- The last day that brought a document, and when the current weekly build was published, of several apps the one that waits most.
select extract(epoch from (select max(arrival_on) from documents))::float8 as newest_arrival_s,
       extract(epoch from (select min(latest.published_at)
                           from (select max(published_at) as published_at from community_builds
                                 group by app_id) as latest))::float8 as weekly_build_s;
