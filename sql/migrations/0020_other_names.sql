-- What else a filer calls itself, by which questions name it. What was read before has none until it is
-- read again.
alter table document_revisions add column other_names text[] not null default '{}';
