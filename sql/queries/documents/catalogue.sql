-- documents --
-- What readers see of an app's documents, of all or some, as far as questions choose by it.
select d.document_id, r.company_name, r.company_code, r.company_codes, r.broker, r.kind,
       r.published_on, r.published_on_printed, r.period_first_on, r.period_last_on, r.fiscal_year,
       r.other_names, r.title,
       (select min(s.name collate "C") from document_sources s
        where s.document_id = d.document_id) as source,
       -- a record of a company says what else it is called
       case when r.kind = 'company_profile' then
           array(select jsonb_array_elements_text(g.content::jsonb -> 'aliases')
                 from document_sources s
                 join enterprise_graph g on g.app_id = s.app_id and g.uri = s.uri
                 where s.document_id = d.document_id)
       else '{}' end as aliases
from documents d
join document_revisions r on r.document_id = d.document_id and r.revision = d.current_revision
where d.app_id = %(app_id)s and d.status = 'indexed'
  and (%(document_ids)s::text[] is null or d.document_id = any(%(document_ids)s::text[]))
order by d.document_id;

-- known_names --
-- Names that the graph knows listed companies by: as other documents write them, and a registry.
select c.code, alias ->> 'name' as name
from entities e
cross join unnest(e.codes) as c (code)
cross join jsonb_array_elements(e.aliases) as alias
where e.app_id = %(app_id)s and e.type = 'company' and e.codes && %(codes)s::text[]
  and c.code = any(%(codes)s::text[])
order by c.code, name;

-- changed --
-- What changed since a horizon, the horizon to ask from next, and from which one on the log is whole.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, i.changes_from,
       array(select distinct c.document_id from index_changes c
             where c.transaction_id >= %(since)s::text::xid8
               and c.transaction_id < pg_snapshot_xmin(pg_current_snapshot())) as document_ids
from store_identity i;
