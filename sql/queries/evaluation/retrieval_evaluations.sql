-- Measures of search by week: one row per week, question file, variant and measure.

-- forget --
-- Removes what was measured of a week before.
delete from retrieval_evaluations where app_id = %(app_id)s and week = %(week)s;

-- add --
-- Stores one value.
insert into retrieval_evaluations
    (app_id, week, questions, variant, measure, value, question_count, error_count,
     questions_sha256, release, space)
values (%(app_id)s, %(week)s, %(questions)s, %(variant)s, %(measure)s, %(value)s,
        %(question_count)s, %(error_count)s, %(questions_sha256)s, %(release)s, %(space)s);

-- history --
-- Some measures over all weeks, oldest first.
select week, questions, variant, measure, value, question_count, questions_sha256, release
from retrieval_evaluations
where app_id = %(app_id)s and measure = any(%(measures)s::text[])
order by week, questions, variant, measure;

-- count_rows --
-- Rows of all weeks of an app.
select count(*) as rows from retrieval_evaluations where app_id = %(app_id)s;
