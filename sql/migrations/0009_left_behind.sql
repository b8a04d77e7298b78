-- What a replaced file left behind.

-- deleting documents looks for what took their place
create index on supersessions (old_document_id);

-- replaced before it was read by content that was known already: no file holds it, nothing ends it
with left_behind as (
    update documents d
    set status = 'withdrawn', reason = null, detail = null, reason_under = null
    where d.status in ('registered', 'quarantined')
      and not exists (select from document_sources s where s.document_id = d.document_id)
    returning d.document_id
)
delete from document_revisions where document_id in (select document_id from left_behind);
