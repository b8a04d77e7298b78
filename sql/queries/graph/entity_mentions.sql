-- add_mentions --
-- Mentions of a document; a split that stands takes a name back to type and spelling.
insert into entity_mentions
    (document_id, revision, ordinal, app_id, chunk, page, start_at, end_at, text, type, confidence,
     description, name, spelling, registered_name, registered_spelling, codes, resolved_id,
     resolved_key, plain_id, plain_key, name_id, published_on)
select %(document_id)s, %(revision)s, m.ordinal, %(app_id)s, m.chunk, c.page, m.start_at, m.end_at,
       m.text, m.type, m.confidence, m.description, m.name, m.spelling, m.registered_name,
       m.registered_spelling, m.codes, m.resolved_id, m.resolved_key, m.plain_id, m.plain_key,
       case when exists (select from entity_decisions d
                         where d.app_id = %(app_id)s and d.kind = 'split' and d.undone_at is null
                           and d.name_id = m.plain_id and d.other_id = m.resolved_id)
            then m.plain_id else m.resolved_id end,
       r.published_on
from jsonb_to_recordset(%(rows)s) as m (
    ordinal int, chunk int, start_at int, end_at int, text text, type text, confidence text,
    description text, name text, spelling text, registered_name text, registered_spelling text,
    codes text[], resolved_id text, resolved_key text, plain_id text, plain_key text)
cross join lateral evidence_passage(%(document_id)s, %(revision)s, m.chunk) c
join document_revisions r on r.document_id = %(document_id)s and r.revision = %(revision)s;

-- add_relations --
-- Statements of a document that relate two of its mentions.
insert into relation_evidence
    (document_id, revision, ordinal, app_id, chunk, page, head_mention, tail_mention, head_id,
     relation, tail_id, description, start_at, end_at, modality, confidence, weight, period,
     valid_from, valid_to, published_on)
select h.document_id, h.revision, s.ordinal, h.app_id, h.chunk, h.page, h.ordinal, t.ordinal,
       h.name_id, s.relation, t.name_id, s.description, s.start_at, s.end_at, s.modality,
       s.confidence, s.weight, s.period, s.valid_from, s.valid_to, h.published_on
from jsonb_to_recordset(%(rows)s) as s (
    ordinal int, head int, relation text, tail int, description text, start_at int, end_at int,
    modality text, confidence text, weight double precision, period text, valid_from date,
    valid_to date)
join entity_mentions h on h.document_id = %(document_id)s and h.revision = %(revision)s
    and h.ordinal = s.head
join entity_mentions t on t.document_id = %(document_id)s and t.revision = %(revision)s
    and t.ordinal = s.tail;

-- add_claims --
-- Statements of a document about one of its mentions.
insert into entity_claims
    (document_id, revision, ordinal, app_id, chunk, page, mention, name_id, kind, description,
     start_at, end_at, modality, metric, value, unit, period, valid_from, valid_to, published_on)
select m.document_id, m.revision, s.ordinal, m.app_id, m.chunk, m.page, m.ordinal, m.name_id,
       s.kind, s.description, s.start_at, s.end_at, s.modality, s.metric, s.value, s.unit,
       s.period, s.valid_from, s.valid_to, m.published_on
from jsonb_to_recordset(%(rows)s) as s (
    ordinal int, subject int, kind text, description text, start_at int, end_at int,
    modality text, metric text, value text, unit text, period text, valid_from date,
    valid_to date)
join entity_mentions m on m.document_id = %(document_id)s and m.revision = %(revision)s
    and m.ordinal = s.subject;

-- add_aliases --
-- Names that a document declares for its mentions; repeats change nothing.
insert into entity_aliases
    (document_id, revision, alias_id, name_id, app_id, alias, spelling, published_on)
select m.document_id, m.revision, s.alias_id, m.resolved_id, m.app_id, s.alias, s.spelling,
       m.published_on
from rows from (jsonb_to_recordset(%(rows)s) as (mention int, alias text, spelling text, alias_id text))
    with ordinality as s (mention, alias, spelling, alias_id, place)
join entity_mentions m on m.document_id = %(document_id)s and m.revision = %(revision)s
    and m.ordinal = s.mention
order by s.place
on conflict do nothing;

-- add_problems --
-- Why an extractor could not do justice to some chunks.
insert into extraction_problems (document_id, revision, chunk, reason)
select %(document_id)s, %(revision)s, s.chunk, s.reason
from jsonb_to_recordset(%(rows)s) as s (chunk int, reason text);

-- delete_mentions --
-- Removes what was read of a revision before.
with a as (delete from entity_aliases
           where document_id = %(document_id)s and revision = %(revision)s),
     r as (delete from relation_evidence
           where document_id = %(document_id)s and revision = %(revision)s),
     c as (delete from entity_claims
           where document_id = %(document_id)s and revision = %(revision)s),
     p as (delete from extraction_problems
           where document_id = %(document_id)s and revision = %(revision)s)
delete from entity_mentions where document_id = %(document_id)s and revision = %(revision)s;

-- problems --
-- Chunks that readers see and no extractor did justice to, with the reason.
select d.source, d.document_id, p.chunk, c.page, p.reason
from current_documents d
join extraction_problems p using (document_id, revision)
join clique_chunks c on c.document_id = d.document_id and c.revision = d.revision
    and c.ordinal = p.chunk
where d.app_id = %(app_id)s
order by d.source, p.chunk;
