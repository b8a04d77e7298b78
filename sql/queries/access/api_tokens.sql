-- Tokens that applications are asked with.

-- add --
-- Stores a token that was just made.
insert into api_tokens (token_id, app_id, token_sha256, name, scopes, expires_at)
values (%(token_id)s, %(app_id)s, %(token_sha256)s, %(name)s, %(scopes)s, %(expires_at)s)
returning created_at;

-- find --
-- A token that is neither revoked nor expired.
select app_id, token_sha256, scopes,
       coalesce(last_used_at < now() - interval '1 minute', true) as used_anew
from api_tokens
where token_id = %(token_id)s
  and revoked_at is null and (expires_at is null or expires_at > now());

-- note_use --
-- When a token was last used.
update api_tokens set last_used_at = now() where token_id = %(token_id)s;

-- list_tokens --
-- Every token of an app, the newest first.
select token_id, app_id, name, scopes, created_at, expires_at, last_used_at, revoked_at
from api_tokens
where app_id = %(app_id)s
order by created_at desc, token_id;

-- any_valid --
-- Whether there is a token that is neither revoked nor expired.
select exists (
    select from api_tokens
    where revoked_at is null and (expires_at is null or expires_at > now())) as any_valid;

-- revoke --
-- Ends a token for good.
update api_tokens set revoked_at = now()
where app_id = %(app_id)s and token_id = %(token_id)s and revoked_at is null
returning token_id;
