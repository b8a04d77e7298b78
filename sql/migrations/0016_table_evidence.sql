-- Rows of tables as evidence of the graph. A row that states relations is kept with its table, as it
-- is quoted and with its box; where mentions and relations name their chunk, it is a number below
-- zero: -1 for the first such row of a document's first table, 1,000 to a table.

alter table html_tables
    -- [{"text", "page", "bbox"}]
    add column stating_rows jsonb not null default '[]';

-- What stands in a passage: a chunk, or a row that its table keeps.
create function evidence_passage(in_document text, in_revision text, number integer)
returns table (page integer, content text) language sql stable parallel safe as $$
    select c.page, c.content
    from clique_chunks c
    where number >= 0 and c.document_id = in_document and c.revision = in_revision
      and c.ordinal = number
    union all
    select (stated.line ->> 'page')::integer, stated.line ->> 'text'
    from html_tables t
    cross join lateral (select t.stating_rows -> ((-1 - number) % 1000) as line) stated
    where number < 0 and t.document_id = in_document and t.revision = in_revision
      and t.ordinal = (-1 - number) / 1000 and stated.line is not null
$$;

-- Every passage of every revision.
create view evidence_passages with (security_invoker = true) as
select app_id, document_id, revision, ordinal as chunk, content
from clique_chunks
union all
select t.app_id, t.document_id, t.revision, -1 - (1000 * t.ordinal + stated.n::integer - 1),
       stated.line ->> 'text'
from html_tables t
cross join lateral jsonb_array_elements(t.stating_rows) with ordinality as stated (line, n);

alter table entity_mentions
    drop constraint entity_mentions_document_id_revision_chunk_fkey,
    add foreign key (document_id, revision) references document_revisions on delete cascade;
alter table relation_evidence
    drop constraint relation_evidence_document_id_revision_chunk_fkey,
    add foreign key (document_id, revision) references document_revisions on delete cascade;
