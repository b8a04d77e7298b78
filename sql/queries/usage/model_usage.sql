-- add_usage --
-- Adds to what an asset of a run spent on a document.
insert into model_usage (app_id, run_id, asset, document_id, model, calls, cached_calls,
                         prompt_tokens, completion_tokens, counted_prompt_tokens, cost)
values (%(app_id)s, %(run_id)s, %(asset)s, %(document_id)s, %(model)s, %(calls)s,
        %(cached_calls)s, %(prompt_tokens)s, %(completion_tokens)s, %(counted_prompt_tokens)s,
        %(cost)s)
on conflict (app_id, run_id, asset, document_id, model) do update
set calls = model_usage.calls + excluded.calls,
    cached_calls = model_usage.cached_calls + excluded.cached_calls,
    prompt_tokens = model_usage.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = model_usage.completion_tokens + excluded.completion_tokens,
    counted_prompt_tokens = model_usage.counted_prompt_tokens + excluded.counted_prompt_tokens,
    cost = model_usage.cost + excluded.cost,
    updated_at = now();

-- spent_by_run --
-- What a run has spent so far, all its assets together.
select coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint as tokens,
       coalesce(sum(cost), 0)::float8 as cost
from model_usage
where app_id = %(app_id)s and run_id = %(run_id)s;

-- spent_by_asset --
-- What an asset of a run has spent so far.
select coalesce(sum(calls), 0)::bigint as calls,
       coalesce(sum(cached_calls), 0)::bigint as cached_calls,
       coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint as tokens,
       coalesce(sum(cost), 0)::float8 as cost
from model_usage
where app_id = %(app_id)s and run_id = %(run_id)s and asset = %(asset)s;

-- spent_since --
-- What an app has spent, questions included, in what was last added to within some days.
select coalesce(sum(calls), 0)::bigint as calls,
       coalesce(sum(cached_calls), 0)::bigint as cached_calls,
       coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint as tokens,
       coalesce(sum(cost), 0)::float8 as cost
from model_usage
where app_id = %(app_id)s
  and (%(days)s::int is null or updated_at > now() - make_interval(days => %(days)s::int));

-- last_runs --
-- What the last runs of an app have spent, all their assets together, the newest first.
select run_id, max(updated_at) as ended_at, sum(calls)::bigint as calls,
       sum(cached_calls)::bigint as cached_calls,
       sum(prompt_tokens + completion_tokens)::bigint as tokens, sum(cost)::float8 as cost
from model_usage
where app_id = %(app_id)s and run_id <> %(questions)s
group by run_id
order by ended_at desc
limit %(runs)s;
