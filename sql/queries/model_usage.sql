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
