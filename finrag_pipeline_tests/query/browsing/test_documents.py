"""Documents as they are browsed: lists in parts, one with its pages, regions and tables."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.query.browsing import documents
from finrag_pipeline.query.browsing.documents import DocumentFilter
from finrag_pipeline_tests.documents import BBOX, add_document, simple_table


@pytest.fixture
def held(database):
    """Three documents of two houses and a company, one that failed, and another application's."""
    with database.transaction() as connection:
        table = simple_table("产能", [["基地", "2024年"], ["一期", "4.0"]], "万吨")
        table["cells"] = [each | {"bbox": list(BBOX), "page": 1} for each in table["cells"]]
        add_document(
            connection,
            "a",
            ["收入增长。", "产能扩张。"],
            published_on=date(2026, 1, 5),
            broker="长风证券",
            tables=[table],
        )
        add_document(
            connection, "b", ["利润下降。"], published_on=date(2026, 2, 5), broker="远山证券"
        )
        add_document(
            connection,
            "c",
            ["年报。"],
            kind="filing",
            company="远岫能源",
            code="605981.SH",
            published_on=date(2026, 3, 5),
            title="年度报告",
        )
        add_document(connection, "q", ["坏了。"], source="broken.pdf")
        connection.execute(
            "update documents set status = 'quarantined', current_revision = null,"
            " reason = 'encrypted', detail = '/srv/inbox/broken.pdf' where document_id = 'q'"
        )
        add_document(connection, "x", ["别家的。"], app_id="other", broker="长风证券")
        connection.execute(
            "update cleaned_text set rule = 'page_number' where document_id = 'a' and page = 2"
        )


def ids(listed):
    return [each.document_id for each in listed.items]


def test_the_newest_come_first_in_parts(held, view):
    with view() as seen:
        first = documents.list_documents(seen, limit=2)
        assert (first.total, first.next_offset) == (4, 2)
        rest = documents.list_documents(seen, limit=2, offset=2)
        assert rest.next_offset is None
        assert ids(first) + ids(rest) == ["c", "q", "b", "a"]
        past = documents.list_documents(seen, offset=9)
        assert (ids(past), past.total) == ([], 4)
        for limit, offset in ((0, 0), (201, 0), (5, -1)):
            with pytest.raises(InvalidQuestion):
                documents.list_documents(seen, limit=limit, offset=offset)


@pytest.mark.parametrize(
    ("wanted", "company", "found"),
    [
        (DocumentFilter(status="quarantined"), None, ["q"]),
        (DocumentFilter(reason="encrypted"), None, ["q"]),
        (DocumentFilter(kind="filing"), None, ["c"]),
        (DocumentFilter(broker="远山证券"), None, ["b"]),
        (DocumentFilter(text="BROKEN"), None, ["q"]),
        (DocumentFilter(text="年度"), None, ["c"]),
        (DocumentFilter(published_from=date(2026, 2, 1), published_to=date(2026, 3, 1)), None, "b"),
        (DocumentFilter(arrived_to=date(2026, 1, 31)), None, ["a"]),
        (None, "605981", ["c"]),
        (None, "远岫能源", ["c"]),
        (DocumentFilter(broker="长风证券"), "300999.SZ", ["a"]),
    ],
)
def test_a_filter_leaves_what_has_all_of_it(held, view, wanted, company, found):
    with view() as seen:
        assert ids(documents.list_documents(seen, wanted, company=company)) == list(found)


def test_one_document_has_its_pages_and_what_was_dropped(held, view):
    with view() as seen:
        whole = documents.document(seen, "a")
        assert [(page.page, page.width_pt, page.height_pt) for page in whole.page_sizes] == [
            (1, 595, 842),
            (2, 595, 842),
        ]
        assert (whole.document.broker, whole.document.tables) == ("长风证券", 1)
        kept, dropped = documents.regions(seen, "a")
        assert (kept.kept, kept.bbox, dropped.kept, dropped.rule) == (
            True,
            BBOX,
            False,
            "page_number",
        )
        assert documents.regions(seen, "a", 2) == (dropped,)


def test_tables_have_their_cells_where_one_is_asked_for(held, view):
    with view() as seen:
        (listed,) = documents.tables(seen, "a").items
        assert (listed.title, listed.unit, listed.places[0].page, listed.cells) == (
            "产能",
            "万吨",
            1,
            (),
        )
        assert documents.tables(seen, "a", page=2).total == 0
        cells = documents.table(seen, "a", 0).cells
        assert [cell.text for cell in cells] == ["基地", "2024年", "一期", "4.0"]
        assert {cell.bbox for cell in cells} == {BBOX}
        with pytest.raises(NotFound):
            documents.table(seen, "a", 1)


def test_why_a_document_is_not_read_names_no_folder(held, view):
    with view() as seen:
        told = documents.document(seen, "q").document
    assert (told.status, told.reason) == ("quarantined", "encrypted")
    assert told.why == "encrypted: the file needs a password; save a copy without a password and " \
        "ingest that"  # fmt: skip


def test_a_name_means_one_document(held, view):
    with view() as seen:
        assert documents.find_document(seen, "broken") == "q"
        with pytest.raises(NotFound):
            documents.find_document(seen, "x.pdf")


def test_nothing_of_another_application_or_a_later_day(held, view):
    with view(date(2026, 1, 31)) as then:
        assert ids(documents.list_documents(then)) == ["a"]
        for lost in ("b", "q", "x"):
            with pytest.raises(NotFound):
                documents.document(then, lost)
        with pytest.raises(NotFound):
            documents.documents_about(then, "605981")
    with view(app_id="other") as theirs:
        assert ids(documents.list_documents(theirs)) == ["x"]
        for read in (documents.document, documents.regions, documents.tables):
            with pytest.raises(NotFound):
                read(theirs, "a")
        with pytest.raises(NotFound):
            documents.table(theirs, "a", 0)
