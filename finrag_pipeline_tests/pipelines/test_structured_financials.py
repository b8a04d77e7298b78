"""A vendor's files in every format to the views that questions read, and what is bad of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.structured_financials import (
    Load,
    check_structured,
    load_structured,
)
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.store.facts.rows import add_facts, fact
from finrag_pipeline_tests.vendor import estimates, write_csv, write_vendor

DAY = date(2025, 4, 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_vendor(tmp_path / "vendor").parent


def load(database: Database, settings: Settings, folder: Path) -> Load:
    return load_structured(database, settings, folder / "vendor.yaml")


def held(reader: Reader, view: str = "facts", as_of: date | None = None) -> list[tuple[Any, ...]]:
    with reader.reading("default", as_of) as connection:
        rows = connection.execute(
            f"select company_key, metric, period, value, unit, published_on from {view}"
            " order by metric, company_key, value".encode()
        )
        return [tuple(row.values()) for row in rows]


def test_files_of_every_format_reach_the_views(
    database: Database, settings: Settings, reader: Reader, folder: Path
) -> None:
    checked = check_structured(settings, folder / "vendor.yaml")
    assert held(reader) == []
    loaded = load(database, settings, folder)
    assert loaded == checked and loaded.figures == 7 and loaded.refused == 0
    rows = held(reader)
    book_day = rows[-1][-1]
    assert rows == [
        ("000651.SZ", "net_profit", "9M", Decimal(-70000), "CNY", DAY),
        ("600519.SH", "net_profit", "FY", Decimal(1000000), "CNY", DAY),
        ("600519.SH", "printed_gross_margin", "FY", Decimal("12.3"), "%", DAY),
        ("600519.SH", "revenue", "FY", Decimal(12345000), "CNY", DAY),
        ("600519.SH", "target_price", "FY", Decimal("88.5"), "CNY/股", date(2025, 3, 1)),
        ("600519.SH", "target_price", "FY", Decimal("90.25"), "CNY/股", date(2025, 3, 1)),
        ("600519.SH", "total_assets", "FY", Decimal(150000000), "CNY", book_day),
    ]
    assert len(held(reader, as_of=date(2025, 4, 19))) == 2


def test_what_documents_print_is_believed_by_rank(
    database: Database, settings: Settings, reader: Reader, folder: Path
) -> None:
    load(database, settings, folder)
    mine: dict[str, Any] = {"company_key": "600519.SH", "company_code": "600519.SH"}
    with database.transaction() as connection:
        express = fact(2, **mine, source="express", metric="net_profit")
        add_facts(connection, "d1", [fact(1, **mine), express], published_on=DAY)
    best = {row[:2]: row[3] for row in held(reader, "best_facts")}
    assert best["600519.SH", "revenue"] == 1 and best["600519.SH", "net_profit"] == 1000000
    with reader.reading("default") as connection:
        said = connection.execute("select * from companies where company_code = '600519.SH'")
        assert len(said.fetchall()) == 1


def test_a_file_replaces_what_it_gave_and_goes_with_its_entry(
    database: Database, settings: Settings, reader: Reader, folder: Path
) -> None:
    load(database, settings, folder)
    before = held(reader)
    load(database, settings, folder)
    assert held(reader) == before
    write_csv(folder, "600519,星河新材,2023,FY,5,,\n")
    estimates(folder, [70.0])
    load(database, settings, folder)
    assert [row[3] for row in held(reader) if row[1] != "total_assets"] == [50000, 70]
    mapping = (folder / "vendor.yaml").read_text("utf-8")
    (folder / "vendor.yaml").write_text(mapping.partition("  - file: book")[0], "utf-8")
    other = settings.model_copy(update={"app": "other"})
    load_structured(database, other, folder / "vendor.yaml")
    loaded = load(database, settings, folder)
    assert loaded.removed == (("book.xlsx", "资产负债表", 1), ("estimates.parquet", "", 1))
    assert [row[3] for row in held(reader)] == [50000]
    (folder / "vendor.yaml").write_text("files: []", "utf-8")
    load(database, settings, folder)
    assert held(reader) == []
    with reader.reading("other") as connection:
        assert len(connection.execute("select from facts").fetchall()) == 1


def test_rows_that_cannot_be_used_are_told_and_the_others_taken(
    database: Database, settings: Settings, reader: Reader, folder: Path
) -> None:
    usable = "600519,星河新材,2024,FY,3,2,\n"
    rows = f"600519,星河新材,2024,FY,abc,1,\n12345678,无,2024,FY,1,1,\n{usable}"
    write_csv(folder, rows)
    (csv, *_) = load(database, settings, folder).tables
    assert csv.figures == 1
    assert [(each.line, each.column) for each in csv.refused] == [
        (2, "营业收入"), (2, "净利润"), (3, ""), (4, "净利润")
    ]  # fmt: skip
    assert [row[3] for row in held(reader) if row[1] == "revenue"] == [30000]


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("利润表.csv", None, "利润表.csv: there is no such file"),
        ("利润表.csv", b"a,b\n", "there is no column '代码'; there are a, b"),
        ("利润表.csv", b"\xff\xff\xff", "it is not written in gb18030 (byte 0): set another"),
        ("利润表.csv", b"", "it has no line 1 with headings"),
        ("book.xlsx", b"no book", "book.xlsx: it is no Excel workbook, or damaged"),
        ("estimates.parquet", b"PAR1 and no more", "estimates.parquet: it is damaged"),
        ("vendor.yaml", None, "vendor.yaml cannot be read: No such file or directory"),
        ("vendor.yaml", "名".encode("gb18030"), "it is not written in UTF-8"),
        ("vendor.yaml", b"files: [{file: a.pdf, columns: {code: a, year: b}, metrics: {c: eps}}]",
         "a.pdf: .pdf is no format that is read"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line_and_changes_nothing(
    name: str,
    content: bytes | None,
    line: str,
    database: Database,
    settings: Settings,
    reader: Reader,
    folder: Path,
) -> None:
    load(database, settings, folder)
    before = held(reader)
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        load(database, settings, folder)
    assert line in str(caught.value) and "\n" not in str(caught.value)
    assert held(reader) == before


def test_a_csv_of_another_encoding_and_a_sheet_that_is_not_there(
    settings: Settings, folder: Path
) -> None:
    mapping = folder / "vendor.yaml"
    text = mapping.read_text("utf-8")
    mapping.write_text(text.replace("encoding: gb18030", ""), "utf-8")
    with pytest.raises(ConfigurationError, match=r"not written in utf-8 .*`encoding: gb18030`"):
        check_structured(settings, mapping)
    mapping.write_text(text.replace("sheet: 资产负债表", "sheet: 负债"), "utf-8")
    with pytest.raises(ConfigurationError, match="no sheet '负债', but Sheet, 资产负债表"):
        check_structured(settings, mapping)
