"""The community lane: reports as results, what filters and withdrawals leave of them, its copy."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline_tests.documents import BBOX, add_document
from finrag_pipeline_tests.query.graph_documents import add_read, withdraw
from finrag_pipeline_tests.query.storage_reports import (
    CATHODE,
    CELLS,
    CHAIN,
    COMMUNITIES,
    EARLY,
    LATE,
    PRICE,
    TARIFF,
    WEEK,
    WHOLE,
    add_library,
    add_week,
)
from finrag_pipeline_tests.query.weekly_builds import Sketch, add_build

QUESTION = "储能产业链的关税风险"


@pytest.fixture
def build_id(database: Database) -> str:
    return add_week(database)


def test_a_report_as_a_result(build_id: str, engine: QueryEngine) -> None:
    found = engine.search("储能产业链", Options(lane="community", k=1)).to_dict()
    json.dumps(found)
    (result,) = found["results"]
    assert (result["kind"], result["rank"], result["lanes"]) == ("community", 1, {"community": 1})
    assert [result[key] for key in ("document_id", "source", "page", "bbox")] == [None] * 4
    assert result["text"] == f"{CHAIN.title}\n星河新材 → 澄光储能\n澄光储能 → 远岫能源"
    report = result["report"]
    assert report | {"citations": ...} == {
        "kind": "industry_chain",
        "id": "k1",
        "level": None,
        "title": CHAIN.title,
        "rating": None,
        "build_id": build_id,
        "week": "2026-03-01",
        "citations": ...,
    }
    assert report["citations"][0] == {
        "document_id": "cathode",
        "source": "cathode.pdf",
        "page": 1,
        "bbox": list(BBOX),
        "quote": CATHODE,
        "published_on": "2026-01-05",
    }
    assert found["build"]["build_id"] == build_id
    assert found["build"]["published_by"] == "2026-03-07"
    assert (found["warnings"], found["degraded"]) == ([], [])


def test_reports_join_search_and_count_more_where_the_whole_is_asked_for(
    build_id: str, engine: QueryEngine
) -> None:
    detail = engine.search("关税上调是什么风险？")
    kinds = [each.kind for each in detail.results]
    assert kinds[0] == "chunk" and "community" in kinds
    whole = engine.search("储能产业链有哪些公司？")
    assert [each.kind for each in whole.results[:2]] == ["community", "community"]
    assert "chunk" in {each.kind for each in whole.results}
    assert whole.build and whole.latency_ms["community"] >= 0
    for lane in ("keyword", "vector", "graph"):
        only = engine.search("储能产业链有哪些公司？", Options(lane=lane))
        assert {each.kind for each in only.results} <= {"chunk", "table"}
        assert only.build is None


def test_without_a_build_everything_is_as_before(database: Database, engine: QueryEngine) -> None:
    add_library(database)
    before = engine.search(QUESTION)
    assert set(before.latency_ms) == {
        "keyword",
        "vector",
        "table",
        "fact",
        "graph",
        "rerank",
        "evidence",
        "total",
    }
    assert "build" not in before.to_dict() and before.warnings == before.degraded == ()
    alone = engine.search(QUESTION, Options(lane="community"))
    assert alone.results == ()
    assert alone.degraded == (
        {"lane": "community", "reason": "no weekly build is published: run `finrag rebuild`"},
    )
    add_build(database, WEEK, COMMUNITIES, published=False)
    unseen = engine.search(QUESTION)
    assert [each.to_dict() for each in unseen.results] == [
        each.to_dict() for each in before.results
    ]
    assert engine.search(QUESTION, Options(lane="community")).results == ()


def test_a_report_passes_a_filter_by_the_passages_that_do(
    build_id: str, engine: QueryEngine
) -> None:
    def found(**where: str) -> dict[str, tuple[str, set[str]]]:
        results = engine.search(QUESTION, Options(lane="community", **where)).results  # type: ignore[arg-type]
        return {
            each.item.report.report_id: (each.text, {c.document_id for c in each.item.citations})
            for each in results
        }

    assert {"c0", "c1", "c2", "k1"} <= set(found())
    ours = found(company="688991")
    assert set(ours) == {"c0", "c1", "c3", "k1"}
    assert {document for _, documents in ours.values() for document in documents} == {
        "cathode",
        "margin",
    }
    # what rests on others is not shown: neither the summary nor the finding's own words
    assert ours["c0"][0] == f"{WHOLE.title}\n星河新材供应正极材料\n{PRICE}"
    assert ours["k1"][0] == f"{CHAIN.title}\n星河新材—供应→澄光储能"
    assert found(document="cells") == found(company="688992.SH")
    assert found(entity="远岫能源").keys() == {"k1"}


def test_what_was_withdrawn_is_left_out_and_told(
    build_id: str, database: Database, engine: QueryEngine
) -> None:
    withdraw(database, "cells")
    found = engine.search(QUESTION, Options(lane="community"))
    texts = "\n".join(each.text for each in found.results)
    assert TARIFF not in texts and "关税" not in texts and CELLS not in texts
    assert {each.item.report.report_id for each in found.results} == {*("c0", "c1", "c3", "k1")}
    (warning,) = found.warnings
    assert warning.startswith("2 passages are left out that reports of the weekly build of 2026-03")
    assert warning.endswith("run `finrag rebuild`")


def test_a_document_that_was_read_again_is_cited_where_it_stands_now(
    build_id: str, database: Database, engine: QueryEngine
) -> None:
    with database.transaction() as connection:
        add_document(connection, "cells", [TARIFF, CELLS], revision="r2", published_on=LATE)
    found = engine.search(QUESTION, Options(lane="community"))
    cited = {c.quote for each in found.results for c in each.item.citations}
    assert {TARIFF, CELLS} <= cited
    assert not [each for each in found.warnings if "left out" in each]


def test_which_build_a_question_goes_to(
    build_id: str, database: Database, engine: QueryEngine
) -> None:
    earlier = [Sketch("c9", "储能正极材料", [("供应正极材料", [("cathode", 0, CATHODE)])])]
    old = add_build(database, WEEK - timedelta(days=14), earlier)

    def used(as_of: date | None) -> str | None:
        found = engine.search("储能正极材料", Options(lane="community", as_of=as_of))
        return found.build["build_id"] if found.build else None

    assert used(None) == used(date(2026, 3, 7)) == build_id
    assert used(date(2026, 3, 6)) == used(date(2026, 2, 21)) == old
    assert used(date(2026, 2, 20)) is None
    (told,) = engine.search("储能", Options(lane="community", as_of=date(2026, 2, 20))).degraded
    assert told["reason"].endswith("run `finrag rebuild --week 2026-02-08`")


def test_newer_evidence_is_warned_of(
    build_id: str, database: Database, engine: QueryEngine
) -> None:
    add_read(database, "new", ["储能需求增长。"], published_on=date(2026, 3, 9))
    (warning,) = engine.search(QUESTION, Options(lane="community")).warnings
    assert warning == (
        "1 document published up to 2026-03-09 is not in the weekly build of 2026-03-01: "
        "run `finrag rebuild`"
    )
    then = engine.search(QUESTION, Options(lane="community", as_of=date(2026, 3, 8)))
    assert then.warnings == () and then.results


def test_the_copy_follows_builds_that_come_and_go(
    build_id: str, database: Database, settings: Settings, reader: Reader
) -> None:
    index = KeywordIndex(settings.home / "keyword", reader)

    def ids(question: str, **more: object) -> set[tuple[str, str]]:
        where = Filter("default", kinds=("community", "chain"), **more)  # type: ignore[arg-type]
        return {(hit.document_id, hit.revision) for hit in index.search(question, 20, where)}

    assert (build_id, "c2") in ids("关税") and (build_id, "k1") in ids("产业链")
    assert index.of("default").verify(date(2026, 3, 2)).equal
    # the findings of a report are searched, too
    assert (build_id, "c0") in ids("正极材料")
    assert ids("关税", as_of=WEEK + timedelta(days=5)) == set()
    other = add_build(database, WEEK, [COMMUNITIES[3]], name="other")
    assert ids("关税") == set() and ids("毛利率") == {(other, "c3")}
    comparison = index.of("default").verify(date(2026, 3, 2))
    assert comparison.equal and comparison.missing == comparison.extra == 0
    assert {hit.kind for hit in index.search("毛利率", 20, Filter("default"))} == {"chunk"}


def test_with_the_graph_off_there_are_no_reports(
    build_id: str, database: Database, settings: Settings, reader: Reader
) -> None:
    off = QueryEngine(reader, settings.model_copy(update={"graph": "off"}))
    assert {each.kind for each in off.search(QUESTION).results} == {"chunk"}
    assert off.ask("储能产业链有哪些公司？").route.get("build") is None
    for refused in (
        lambda: off.search(QUESTION, Options(lane="community")),
        lambda: off.ask(QUESTION, Options(mode="community_local")),
        lambda: off.ask(QUESTION, Options(mode="community_global")),
    ):
        with pytest.raises(InvalidQuestion, match="FINRAG_GRAPH"):
            refused()


def test_nothing_newer_leaks_from_a_build(
    build_id: str, database: Database, engine: QueryEngine
) -> None:
    add_build(
        database,
        WEEK - timedelta(days=14),
        [Sketch("c9", "储能正极材料", [("正极材料供应", [("cathode", 0, CATHODE)])])],
    )
    found = engine.search(QUESTION, Options(lane="community", as_of=date(2026, 3, 6))).to_dict()
    assert found["results"] and LATE.isoformat() not in json.dumps(found["results"])
    assert EARLY.isoformat() in json.dumps(found["results"])
