-- lock --
-- Loads of one application follow each other.
select pg_advisory_xact_lock(hashtextextended('structured_financials ' || %(app_id)s, 0));

-- remove --
-- Removes the figures of a table: others take their place.
delete from structured_financials where app_id = %(app_id)s and file_id = %(file_id)s;

-- remove_others --
-- Removes the figures of all tables but some, and says whose they were.
with gone as (
    delete from structured_financials
    where app_id = %(app_id)s and file_id <> all(%(kept)s::text[])
    returning file, sheet
)
select file, sheet, count(*) as figures from gone group by file, sheet order by file, sheet;

-- held --
-- How many figures of vendors an application has.
select count(*) as figures from structured_financials where app_id = %(app_id)s;
