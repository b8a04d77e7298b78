-- add_mention --
-- One mention; a split that stands takes its name back to type and spelling.
insert into entity_mentions
    (document_id, revision, ordinal, app_id, chunk, page, start_at, end_at, text, type, confidence,
     description, name, spelling, registered_name, registered_spelling, codes, resolved_id,
     resolved_key, plain_id, plain_key, name_id, published_on)
select %(document_id)s, %(revision)s, %(ordinal)s, %(app_id)s, c.ordinal, c.page, %(start_at)s,
       %(end_at)s, %(text)s, %(type)s, %(confidence)s, %(description)s, %(name)s, %(spelling)s,
       %(registered_name)s, %(registered_spelling)s, %(codes)s::text[], %(resolved_id)s,
       %(resolved_key)s, %(plain_id)s, %(plain_key)s,
       case when exists (select from entity_decisions d
                         where d.app_id = %(app_id)s and d.kind = 'split' and d.undone_at is null
                           and d.name_id = %(plain_id)s and d.other_id = %(resolved_id)s)
            then %(plain_id)s else %(resolved_id)s end,
       r.published_on
from clique_chunks c
join document_revisions r using (document_id, revision)
where c.document_id = %(document_id)s and c.revision = %(revision)s and c.ordinal = %(chunk)s;

-- add_relation --
-- One statement that relates two mentions of its document.
insert into relation_evidence
    (document_id, revision, ordinal, app_id, chunk, page, head_mention, tail_mention, head_id,
     relation, tail_id, description, start_at, end_at, modality, confidence, weight, period,
     valid_from, valid_to, published_on)
select h.document_id, h.revision, %(ordinal)s, h.app_id, h.chunk, h.page, h.ordinal, t.ordinal,
       h.name_id, %(relation)s, t.name_id, %(description)s, %(start_at)s, %(end_at)s, %(modality)s,
       %(confidence)s, %(weight)s, %(period)s, %(valid_from)s, %(valid_to)s, h.published_on
from entity_mentions h
join entity_mentions t on t.document_id = h.document_id and t.revision = h.revision
where h.document_id = %(document_id)s and h.revision = %(revision)s
  and h.ordinal = %(head)s and t.ordinal = %(tail)s;

-- add_claim --
-- One statement about one mention of its document.
insert into entity_claims
    (document_id, revision, ordinal, app_id, chunk, page, mention, name_id, kind, description,
     start_at, end_at, modality, metric, value, unit, period, valid_from, valid_to, published_on)
select m.document_id, m.revision, %(ordinal)s, m.app_id, m.chunk, m.page, m.ordinal, m.name_id,
       %(kind)s, %(description)s, %(start_at)s, %(end_at)s, %(modality)s, %(metric)s, %(value)s,
       %(unit)s, %(period)s, %(valid_from)s, %(valid_to)s, m.published_on
from entity_mentions m
where m.document_id = %(document_id)s and m.revision = %(revision)s and m.ordinal = %(subject)s;

-- add_alias --
-- One name that a document declares for one of its mentions; repeats change nothing.
insert into entity_aliases
    (document_id, revision, alias_id, name_id, app_id, alias, spelling, published_on)
select document_id, revision, %(alias_id)s, resolved_id, app_id, %(alias)s, %(spelling)s,
       published_on
from entity_mentions
where document_id = %(document_id)s and revision = %(revision)s and ordinal = %(mention)s
on conflict do nothing;

-- add_problem --
-- Why an extractor could not do justice to a chunk.
insert into extraction_problems (document_id, revision, chunk, reason)
values (%(document_id)s, %(revision)s, %(chunk)s, %(reason)s);

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
