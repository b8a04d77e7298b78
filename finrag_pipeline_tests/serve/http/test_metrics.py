"""Metrics: what was asked is counted under few labels; what the store holds is read in time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.http.store_gauges import StoreGauges
from finrag_pipeline.serve.service import Service, open_service
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.serve.http.conftest import LOOPBACK

QUESTION = "云衍数据的目标价是多少？"
#: One sample by its name and labels.
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def beside(sample_service: Service) -> Iterator[TestClient]:
    """A client on the server's own host, of a server that has counted nothing yet."""
    app = create_app(sample_service)
    with TestClient(app, LOOPBACK, client=("127.0.0.1", 50000)) as opened:
        yield opened


def scraped(client: TestClient) -> Samples:
    reply = client.get("/metrics")
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }


def looked(client: TestClient) -> Samples:
    """What is told once the store was read: a busy machine may take longer than a scrape waits."""
    for _ in range(100):
        samples = scraped(client)
        if value(samples, "finrag_store_up"):
            return samples
        time.sleep(0.05)
    raise AssertionError("the store was not read")


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, tuple(sorted(labels.items()))]


def test_a_question_is_counted_by_route_and_status(beside: TestClient) -> None:
    asked = beside.post("/v1/ask", json={"question": QUESTION}).json()
    beside.post("/v1/search", json={"question": QUESTION})
    samples = scraped(beside)
    route, status = asked["route"]["kind"], asked["status"]
    assert value(samples, "finrag_questions_total", route=route, status=status) == 1
    assert value(samples, "finrag_step_duration_seconds_count", step="ask") == 1
    assert value(samples, "finrag_step_duration_seconds_count", step="search") == 1
    assert value(samples, "finrag_step_duration_seconds_count", step="gate") >= 1
    assert value(samples, "finrag_lane_duration_seconds_count", lane="keyword") >= 1
    requests = {"route": "/v1/ask", "method": "POST", "status": "2xx"}
    assert value(samples, "finrag_http_requests_total", **requests) == 1
    assert value(samples, "finrag_http_request_duration_seconds_count", route="/v1/ask") == 1


def test_labels_hold_no_address_that_somebody_made_up(beside: TestClient) -> None:
    for path in ("/v1/nonsense/7", "/v1/asked?question=secret", "/%E7%A7%98%E5%AF%86"):
        beside.get(path)
    beside.request("BREW", "/v1/ask")
    beside.post("/v1/ask", json={"question": ""})
    samples = scraped(beside)
    told = {
        labels
        for name, labels in samples
        if name == "finrag_http_requests_total" and ("method", "POST") not in labels
    }
    assert told == {
        (("method", "GET"), ("route", "unmatched"), ("status", "4xx")),
        (("method", "other"), ("route", "/v1/ask"), ("status", "4xx")),
    }
    refused = {"route": "/v1/ask", "method": "POST", "status": "4xx"}
    assert value(samples, "finrag_http_requests_total", **refused) == 1


def test_a_question_that_fails_is_counted_as_failed(beside: TestClient) -> None:
    beside.post("/v1/ask", json={"question": QUESTION, "document": "no such file"})
    assert value(scraped(beside), "finrag_questions_total", route="none", status="failed") == 1


def test_the_store_and_the_pools_are_told(beside: TestClient, sample_service: Service) -> None:
    samples = looked(beside)
    assert sample_service.database is not None
    with sample_service.database.connection() as connection:
        counted = connection.execute(
            "select (select count(*) from documents) as documents,"
            " (select count(*) from clique_chunks) as chunks,"
            " (select extract(epoch from max(arrival_on)) from documents) as arrival_s"
        ).fetchone()
    assert counted is not None
    assert value(samples, "finrag_documents", state="indexed") == counted["documents"]
    assert value(samples, "finrag_chunks") == counted["chunks"]
    assert value(samples, "finrag_store_up") == 1
    assert 0 <= value(samples, "finrag_store_look_age_seconds") < 60
    assert value(samples, "finrag_newest_arrival_timestamp_seconds") == counted["arrival_s"]
    assert value(samples, "finrag_pool_max_connections", pool="reader") == 16
    assert value(samples, "finrag_pool_connections", pool="writer", state="busy") >= 0
    assert value(samples, "process_resident_memory_bytes") > 0


def test_jobs_tell_when_they_succeeded_last(client: TestClient, service: Service) -> None:
    assert service.database is not None
    name = "finrag_job_last_success_timestamp_seconds"
    near = TestClient(client.app, LOOPBACK, client=("127.0.0.1", 50000))
    assert not [told for told, _ in looked(near) if told == name]
    service.database.dagster_url()
    with service.database.transaction() as connection:
        connection.execute(
            "create table dagster.runs as select * from (values"
            " ('nightly_ingestion', 'SUCCESS', 5.5), ('nightly_ingestion', 'SUCCESS', 7.5),"
            " ('nightly_ingestion', 'FAILURE', 9.5), ('weekly_rebuild', 'STARTED', null),"
            " ('__ASSET_JOB', 'SUCCESS', 8.5)) as runs (pipeline_name, status, end_time)"
        )
    app = create_app(service)
    with TestClient(app, LOOPBACK, client=("127.0.0.1", 50000)) as later:
        samples = looked(later)
    told = {labels: value for (each, labels), value in samples.items() if each == name}
    assert told == {(("job_name", "nightly_ingestion"),): 7.5}


def test_what_changed_waits_until_the_keyword_copy_follows(
    client: TestClient, service: Service
) -> None:
    near = TestClient(client.app, LOOPBACK, client=("127.0.0.1", 50000))
    assert ("finrag_keyword_copy_lag_seconds", ()) not in looked(near)
    keywords = StoreGauges(service)._keywords.of("default")  # pyright: ignore[reportPrivateUsage]
    assert keywords.sync() and keywords.behind_s() == 0
    assert service.database is not None
    with service.database.transaction() as connection:
        connection.execute(
            "insert into index_changes (app_id, document_id, changed_at)"
            " values ('default', 'd', now() - interval '90 seconds')"
        )
    behind_s = keywords.behind_s()
    assert behind_s is not None and behind_s >= 90
    keywords.sync()
    assert keywords.behind_s() == 0


def test_a_store_that_hangs_keeps_no_scrape_waiting(client: TestClient, service: Service) -> None:
    near = TestClient(client.app, LOOPBACK, client=("127.0.0.1", 50000))
    assert service.database is not None
    with service.database.transaction() as connection:
        connection.execute("lock table documents in access exclusive mode")
        samples = scraped(near)
    assert value(samples, "finrag_store_up") == 0
    assert not any(name == "finrag_documents" for name, _ in samples)


def test_a_store_that_is_gone_is_told(settings: Settings) -> None:
    with open_service(settings, writing=True) as service:
        near = TestClient(create_app(service), LOOPBACK, client=("127.0.0.1", 50000))
        assert value(looked(near), "finrag_store_up") == 1
        service.reader.close()
        gone = TestClient(create_app(service), LOOPBACK, client=("127.0.0.1", 50000))
        assert value(scraped(gone), "finrag_store_up") == 0
