-- What is theirs alone: `applications.delete` runs every block `delete_…` in the order of this file.
-- What cascades from documents' revisions and from builds has no block of its own.

-- names --
-- Apps that hold anything.
select app_id from documents
union select app_id from community_builds
union select app_id from entity_decisions
union select app_id from model_usage
union select app_id from feedback
union select app_id from structured_financials
union select app_id from enterprise_graph
union select app_id from api_tokens
order by app_id;

-- counts --
-- What would go with an app.
select
    (select count(*) from documents where app_id = %(app_id)s) as documents,
    (select count(*) from document_sources where app_id = %(app_id)s) as files,
    (select count(*) from documents d join clique_chunks c using (document_id)
     where d.app_id = %(app_id)s) as chunks,
    (select count(*) from entities where app_id = %(app_id)s) as entities,
    (select count(*) from entity_decisions
     where app_id = %(app_id)s and undone_at is null) as decisions,
    (select count(*) from community_builds where app_id = %(app_id)s) as weekly_builds,
    (select count(*) from feedback where app_id = %(app_id)s) as feedback,
    (select count(*) from structured_financials
     where app_id = %(app_id)s) as structured_financials;

-- lock_documents --
-- Takes every document of an app, in order of ids, until the transaction ends.
select document_id from documents where app_id = %(app_id)s order by document_id for update;

-- delete_usage --
-- What its runs spent.
delete from model_usage where app_id = %(app_id)s;

-- delete_feedback --
-- What analysts said of its answers.
delete from feedback where app_id = %(app_id)s;

-- delete_api_tokens --
-- Who might ask for it.
delete from api_tokens where app_id = %(app_id)s;

-- delete_evaluations --
-- How well its questions found their pages.
delete from retrieval_evaluations where app_id = %(app_id)s;

-- delete_structured_financials --
-- What a data vendor supplied.
delete from structured_financials where app_id = %(app_id)s;

-- delete_enterprise_graph --
-- What its company records say.
delete from enterprise_graph where app_id = %(app_id)s;

-- delete_builds --
-- Weekly builds with their communities, events, elements and chain reports.
delete from community_builds where app_id = %(app_id)s;

-- delete_reports --
-- Reports on communities, which builds share.
delete from community_summaries where app_id = %(app_id)s;

-- delete_graph_vectors --
-- Vectors of its graph and of its reports.
delete from graph_embeddings where app_id = %(app_id)s;

-- delete_unfinished_elements --
-- What was left to do of its graph.
delete from unfinished_elements where app_id = %(app_id)s;

-- delete_passes --
-- That the list of it was complete.
delete from element_passes where app_id = %(app_id)s;

-- delete_embedded_names --
-- How its entities were called when their relations were embedded.
delete from embedded_names where app_id = %(app_id)s;

-- delete_entity_summaries --
-- What was written of its entities.
delete from entity_summaries where app_id = %(app_id)s;

-- delete_neighbours --
-- The history of its graph.
delete from entity_neighbours where app_id = %(app_id)s;

-- delete_edges --
-- Its relations.
delete from entity_edges where app_id = %(app_id)s;

-- delete_chunks --
-- Which chunks name its entities.
delete from entity_chunks where app_id = %(app_id)s;

-- delete_names --
-- How its entities are called.
delete from entity_names where app_id = %(app_id)s;

-- delete_contributions --
-- What each of its documents brought to its graph.
with texts as (delete from name_descriptions where app_id = %(app_id)s),
     edges as (delete from edge_documents where app_id = %(app_id)s)
delete from edge_descriptions where app_id = %(app_id)s;

-- delete_sums --
-- What is counted of them.
with variants as (delete from name_variants where app_id = %(app_id)s),
     links as (delete from alias_links where app_id = %(app_id)s)
delete from entity_descriptions where app_id = %(app_id)s;

-- delete_members --
-- Which names are one entity.
delete from entity_members where app_id = %(app_id)s;

-- delete_entities --
-- Its entities.
delete from entities where app_id = %(app_id)s;

-- delete_decisions --
-- Merges and splits by hand.
delete from entity_decisions where app_id = %(app_id)s;

-- delete_supersessions --
-- Which of its documents took the place of which.
delete from supersessions s
using documents d
where d.document_id = s.new_document_id and d.app_id = %(app_id)s;

-- delete_sources --
-- Where its files were.
delete from document_sources where app_id = %(app_id)s;

-- delete_revisions --
-- All that was read of its documents, with their vectors and mentions.
delete from document_revisions r
using documents d
where d.document_id = r.document_id and d.app_id = %(app_id)s;

-- delete_documents --
-- Its documents, also the memory of withdrawn ones.
delete from documents where app_id = %(app_id)s;

-- delete_changes --
-- Its part of the log that keyword copies follow. They have to hear of it: ids alone, of no app.
with told as (
    delete from index_changes where app_id = %(app_id)s returning document_id
)
insert into index_changes (app_id, document_id)
select distinct '', document_id from told;
