-- Questions that analysts marked, with what was found then.

-- add --
-- Stores one mark.
insert into feedback
    (app_id, question, verdict, comment, as_of, expected_pages, status, route, found, release)
values (%(app_id)s, %(question)s, %(verdict)s, %(comment)s, %(as_of)s, %(expected_pages)s,
        %(status)s, %(route)s, %(found)s, %(release)s)
returning feedback_id;

-- marked --
-- Marks of an app, the newest first, of one verdict or of both.
select feedback_id, marked_at, question, verdict, comment, as_of, expected_pages, status, route,
       found, release
from feedback
where app_id = %(app_id)s and (%(verdict)s::text is null or verdict = %(verdict)s)
order by feedback_id desc;
