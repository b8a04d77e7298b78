-- What the day of publication rests on: a printed day, the last day of a printed month, a day in the
-- name of the file, the legal deadline of a filing that prints none, or the day of arrival.
alter table document_revisions
    add column published_basis text not null default 'arrival'
        check (published_basis in ('day', 'month', 'name', 'deadline', 'arrival'));
update document_revisions set published_basis = 'day' where published_on_printed;
