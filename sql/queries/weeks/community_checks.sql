-- newest --
-- The build of an app that was clustered last.
select build_id from community_builds
where app_id = %(app_id)s
order by clustered_at desc, week desc, build_id
limit 1;

-- misplaced --
-- Entities of a build that are in no community of a level, or in several.
-- One that is not divided on a level counts there, too: one on level 0 and none twice is one a level.
select m.entity_id
from community_members m
join leiden_communities leaf using (build_id, community_id)
left join leiden_communities above
    on above.build_id = m.build_id
   and above.first_leaf <= leaf.first_leaf and above.last_leaf >= leaf.last_leaf
where m.build_id = %(build_id)s
group by m.entity_id
having count(*) filter (where above.level = 0) <> 1 or count(*) <> count(distinct above.level)
order by m.entity_id;

-- lost_evidence --
-- Passages that reports of a build rest on and that no chunk of what readers see holds.
select distinct p.document_id, p.chunk, p.quote
from leiden_communities c
join community_summaries s using (report_id)
cross join lateral jsonb_array_elements(s.findings) as finding (value)
cross join lateral jsonb_to_recordset(finding.value -> 'evidence')
    as p (document_id text, chunk integer, quote text)
where c.build_id = %(build_id)s
  and not exists (
      select from documents d
      join evidence_passages k on k.document_id = d.document_id and k.revision = d.current_revision
      where d.document_id = p.document_id and d.status = 'indexed'
        and position(p.quote in k.content) > 0)
order by p.document_id, p.chunk, p.quote;
