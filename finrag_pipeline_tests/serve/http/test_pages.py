"""Images of pages by HTTP: the file that was ingested, of the own application, or why not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.pages import parse_regions
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.sources import content_sha256
from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.http.conftest import LOOPBACK
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_DOCUMENT

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def ingested(database: Database, tmp_path: Path) -> Path:
    """The file of document d1, of which the store knows where it is and what it holds."""
    path = tmp_path / "report.pdf"
    shutil.copy(SAMPLE_PDFS / OTHERS_DOCUMENT, path)
    with database.transaction() as connection:
        add_document(connection, "d1", ["text"], published_on=date(2026, 3, 1))
        connection.execute(
            "update document_sources set uri = %s where document_id = 'd1'", (str(path),)
        )
        connection.execute("update documents set content_sha256 = %s", (content_sha256(str(path)),))
    return path


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, LOOPBACK) as opened:
        yield opened


def test_a_citation_is_seen_on_its_page(samples: TestClient) -> None:
    answer = samples.post("/v1/ask", json={"question": "星河新材的目标价是多少？"}).json()
    cited = answer["evidence"][0]
    url = f"/v1/documents/{cited['document_id']}/pages/{cited['page']}.png"
    plain = samples.get(url)
    marked = samples.get(url, params={"regions": ",".join(map(str, cited["bbox"]))})
    assert plain.headers["content-type"] == marked.headers["content-type"] == "image/png"
    assert plain.content.startswith(PNG) and marked.content.startswith(PNG)
    assert plain.content != marked.content
    assert samples.get(url, params={"width": 300}).content != plain.content


def test_a_page_of_another_application_is_not_there(samples: TestClient) -> None:
    body = {"question": "湿粮", "app": OTHER}
    others = samples.post("/v1/search", json=body).json()["results"][0]["document_id"]
    url = f"/v1/documents/{others}/pages/1.png"
    assert samples.get(url).status_code == 404
    assert samples.get(url, params={"app": OTHER}).status_code == 200
    assert samples.get(url).status_code == 404  # kept images are not shared either


def test_what_was_drawn_is_kept(client: TestClient, ingested: Path) -> None:
    first = client.get("/v1/documents/d1/pages/1.png")
    ingested.unlink()
    assert client.get("/v1/documents/d1/pages/1.png").content == first.content


@pytest.mark.parametrize(
    ("url", "status", "type"),
    [
        ("/v1/documents/d1/pages/2.png", 404, "not_found"),
        ("/v1/documents/d2/pages/1.png", 404, "not_found"),
        ("/v1/documents/d1/pages/0.png", 422, "invalid_request"),
        ("/v1/documents/d1/pages/1.png?width=90000", 422, "invalid_request"),
        ("/v1/documents/d1/pages/1.png?regions=1,2,3", 422, "invalid_request"),
        ("/v1/documents/d1/pages/1.png?regions=nan,0,0,0", 422, "invalid_request"),
    ],
)
def test_what_there_is_not(
    client: TestClient, ingested: Path, url: str, status: int, type: str
) -> None:
    response = client.get(url)
    assert (response.status_code, response.json()["error"]["type"]) == (status, type)


def test_a_file_that_is_gone_changed_or_broken_is_told(
    client: TestClient, database: Database, ingested: Path
) -> None:
    def told(width: int) -> tuple[int, str]:
        response = client.get("/v1/documents/d1/pages/1.png", params={"width": width})
        assert str(ingested.parent) not in response.text
        return response.status_code, response.json()["error"]["type"]

    ingested.write_bytes(b"%PDF-1.4 nothing more")
    assert told(500) == (410, "file_changed")
    with database.transaction() as connection:
        sha256 = content_sha256(str(ingested))
        connection.execute("update documents set content_sha256 = %s", (sha256,))
    assert told(501) == (404, "page_not_drawn")
    ingested.unlink()
    assert told(502) == (410, "file_gone")
    with database.transaction() as connection:
        connection.execute("update document_sources set uri = 'enterprise://records/a/b'")
    assert told(503) == (404, "not_a_pdf")


def test_regions_are_boxes_joined_by_semicolons() -> None:
    assert parse_regions("") == ()
    assert parse_regions("1,2,3.5,4;-5,6,7,8") == ((1, 2, 3.5, 4), (-5, 6, 7, 8))
