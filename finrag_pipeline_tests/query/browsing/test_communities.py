"""Weekly builds as they are browsed: communities, members, chains, what a week changed."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.browsing import communities
from finrag_pipeline_tests.query.browsing.conftest import RIVAL, SUPPLY, WEEKS
from finrag_pipeline_tests.query.graph_documents import withdraw


def test_builds_and_their_communities(weeks_held, view):
    with view() as seen:
        builds = communities.list_builds(seen)
        assert [each.week for each in builds.items] == [WEEKS[1], WEEKS[0]]
        listed = communities.list_communities(seen)
        assert {each.community_id for each in listed.items} == {"c1", "c2"}
        first = communities.list_communities(seen, week=date(2026, 3, 3))
        assert [each.title for each in first.items] == ["供应链"]
        assert communities.list_communities(seen, level=1).total == 0


def test_a_community_has_report_members_and_quotes(weeks_held, view):
    with view() as seen:
        whole = communities.community(seen, "c1")
        assert (whole.build.week, whole.community.title) == (WEEKS[1], "供应链")
        (finding,) = whole.findings
        (quote,) = finding.quotes
        assert (quote.text, quote.document_id, quote.page, len(quote.places)) == (
            SUPPLY,
            "d1",
            1,
            1,
        )
        assert {each.name for each in whole.members} == {"星河新材", "远岫能源"}
        assert {each.relation for each in whole.edges} >= {"supplies"}
        with pytest.raises(NotFound):
            communities.community(seen, "c2", week=WEEKS[0])


def test_chains_and_what_a_week_changed(weeks_held, view):
    with view() as seen:
        (line,) = communities.list_chains(seen)
        assert (line.chain_id, line.entities, line.links, line.changed) == ("k1", 2, 1, True)
        whole = communities.chain(seen, "k1")
        assert [(each.n, each.quote.text) for each in whole.citations] == [(1, SUPPLY)]
        changed = communities.week_changes(seen)
        assert changed.since == WEEKS[0]
        assert [(each.community_id, each.event, each.title) for each in changed.communities] == [
            ("c2", "born", "竞争")
        ]
        assert [each.chain_id for each in changed.chains] == ["k1"]
        with pytest.raises(NotFound):
            communities.chain(seen, "k2")


def test_what_was_withdrawn_is_told_no_more(weeks_held, database, view):
    withdraw(database, "d1")
    with view() as seen:
        told = communities.community(seen, "c1")
        assert told.findings == () and told.community.summary is not None
        assert "withdrawn" in told.community.summary
        assert communities.list_chains(seen) == ()
        with pytest.raises(NotFound, match="withdrawn"):
            communities.chain(seen, "k1")
        assert [each.text for each in communities.community(seen, "c2").findings[0].quotes] == [
            RIVAL
        ]


def test_nothing_of_another_application_or_a_later_day(weeks_held, view):
    with view(date(2026, 3, 7)) as then:
        assert [each.week for each in communities.list_builds(then).items] == [WEEKS[0]]
        assert communities.list_communities(then).total == 1
        with pytest.raises(NotFound):
            communities.week_changes(then, week=WEEKS[1])
    with view(app_id="other") as theirs:
        assert communities.list_builds(theirs).total == 0
        for read in (communities.list_communities, communities.list_chains):
            with pytest.raises(NotFound):
                read(theirs)
