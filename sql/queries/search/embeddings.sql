-- add_space --
-- Records an embedding space once; the first one is the active one.
insert into vector_spaces (space_id, name, dimension, active)
values (%(space_id)s, %(name)s, %(dimension)s, not exists (select from vector_spaces where active))
on conflict (space_id) do nothing;

-- space --
-- One embedding space.
select space_id, name, dimension, active from vector_spaces where space_id = %(space_id)s;

-- lock_spaces --
-- One process at a time adds or changes spaces; held until the transaction ends.
select pg_advisory_xact_lock(hashtext('finrag.vector_spaces'));

-- hold_spaces --
-- Keeps spaces as they are until the transaction ends; many may hold them at a time.
select pg_advisory_xact_lock_shared(hashtext('finrag.vector_spaces'));

-- delete_texts --
-- Removes the vectors, in every space, of texts that are others from now on.
delete from embeddings
where document_id = %(document_id)s and revision = %(revision)s
  and (kind, ordinal) in (select * from unnest(%(kinds)s::text[], %(ordinals)s::int[]));

-- vector_count --
-- How many vectors a revision has in a space.
select count(*) as vectors from embeddings
where document_id = %(document_id)s and revision = %(revision)s and space_id = %(space_id)s;

-- add_vector --
-- Stores one vector; a repeated run leaves the one that is there.
insert into embeddings (document_id, revision, kind, ordinal, space_id, embedding)
values (%(document_id)s, %(revision)s, %(kind)s, %(ordinal)s, %(space_id)s, %(embedding)s::halfvec)
on conflict do nothing;

-- documents_lacking --
-- Documents of readers that lack a vector in a space, of a chunk or a table.
select d.document_id, d.app_id, d.revision
from current_documents d
where exists (
    select from (
        select 'chunk' as kind, c.ordinal from clique_chunks c
        where c.document_id = d.document_id and c.revision = d.revision
        union all
        select 'table', t.ordinal from html_tables t
        where t.document_id = d.document_id and t.revision = d.revision
    ) wanted
    where not exists (select from embeddings e
                      where e.document_id = d.document_id and e.revision = d.revision
                        and e.kind = wanted.kind and e.ordinal = wanted.ordinal
                        and e.space_id = %(space_id)s)
)
order by d.app_id, d.document_id;

-- set_active --
-- Sends questions to a space; none may be active before.
update vector_spaces set active = true where space_id = %(space_id)s;

-- retire --
-- Takes the active mark from every space, before another gets it.
update vector_spaces set active = false where active;

-- other_spaces --
-- The spaces besides one.
select space_id, name, dimension, active from vector_spaces where space_id <> %(space_id)s;

-- delete_vectors --
-- Removes every vector of a space.
delete from embeddings where space_id = %(space_id)s;

-- delete_graph_vectors --
-- Removes every vector of a space that tells of the graph.
delete from graph_embeddings where space_id = %(space_id)s;

-- delete_unfinished --
-- Forgets what was still to be embedded in a space.
delete from unfinished_elements where work = %(space_id)s;

-- delete_passes --
-- Forgets that the list of it was complete.
delete from element_passes where work = %(space_id)s;

-- delete_space --
-- Forgets a space that has no vectors left.
delete from vector_spaces where space_id = %(space_id)s;

-- documents_of_company --
-- The documents of one company, of some that were named.
select d.document_id
from readable_documents(%(app_id)s, %(as_of)s, %(document_ids)s, %(company)s) d;

-- holds_many --
-- Whether more entries than a number pass what `nearest` filters by.
select exists (
    select from embeddings e
    where e.space_id = %(space_id)s
      and e.kind in ('chunk', 'table')
      and e.app_id = %(app_id)s
      and (%(as_of)s::date is null or e.published_on <= %(as_of)s::date)
      and (%(document_ids)s::text[] is null or e.document_id = any(%(document_ids)s::text[]))
      and (%(names)s::text[] is null or e.kind = 'chunk' and exists (
            select from entity_chunks m
            where m.app_id = e.app_id and m.name_id = any(%(names)s::text[])
              and m.document_id = e.document_id and m.chunk = e.ordinal))
    offset %(many)s
) as held;

-- nearest --
-- What readers of an app see nearest to a vector, by the index.
-- What filters stands beside the vector, so that the scan passes over the others by itself.
select e.kind, e.document_id, e.revision, e.ordinal,
       1 - (e.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)) as score
from embeddings e
join documents d on d.document_id = e.document_id and d.current_revision = e.revision
where e.space_id = %(space_id)s
  and e.kind in ('chunk', 'table')
  and e.app_id = %(app_id)s
  and (%(as_of)s::date is null or e.published_on <= %(as_of)s::date)
  and (%(document_ids)s::text[] is null or e.document_id = any(%(document_ids)s::text[]))
  and (%(names)s::text[] is null or e.kind = 'chunk' and exists (
        select from entity_chunks m
        where m.app_id = e.app_id and m.name_id = any(%(names)s::text[])
          and m.document_id = e.document_id and m.chunk = e.ordinal))
order by e.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)
limit %(k)s;

-- nearest_of_few --
-- The same by comparing all that passes the filters.
with compared as materialized (
    select e.kind, e.document_id, e.revision, e.ordinal,
           1 - (e.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)) as score
    from embeddings e
    join documents d on d.document_id = e.document_id and d.current_revision = e.revision
    where e.space_id = %(space_id)s
      and e.kind in ('chunk', 'table')
      and e.app_id = %(app_id)s
      and (%(as_of)s::date is null or e.published_on <= %(as_of)s::date)
      and (%(document_ids)s::text[] is null or e.document_id = any(%(document_ids)s::text[]))
      and (%(names)s::text[] is null or e.kind = 'chunk' and exists (
            select from entity_chunks m
            where m.app_id = e.app_id and m.name_id = any(%(names)s::text[])
              and m.document_id = e.document_id and m.chunk = e.ordinal))
)
select kind, document_id, revision, ordinal, score
from compared
order by score desc
limit %(k)s;

-- spaces --
-- Every embedding space, the active one first.
select space_id, name, dimension, active from vector_spaces order by active desc, created_at;

-- cosines --
-- Cosines of some content with a vector, in no particular order.
select kind, document_id, revision, ordinal,
       1 - (e.embedding::halfvec(1024) <=> %(vector)s::halfvec(1024)) as score
from unnest(%(kinds)s::text[], %(document_ids)s::text[], %(revisions)s::text[], %(ordinals)s::int[])
    as found (kind, document_id, revision, ordinal)
join embeddings e using (kind, document_id, revision, ordinal)
where e.space_id = %(space_id)s;
