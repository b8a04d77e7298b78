"""Lists as files: every row with where it stands, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from fastapi.testclient import TestClient
from openpyxl import load_workbook

from finrag_pipeline.serve.page.listings import Column, Listing, exported
from finrag_pipeline_tests.serve.page.test_site import XINGHE, first_document

FORMULA = '=HYPERLINK("http://example.com")'


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_what_documents_say_is_never_a_formula(form: str) -> None:
    columns = (Column("text", "Text"), Column("value", "Value", number=True))
    rows = ({"text": FORMULA, "value": Decimal("-1.5")}, {"text": "a\x00b", "value": None})
    body = bytes(exported(Listing("list", "List", columns, rows), form).body)
    if form == "csv":
        first, second = rows_of(body.decode("utf-8"))
        assert first == {"text": f"'{FORMULA}", "value": "-1.5"}
        assert second["value"] == ""
    else:
        sheet = load_workbook(io.BytesIO(body)).active
        assert sheet is not None
        cell = sheet["A2"]
        assert (cell.value, cell.data_type) == (FORMULA, "s")
        assert sheet["B2"].value == -1.5
        assert sheet["A3"].value == "ab"


def test_figures_tell_document_page_box_and_printed_unit(samples: TestClient) -> None:
    rows = rows_of(samples.get(f"/companies/{XINGHE}/figures.csv").text)
    assert len(rows) > 50
    found = [each for each in rows if each["printed"] == "6,312" and each["box"]]
    assert found
    for each in found:
        assert each["document_id"]
        assert each["source"].endswith(".pdf")
        assert each["printed_unit"] == "百万元"
        assert float(each["value"]) == 6_312_000_000


def test_cells_of_a_table_tell_where_they_stand(samples: TestClient) -> None:
    rows = rows_of(samples.get(f"{first_document(samples)}/tables/0.csv").text)
    cell = next(each for each in rows if each["text"] == "6,312")
    assert (cell["page"], len(cell["box"].split())) == ("1", 4)


@pytest.mark.parametrize(
    "address",
    [
        *("/documents", "/companies", f"/companies/{XINGHE}/views"),
        *(f"/companies/{XINGHE}/forecasts", f"/companies/{XINGHE}/contradictions"),
        f"/companies/{XINGHE}/documents",
    ],
)
def test_every_list_is_there_as_csv_and_as_a_workbook(samples: TestClient, address: str) -> None:
    text = samples.get(f"{address}.csv")
    assert text.headers["content-type"].startswith("text/csv")
    book = load_workbook(io.BytesIO(samples.get(f"{address}.xlsx").content))
    sheet = book.active
    assert sheet is not None
    header = [cell.value for cell in next(iter(sheet.iter_rows()))]
    assert header == text.text.removeprefix("\ufeff").splitlines()[0].split(",")
