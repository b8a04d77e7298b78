-- The period that a document reports on, by which questions that name one choose documents. What was
-- read before has none until it is read again.
alter table document_revisions
    add column period_first_on date,
    add column period_last_on date,
    -- as the filer counts: its year may end in January, or in May
    add column fiscal_year integer,
    add check ((period_first_on is null) = (period_last_on is null)),
    add check (period_first_on <= period_last_on);
