-- Names that went with one of some securities codes, by their ids: for readers, too, by the index.
-- A policy keeps what may tell of hidden rows, as `&&` may, from being looked up before it, so that
-- a reader's question read every name. Ids alone leave here, of the reader's own application.
create function coded_names(app text, wanted text[])
returns setof text language sql stable parallel safe security definer
set search_path from current as $$
    select distinct n.name_id
    from entity_names n
    where n.app_id = app and n.codes && wanted
      -- whom no policy binds: the owner of tables and function, and superusers
      and (app = (select reading_app()) or pg_has_role(session_user, current_user, 'member'))
$$;
