-- lock_sources --
-- One transaction at a time says what the files of an app hold; held until it ends.
select pg_advisory_xact_lock(hashtext('finrag.document_sources'), hashtext(%(app_id)s));

-- source --
-- Which document a source held so far.
select document_id from document_sources where app_id = %(app_id)s and uri = %(uri)s;

-- known_sources --
-- Fingerprints of sources, to see which changed without reading them.
select s.uri, s.fingerprint, d.status
from document_sources s
join documents d using (document_id)
where s.app_id = %(app_id)s and s.uri = any(%(uris)s::text[]);

-- sources_of --
-- Where a document's files are.
select uri, name from document_sources
where document_id = %(document_id)s
order by uri collate "C";

-- original --
-- What a document that readers see was read from: its content, where that is, and its pages.
select d.content_sha256, r.page_count as pages,
       array(select s.uri from document_sources s
             where s.document_id = d.document_id
             order by s.uri collate "C") as uris
from documents d
join document_revisions r
    on r.document_id = d.document_id and r.revision = d.current_revision
where d.document_id = %(document_id)s;

-- add_document --
-- Registers content once an app; content that somebody withdrew (it has sources) only if asked for.
insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on)
values (%(document_id)s, %(app_id)s, %(content_sha256)s, %(size_bytes)s, %(arrival_on)s)
on conflict (document_id) do update
    set status = 'registered', arrival_on = excluded.arrival_on
    where documents.status = 'withdrawn'
      and (%(restore)s::boolean
           or not exists (select from document_sources s
                          where s.document_id = documents.document_id))
returning (xmax = 0) as is_new;

-- set_source --
-- Points a source at the document that its bytes are now.
insert into document_sources (app_id, uri, document_id, name, fingerprint)
values (%(app_id)s, %(uri)s, %(document_id)s, %(name)s, %(fingerprint)s)
on conflict (app_id, uri) do update
    set document_id = excluded.document_id, name = excluded.name,
        fingerprint = excluded.fingerprint;

-- add_supersession --
-- Remembers that a source's new document takes the place of its old one.
insert into supersessions (new_document_id, old_document_id, uri, app_id)
select %(new_document_id)s, %(old_document_id)s, %(uri)s, d.app_id
from documents d where d.document_id = %(new_document_id)s
on conflict do nothing;

-- unread_sources --
-- Files under some folders whose document was never indexed.
select s.uri, s.fingerprint
from documents d
join document_sources s using (document_id)
where d.app_id = %(app_id)s and d.status in ('registered', 'quarantined')
  and exists (select from unnest(%(folders)s::text[]) as folder
              where starts_with(s.uri, rtrim(folder, '/') || '/'));

-- still_unread --
-- Those of some files that are as they were, and whose document was not indexed meanwhile.
select s.uri, s.document_id
from unnest(%(uris)s::text[], %(fingerprints)s::text[]) as gone (uri, fingerprint)
join document_sources s using (uri, fingerprint)
join documents d using (document_id)
where s.app_id = %(app_id)s and d.status in ('registered', 'quarantined');

-- return_sources --
-- Gives files back to the version of theirs that readers still have, as if they had not changed.
with recursive replaced as (
    select s.uri, p.old_document_id
    from document_sources s
    join supersessions p on p.new_document_id = s.document_id and p.uri = s.uri
    where s.app_id = %(app_id)s and s.uri = any(%(uris)s::text[])
    union
    select r.uri, p.old_document_id
    from replaced r
    join supersessions p on p.new_document_id = r.old_document_id and p.uri = r.uri
)
update document_sources s
set document_id = d.document_id, fingerprint = ''
from replaced r
join documents d on d.document_id = r.old_document_id
where s.app_id = %(app_id)s and s.uri = r.uri and d.app_id = s.app_id and d.status = 'indexed'
  and not exists (select from document_sources o where o.document_id = d.document_id)
returning s.uri;

-- documents_of --
-- Documents that some sources hold, and those that these replace and readers still have.
with recursive held as (
    select document_id from document_sources
    where app_id = %(app_id)s and uri = any(%(uris)s::text[])
    union
    select s.old_document_id from supersessions s
    join held h on s.new_document_id = h.document_id
)
select h.document_id from held h
join documents d using (document_id)
where d.status <> 'withdrawn'
order by h.document_id;

-- delete_sources --
-- Forgets files.
delete from document_sources where app_id = %(app_id)s and uri = any(%(uris)s::text[]);

-- without_source --
-- Those of some documents that no file holds.
select d.document_id, d.app_id
from documents d
where d.document_id = any(%(document_ids)s::text[])
  and not exists (select from document_sources s where s.document_id = d.document_id)
order by d.document_id;
