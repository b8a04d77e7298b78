"""Every page answers, tells nothing of the server, and keeps to its day and its application."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY

XINGHE = "688991.SH"
PAGES = (
    *("/", "/documents", "/documents?status=quarantined", "/companies", "/graph", "/weeks"),
    *(f"/graph?name={XINGHE}", "/morning?day=2025-10-30", "/changes?since=2025-10-29"),
    *(f"/companies/{XINGHE}?part={part}" for part in ("", "figures", "views", "forecasts")),
    *(f"/companies/{XINGHE}?part={part}" for part in ("contradictions", "documents")),
)


def first_document(samples: TestClient, text: str = "xinghe_q3") -> str:
    """The address of the sample whose file's name has some text."""
    found = re.search(r'href="(/documents/\w+)"', samples.get(f"/documents?text={text}").text)
    assert found
    return found[1]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_whole_and_runs_nothing_inline(samples: TestClient, address: str) -> None:
    response = samples.get(address)
    assert response.status_code == 200
    assert response.text.count('<main id="main"') == 1
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\bon\w+=", response.text)
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("address", PAGES)
def test_no_page_names_a_folder_or_another_application(samples: TestClient, address: str) -> None:
    text = samples.get(address).text
    assert "samples/pdfs" not in text
    assert OTHERS_COMPANY not in text or address.startswith(("/graph", "/weeks", "/changes"))


def test_a_document_is_shown_in_each_of_its_parts(samples: TestClient) -> None:
    address = first_document(samples)
    assert "沧澜证券" in samples.get(address).text
    regions = samples.get(f"{address}?part=regions&number=1").text
    assert 'class="dropped"' in regions
    assert 'class="kept"' in regions
    tables = samples.get(f"{address}?part=tables").text
    table = re.search(r'href="(/documents/\w+/tables/\d+)"', tables)
    assert table
    assert "营业收入" in samples.get(table[1]).text


@pytest.mark.parametrize(
    "address",
    ["/documents/nothing", "/companies/000000.SZ", "/weeks/chains/none", "/documents/x/pages/1"],
)
def test_what_there_is_not_is_told_to_a_person(samples: TestClient, address: str) -> None:
    response = samples.get(address)
    assert response.status_code == 404
    assert "This cannot be shown" in response.text


def test_an_address_that_means_nothing_is_told_to_a_person(samples: TestClient) -> None:
    response = samples.get(f"{first_document(samples)}/pages/first")
    assert response.status_code == 422
    assert "This cannot be shown" in response.text


def test_a_day_hides_what_was_published_after_it(samples: TestClient) -> None:
    late = first_document(samples)
    assert samples.get(late).status_code == 200
    assert samples.get(f"{late}?as_of=2025-10-29").status_code == 404
    assert samples.get(f"{late}/pages/1?as_of=2025-10-29").status_code == 404
    early = samples.get("/documents?as_of=2025-10-29").text
    assert "canglan" not in early
    assert "as_of=2025-10-29" in early
    views = f"/companies/{XINGHE}?part=views"
    assert "沧澜证券" in samples.get(views).text
    assert "沧澜证券" not in samples.get(f"{views}&as_of=2025-10-29").text


def test_another_application_is_another_page(samples: TestClient) -> None:
    assert OTHERS_COMPANY in samples.get(f"/companies?app={OTHER}").text
    assert "星河新材" not in samples.get(f"/companies?app={OTHER}").text
