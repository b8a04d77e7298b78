-- put --
-- Stores what a record's document says in place of what it said before.
insert into enterprise_graph (app_id, uri, company_id, kind, content)
values (%(app_id)s, %(uri)s, %(company_id)s, %(kind)s, %(content)s)
on conflict (app_id, uri) do update
    set content = excluded.content, kind = excluded.kind, loaded_at = now();

-- remove_others --
-- Removes all documents of records but some, and says which they were.
delete from enterprise_graph
where app_id = %(app_id)s and uri <> all(%(kept)s::text[])
returning uri;

-- contents --
-- What is stored under some sources.
select uri, content from enterprise_graph
where app_id = %(app_id)s and uri = any(%(uris)s::text[])
order by uri collate "C";

-- held --
-- Documents of records of an application by their kind, and their companies.
select kind, count(*) as documents, count(distinct company_id) as companies
from enterprise_graph
where app_id = %(app_id)s
group by kind
order by kind collate "C";

-- count --
-- How many documents of records an application has.
select count(*) as documents from enterprise_graph where app_id = %(app_id)s;
