-- reply_of --
-- The stored reply to a request.
select reply from model_replies where request_sha256 = %(request_sha256)s;

-- known_requests --
-- Those of some requests whose replies are stored.
select request_sha256 from model_replies where request_sha256 = any (%(requests)s::text[]);

-- forget --
-- Removes replies of long ago; who asks the same again is answered by the model.
delete from model_replies where replied_at < now() - make_interval(days => %(days)s::int);

-- keep_reply --
-- Stores the valid reply to a request.
insert into model_replies (request_sha256, server, model, reply)
values (%(request_sha256)s, %(server)s, %(model)s, %(reply)s)
on conflict (request_sha256) do update set reply = excluded.reply, replied_at = now();
