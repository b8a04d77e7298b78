"""The keyword copy follows what readers see, exactly once, and survives whatever happens to it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import index_changes, keyword_check, keyword_index
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_copy import CopyFolder
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline_tests.documents import add_document, publish, simple_table

EVERYTHING = Filter("default")
DAY = date(2026, 3, 2)


@pytest.fixture
def index(settings: Settings, reader: Reader) -> KeywordIndex:
    return KeywordIndex(settings.home / "keyword", reader)


def add(database: Database, document_id: str, contents: list[str], **values: Any) -> None:
    with database.transaction() as connection:
        add_document(connection, document_id, contents, **values)


def found(index: KeywordIndex, question: str, where: Filter = EVERYTHING) -> list[str]:
    return sorted(hit.document_id for hit in index.search(question, 10, where))


def folder(settings: Settings) -> Path:
    (of_database,) = (settings.home / "keyword").iterdir()
    (of_app,) = of_database.iterdir()
    return of_app


def test_it_finds_chunks_and_tables_and_forgets_what_is_withdrawn(
    index: KeywordIndex, database: Database
) -> None:
    assert index.search("毛利率", 10, EVERYTHING) == []
    table = simple_table("分业务毛利率", [["业务", "2025A"], ["薄膜", "31.5"]])
    add(database, "d1", ["薄膜业务毛利率提升。", "产能利用率下降。"], tables=[table])
    hits = index.search("毛利率", 10, EVERYTHING)
    assert {(hit.kind, hit.ordinal) for hit in hits} == {("chunk", 0), ("table", 0)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    with database.transaction() as connection:
        publish(connection, "d1", None)
    assert index.search("毛利率", 10, EVERYTHING) == []


def test_a_new_revision_takes_the_place_of_the_old(index: KeywordIndex, database: Database) -> None:
    add(database, "d1", ["旧版提到锂矿。"])
    assert found(index, "锂矿") == ["d1"]
    add(database, "d1", ["新版提到钠电。"], revision="r2")
    assert found(index, "锂矿") == []
    (hit,) = index.search("钠电", 10, EVERYTHING)
    assert (hit.revision, hit.ordinal) == ("r2", 0)


def test_filters(index: KeywordIndex, database: Database) -> None:
    add(database, "old", ["光伏需求增长。"], published_on=date(2025, 1, 31), code="600111.SH")
    add(database, "new", ["光伏需求增长。"], published_on=date(2026, 2, 1))
    add(database, "theirs", ["光伏需求增长。"], app_id="other")
    assert found(index, "光伏") == ["new", "old"]
    assert found(index, "光伏", Filter("other")) == ["theirs"]
    assert found(index, "光伏", Filter("default", as_of=date(2025, 1, 31))) == ["old"]
    assert found(index, "光伏", Filter("default", as_of=date(2025, 1, 30))) == []
    assert found(index, "光伏", Filter("default", company="600111")) == ["old"]
    assert found(index, "光伏", Filter("default", company="300999.sz")) == ["new"]
    assert found(index, "光伏", Filter("default", document_ids=("new", "theirs"))) == ["new"]
    assert found(index, "光伏", Filter("default", document_ids=())) == []


def test_entities_are_a_field_that_the_copy_follows(
    index: KeywordIndex, database: Database
) -> None:
    def name(chunk: int, name_id: str) -> None:
        with database.transaction() as connection:
            connection.execute(
                "insert into entity_chunks (app_id, entity_id, name_id, document_id, chunk,"
                " page_no, confidence, weight, published_on)"
                " values ('default', 'e1', %s, 'd1', %s, 1, 'high', 1, '2026-03-01')",
                (name_id, chunk),
            )

    def ordinals(*names: str) -> list[int]:
        hits = index.search("光伏", 10, Filter("default", entity=names))
        return sorted(hit.ordinal for hit in hits if hit.kind == "chunk")

    table = simple_table("光伏装机", [["年", "吉瓦"], ["2025", "9"]])
    with database.transaction() as connection:
        add_document(connection, "d1", ["光伏需求增长。", "光伏价格下降。"], tables=[table])
    assert ordinals("e1") == []
    name(0, "e1")
    name(0, "e2")
    name(1, "e3")
    comparison = index.of("default").verify(DAY)
    assert (comparison.missing, comparison.extra) == (2, 2)
    with database.transaction() as connection:
        publish(connection, "d1", "r1")
    assert (ordinals("e1"), ordinals("e2", "e3"), ordinals()) == ([0], [0, 1], [])
    assert index.of("default").verify(DAY).equal


def test_an_older_transaction_that_commits_later_is_not_lost(
    index: KeywordIndex, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(database, "first", ["氢能项目投产。"])
    assert found(index, "氢能") == ["first"]
    written: list[list[str]] = []
    write_entries = keyword_index.write_entries

    def record(copy: Any, rows: Any, replacing: Any) -> None:
        written.append(list(replacing))
        write_entries(copy, rows, replacing)

    monkeypatch.setattr(keyword_index, "write_entries", record)
    with psycopg.connect(database.url) as slow:
        add_document(slow, "slow", ["氢能订单落地。"])  # takes its number, commits last
        add(database, "fast", ["氢能标准发布。"])
        # nothing may be skipped: what ended after the oldest open transaction waits for it
        assert found(index, "氢能") == ["first"]
        slow.commit()
    assert found(index, "氢能") == ["fast", "first", "slow"]
    assert found(index, "氢能") == ["fast", "first", "slow"]
    assert written == [["fast", "slow"]]
    assert index.of("default").verify(DAY).equal


def test_a_rolled_back_change_leaves_nothing(index: KeywordIndex, database: Database) -> None:
    assert found(index, "氢能") == []
    with psycopg.connect(database.url) as connection:
        add_document(connection, "gone", ["氢能项目投产。"])
        connection.rollback()
    add(database, "kept", ["氢能项目投产。"])
    assert found(index, "氢能") == ["kept"]


@pytest.mark.parametrize("damage", ["lost", "meta", "emptied", "pointer", "foreign", "version"])
def test_a_lost_broken_or_foreign_copy_builds_itself_again(
    damage: str, index: KeywordIndex, settings: Settings, reader: Reader, database: Database
) -> None:
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == ["d1"]
    copy = CopyFolder(folder(settings)).current()
    assert copy is not None
    state = json.loads((copy / "state.json").read_text())
    match damage:
        case "lost":
            for path in sorted(folder(settings).rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        case "meta":
            (copy / "meta.json").write_text("{")
        case "emptied":
            for path in copy.iterdir():
                if path.name != "state.json":
                    path.write_bytes(b"")
        case "pointer":
            (folder(settings) / "current").write_bytes(b"\xff../../elsewhere")
        case "foreign":
            state["store_id"] = "00000000-0000-0000-0000-000000000000"
            (copy / "state.json").write_text(json.dumps(state))
        case _:
            state["version"] = "0"
            (copy / "state.json").write_text(json.dumps(state))
    again = KeywordIndex(settings.home / "keyword", reader)
    assert found(again, "储能") == ["d1"]
    assert again.of("default").verify(DAY).equal
    add(database, "d2", ["储能电芯降价。"])
    assert found(again, "储能") == ["d1", "d2"]
    assert len(list(folder(settings).glob("g-*"))) == 1


def test_a_crash_between_commit_and_state_only_repeats_work(
    index: KeywordIndex,
    database: Database,
    settings: Settings,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == ["d1"]
    add(database, "d2", ["储能电芯降价。"])
    with monkeypatch.context() as patch:
        patch.setattr(keyword_index, "write_state", _crash)
        with pytest.raises(RuntimeError, match="killed"):
            index.of("default").sync()
    again = KeywordIndex(settings.home / "keyword", reader)
    assert found(again, "储能") == ["d1", "d2"]
    comparison = again.of("default").verify(DAY)
    assert comparison.equal and comparison.entries == comparison.documents == 2


def test_a_database_put_back_to_an_earlier_state_gets_a_new_copy(
    index: KeywordIndex, database: Database, settings: Settings, reader: Reader
) -> None:
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == ["d1"]
    copy = CopyFolder(folder(settings)).current()
    assert copy is not None
    state = json.loads((copy / "state.json").read_text())
    (copy / "state.json").write_text(json.dumps(state | {"horizon": state["horizon"] + 10**9}))
    assert found(index, "储能") == ["d1"]
    assert CopyFolder(folder(settings)).current() != copy


def test_processes_share_one_copy(
    index: KeywordIndex, database: Database, settings: Settings, reader: Reader
) -> None:
    other = KeywordIndex(settings.home / "keyword", reader)
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == found(other, "储能") == ["d1"]
    add(database, "d2", ["储能电芯降价。"])
    assert found(other, "储能") == found(index, "储能") == ["d1", "d2"]
    index.of("default").rebuild()
    assert found(other, "储能") == ["d1", "d2"]


def test_while_another_process_writes_the_copy_is_searched_as_it_is(
    index: KeywordIndex,
    database: Database,
    settings: Settings,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyword_index, "_WAIT_FOR_CHANGE_S", 0.05)
    add(database, "d1", ["储能系统出货。"])
    assert index.of("default").sync()
    add(database, "d2", ["储能电芯降价。"])
    with CopyFolder(folder(settings)).lock(1.0) as held:
        assert held
        assert not index.of("default").sync()
        assert found(index, "储能") == ["d1"]
    assert found(index, "储能") == ["d1", "d2"]


def test_verify_says_what_is_missing_and_what_is_too_much(
    index: KeywordIndex, database: Database
) -> None:
    add(database, "d1", ["储能系统出货。"])
    add(database, "d2", ["储能电芯降价。"])
    assert index.of("default").verify(DAY).equal
    with database.transaction() as connection:  # past the change log
        connection.execute("update clique_chunks set content = '改' where document_id = 'd1'")
        connection.execute("delete from clique_chunks where document_id = 'd2'")
    comparison = index.of("default").verify(DAY)
    assert (comparison.entries, comparison.missing, comparison.extra) == (2, 1, 2)
    assert "missing default d1 r1 chunk 0" in comparison.sample
    assert "extra default d2 r1 chunk 0" in comparison.sample


def test_of_a_large_copy_what_changed_is_compared_and_a_part_of_the_rest(
    index: KeywordIndex, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(16):
        add(database, f"d{number:x}0", ["储能系统出货。"])
    copy = index.of("default")
    copy.sync()
    monkeypatch.setattr(keyword_check, "MOST_ENTRIES", 1)
    days = [DAY + timedelta(number) for number in range(16)]
    # one a day, each once in 16 days
    assert [copy.verify(day).documents for day in days] == [1] * 16
    add(database, "d31", ["储能电芯降价。"])
    add(database, "d32", ["储能电芯降价。"])
    compared = copy.verify(DAY)
    assert (compared.changed, compared.equal) == (2, True)
    assert copy.verify(DAY).changed == 0
    with database.transaction() as connection:  # past the change log
        connection.execute("update clique_chunks set content = '改' where document_id = 'd80'")
        connection.execute("update documents set status = 'withdrawn', current_revision = null"
                           " where document_id = 'd90'")  # fmt: skip
    for day in (DAY + timedelta(number) for number in range(256)):
        copy.verify(day)
    # what differed once is told until it is mended
    assert (copy.verify(DAY).missing, copy.verify(DAY).extra) == (1, 2)
    copy.rebuild()
    assert copy.verify(DAY).equal


def test_a_copy_that_stopped_before_the_log_begins_is_built_anew(
    index: KeywordIndex, database: Database, settings: Settings, reader: Reader
) -> None:
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == ["d1"]
    copy = CopyFolder(folder(settings)).current()
    add(database, "d2", ["储能电芯降价。"])
    prune(database)
    assert found(index, "储能") == ["d1", "d2"]
    assert CopyFolder(folder(settings)).current() == copy
    add(database, "d3", ["储能订单落地。"])
    age(database)
    prune(database)
    assert changes(database) == 0
    assert found(index, "储能") == ["d1", "d2", "d3"]
    assert CopyFolder(folder(settings)).current() != copy
    assert index.of("default").verify(DAY).equal


def test_a_copy_that_has_all_that_is_pruned_follows_on(
    index: KeywordIndex, database: Database, settings: Settings
) -> None:
    add(database, "d1", ["储能系统出货。"])
    assert found(index, "储能") == ["d1"]
    copy = CopyFolder(folder(settings)).current()
    age(database)  # a quiet month
    prune(database)
    assert changes(database) == 0
    add(database, "d2", ["储能电芯降价。"])
    prune(database)
    assert changes(database) == 1
    assert found(index, "储能") == ["d1", "d2"]
    assert CopyFolder(folder(settings)).current() == copy


def test_nothing_is_pruned_that_an_open_transaction_may_have_to_come_before(
    index: KeywordIndex, database: Database
) -> None:
    with psycopg.connect(database.url) as slow:
        add_document(slow, "slow", ["氢能订单落地。"])
        add(database, "fast", ["氢能标准发布。"])
        age(database)
        prune(database)
        assert changes(database) == 1
        slow.commit()
    assert found(index, "氢能") == ["fast", "slow"]


def age(database: Database) -> None:
    """Let everything have changed long ago."""
    with database.transaction() as connection:
        connection.execute("update index_changes set changed_at = now() - interval '31 days'")


def prune(database: Database) -> None:
    with database.transaction() as connection:
        index_changes.prune(connection)


def changes(database: Database) -> int:
    with database.connection() as connection:
        return len(connection.execute("select from index_changes").fetchall())


def _crash(*_: Any) -> None:
    raise RuntimeError("killed")
