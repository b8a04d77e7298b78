-- beat --
-- Says that a run is alive, and learns whether somebody wants it to end.
insert into run_heartbeats (run_id, host, process_id)
values (%(run_id)s, %(host)s, %(process_id)s)
on conflict (run_id) do update
    set seen_at = now(), host = excluded.host, process_id = excluded.process_id
returning end_asked;

-- claim --
-- The first beat of a run, for whoever begins it: of two at once only one gets it.
insert into run_heartbeats (run_id, host, process_id)
values (%(run_id)s, %(host)s, %(process_id)s)
on conflict (run_id) do nothing;

-- forget_old_runs --
-- Removes what runs that ended long ago have left.
delete from run_heartbeats where seen_at < now() - make_interval(days => 7);

-- last_beat --
-- When and where a run was seen last, and its silence since; while the server was down, nobody could beat.
-- Below zero where the clock went back since: a start that is to come says nothing.
select host, process_id, seen_at,
       extract(epoch from now() - greatest(
           seen_at, case when pg_postmaster_start_time() <= now() then pg_postmaster_start_time() end
       ))::float8 as silent_s
from run_heartbeats
where run_id = %(run_id)s;

-- ask_to_end --
-- Asks a run to end, with its next beat.
update run_heartbeats set end_asked = true where run_id = %(run_id)s;
