"""What can be looked up by HTTP, on the samples: typed, in parts, with errors as documented."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.store.facts.rows import add_facts, fact

XINGHE = "688991.SH"
LOOKING = ("documents", "figures", "companies", "graph", "communities", "days")


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_documents_and_what_is_in_them(samples: TestClient) -> None:
    listed = get(samples, "/v1/documents", company="688991", limit=1)
    assert (listed["total"], listed["next_offset"]) == (2, 1)
    by_name = post(samples, "/v1/documents/find", company="星河新材", broker="沧澜证券")
    (document,) = by_name["items"]
    assert document == listed["items"][0]
    path = f"/v1/documents/{document['document_id']}"
    whole = get(samples, path)
    assert whole["page_sizes"][0]["width_pt"] == 595
    assert whole["places"]["title"][0]["page"] == 1
    regions = get(samples, f"{path}/regions", page=1)
    assert {each["kept"] for each in regions} == {True, False}
    tables = get(samples, f"{path}/tables")
    assert tables["total"] == document["tables"]
    table = get(samples, f"{path}/tables/{tables['items'][0]['ordinal']}")
    assert table["cells"] and "<table" in table["html"]


def test_figures_over_time_with_their_cells(samples: TestClient) -> None:
    listed = get(samples, "/v1/figures", company=XINGHE, metric="revenue", nature="actual")
    figure = listed["items"][0]
    assert isinstance(figure["value"], float) and figure["place"]["bbox"]
    assert get(samples, f"/v1/figures/{figure['fact_id']}") == figure
    margin = get(samples, "/v1/series", company=XINGHE, metric="gross_margin")
    assert margin["points"][0]["workings"][0]["shown"].endswith("* 100")
    every = get(samples, "/v1/series", company=XINGHE, metric="revenue", period="every")
    assert {each["period"] for each in every["points"]} >= {"FY", "9M"}
    found = post(samples, "/v1/figures/find", company="星河新材", broker="云麓证券", believed=True)
    assert {each["broker"] for each in found["items"]} == {"云麓证券"}
    assert get(samples, "/v1/contradictions", company=XINGHE)["total"] >= 0
    assert post(samples, "/v1/outcomes", company="星河新材")["outcomes"] == []
    owner = figure["document_id"]
    assert figure in get(samples, f"/v1/documents/{owner}/figures", limit=200)["items"]
    assert figure in get(samples, "/v1/metrics/revenue/figures", limit=200)["items"]
    names = {each["name"]: each for each in get(samples, "/v1/metrics")}
    assert names["gross_margin"]["formula"] and not names["revenue"]["formula"]


def test_companies_with_views_of_houses(samples: TestClient) -> None:
    every = get(samples, "/v1/companies")
    assert XINGHE in {each["company_key"] for each in every["items"]}
    (found,) = post(samples, "/v1/companies/find", name="蓝桥")["items"]
    assert found["company_key"] == XINGHE
    profile = get(samples, "/v1/companies/profile", company=XINGHE)
    assert "蓝桥磷化" in {each["name"] for each in profile["names"]}
    views = post(samples, "/v1/companies/views", company=XINGHE)
    assert [each["rating"] for each in views["items"]] == ["增持", "买入"]


def test_the_graph_is_walked_by_day(samples: TestClient) -> None:
    (found,) = post(samples, "/v1/entities/find", name="星河新材")
    path = f"/v1/entities/{found['entity_id']}"
    assert get(samples, path)["name"] == "星河新材"
    near = get(samples, f"{path}/neighbours", limit=10, relations=["supplies"])
    assert {each["relation"] for each in near["edges"]} == {"supplies"}
    edge = near["edges"][0]
    said = get(samples, "/v1/evidence", **{k: edge[k] for k in ("src", "relation", "dst")})
    assert said and said[0]["quote"]["page"] >= 1
    before = get(samples, f"{path}/neighbours", as_of="2024-12-31")
    assert len(before["nodes"]) < len(get(samples, f"{path}/neighbours")["nodes"])
    assert "supplies" in {each["name"] for each in get(samples, "/v1/relations")}
    changed = get(samples, "/v1/changes", since="2025-10-29", until="2026-01-31")
    assert changed["documents_total"] == 4 and changed["edges"]
    assert get(samples, "/v1/changes", since="2026-01-31", until="2025-10-29") == changed
    same = get(samples, "/v1/changes", since="9999-12-31", until="9999-12-31")
    assert same["documents_total"] == same["edges_total"] == 0


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/documents/unknown", 404, "not_found"),
        ("/v1/documents/unknown/regions?page=1", 404, "not_found"),
        ("/v1/documents/unknown/tables/0", 404, "not_found"),
        ("/v1/documents?company=999999", 404, "not_found"),
        ("/v1/documents?limit=201", 422, "invalid_request"),
        ("/v1/documents?offset=-1", 422, "invalid_request"),
        ("/v1/documents?status=lost", 422, "invalid_request"),
        ("/v1/documents?kind=%00", 422, "invalid_request"),
        ("/v1/documents?as_of=yesterday", 422, "invalid_request"),
        ("/v1/figures", 422, "invalid_request"),
        ("/v1/metrics/luck/figures", 404, "not_found"),
        ("/v1/documents/unknown/figures", 404, "not_found"),
        ("/v1/figures/unknown/1", 404, "not_found"),
        ("/v1/series?company=688991&metric=luck", 404, "not_found"),
        ("/v1/companies/profile?company=999999", 404, "not_found"),
        ("/v1/entities/unknown", 404, "not_found"),
        ("/v1/entities/unknown/neighbours", 404, "not_found"),
        ("/v1/evidence?src=a&relation=likes&dst=b", 404, "not_found"),
        ("/v1/communities?week=0001-01-01", 404, "not_found"),
        ("/v1/communities/unknown", 404, "not_found"),
        ("/v1/chains/unknown", 404, "not_found"),
        ("/v1/changes?since=2026-01-02", 422, "invalid_request"),
    ],
)
def test_what_cannot_be_served_is_told_in_the_one_form(
    samples: TestClient, path: str, status: int, code: str
) -> None:
    answer = samples.get(path)
    assert (answer.status_code, answer.json()["error"]["type"]) == (status, code), answer.text


def test_addresses_carry_no_names(app: FastAPI) -> None:
    named = {"name", "question", "text", "broker", "segment"}
    for path, operations in app.openapi()["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", ()):
            assert parameter["name"] not in named, path


def test_every_route_that_looks_up_may_be_asked_by_day_and_app(app: FastAPI) -> None:
    for path, operations in app.openapi()["paths"].items():
        asked = operations.get("get")
        if asked and set(asked["tags"]) & set(LOOKING) and not path.endswith(".png"):
            names = {each["name"] for each in asked["parameters"]}
            fixed = path in ("/v1/metrics", "/v1/relations")
            assert "app" in names and (fixed or names & {"as_of", "until"}), path


def test_nothing_is_seen_of_another_application(client: TestClient, service: Any) -> None:
    with service.writer.transaction() as connection:
        add_facts(connection, "ours", [fact(1000)], published_on="2026-03-01")
        add_document(connection, "theirs", ["别家。"], app_id="other", company="远岫能源")
    paths = [
        "/v1/documents/ours",
        "/v1/documents/ours/regions?page=1",
        "/v1/documents/ours/tables",
        "/v1/figures/ours/0",
        f"/v1/companies/profile?company={quote('星河新材')}",
        "/v1/series?company=300999.SZ&metric=revenue",
    ]
    for path in paths:
        other = f"{path}{'&' if '?' in path else '?'}app=other"
        assert client.get(path).status_code == 200, path
        # what only the other application has a name for is told by the same word as what nobody has
        assert client.get(other).status_code in (200, 404), path
        assert "1000" not in client.get(other).text
    listed = client.get("/v1/documents", params={"app": "other"}).json()
    assert [each["document_id"] for each in listed["items"]] == ["theirs"]
    found = client.post("/v1/documents/find", json={"app": "other", "text": "ours"}).json()
    assert found["total"] == 0
    figures = client.get("/v1/metrics/revenue/figures", params={"app": "other"}).json()
    assert figures["total"] == 0
