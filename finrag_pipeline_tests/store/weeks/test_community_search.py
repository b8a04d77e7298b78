"""What questions read of a weekly build."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.records.communities import Build
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.weeks import community_builds, community_search


def test_the_first_chains_are_those_that_lead_then_by_their_ids(database: Database) -> None:
    build = Build("b", "default", date(2026, 3, 1), None, "b", {}, {}, {}, (0.5,))
    with database.transaction() as connection:
        community_builds.add(connection, build)
        for chain_id in ("c", "B", "a", "d"):
            connection.execute(
                "insert into chain_reports (build_id, chain_id, kind, title, content, changes,"
                " citations, text, markdown, html)"
                " values ('b', %s, 'industry_chain', '', '{}', '{}', '[]', '', '', '')",
                (chain_id,),
            )
        foremost = community_search.foremost_chains
        assert foremost(connection, "b", ["of another build", "d", "c", "d"], 3) == ["d", "c", "B"]
        assert foremost(connection, "b", [], 20) == ["B", "a", "c", "d"]
        assert foremost(connection, "other", ["d"], 20) == []
