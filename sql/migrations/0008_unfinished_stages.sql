-- What a stage had to leave of a document: later runs take it up from here.

-- One row per document and stage that left part of it; gone once the stage has finished.
create table unfinished_stages (
    document_id text not null,
    revision text not null,
    -- the stage as people know it: another extractor finishes what one before it left
    stage text not null,
    left_count integer not null check (left_count > 0),
    -- one line for people: what failed and what mends it
    reason text not null,
    -- runs in a row that left the same, though the model answered: in vain, as it seems
    tries integer not null,
    noted_at timestamptz not null default now(),
    primary key (document_id, revision, stage),
    foreign key (document_id, revision) references document_revisions on delete cascade
);

-- What was never indexed is few among many documents, and every night looks for it.
create index on documents (app_id) where status in ('registered', 'quarantined');

-- Until now `chunk_contexts` counted as done whatever the model had failed to write.
insert into unfinished_stages (document_id, revision, stage, left_count, reason, tries)
select t.document_id, t.revision, t.stage, count(*),
       'the chat model failed of them in an earlier release: the next run asks again', 0
from document_stages t
join clique_chunks c using (document_id, revision)
where t.stage = 'chunk_contexts' and c.context_by = 'headings'
group by t.document_id, t.revision, t.stage;
delete from document_stages t
using unfinished_stages u
where t.document_id = u.document_id and t.revision = u.revision and t.stage = u.stage;
insert into unfinished_stages (document_id, revision, stage, left_count, reason, tries)
select document_id, revision, 'entity_mentions', count(*), min(reason), 0
from extraction_problems
group by document_id, revision;
