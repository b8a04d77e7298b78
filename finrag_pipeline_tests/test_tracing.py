"""Traces as a collector gets them: nested steps with ids and counts, and no text."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from finrag_pipeline import spans, tracing

pytest.importorskip("opentelemetry.sdk", reason="needs the extra otel")


@pytest.fixture
def collector(httpserver: HTTPServer) -> tuple[str, list[Any]]:
    """Its URL, and the spans that it got."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
        ExportTraceServiceRequest,
    )

    got: list[Any] = []

    def take(request: Request) -> Response:
        body = request.get_data()
        if request.headers.get("Content-Encoding") == "gzip":
            import gzip

            body = gzip.decompress(body)
        told = ExportTraceServiceRequest.FromString(body)
        got.extend(s for r in told.resource_spans for c in r.scope_spans for s in c.spans)
        return Response(status=200)

    httpserver.expect_request("/v1/traces", method="POST").respond_with_handler(take)
    return httpserver.url_for("/v1/traces"), got


def attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value for each in span.attributes}


def test_steps_arrive_nested_also_from_threads(collector: tuple[str, list[Any]]) -> None:
    url, got = collector

    def lane() -> None:
        with spans.span("lane", lane="keyword"):
            raise LookupError("Zanzibar 目标价")

    with tracing.exported(url), spans.question_span("ask") as step:
        step.attributes["status"] = "answered"
        with ThreadPoolExecutor(1) as pool:
            failed = pool.submit(copy_context().run, lane)
        assert failed.exception() is not None
    by_name = {span.name: span for span in got}
    asked, searched = by_name["ask"], by_name["lane"]
    assert searched.parent_span_id == asked.span_id
    assert attributes(asked)["status"].string_value == "answered"
    assert len(attributes(asked)["question_id"].string_value) == 16
    assert attributes(searched)["error.type"].string_value == "LookupError"
    assert not searched.events and "Zanzibar" not in str(got)


def test_nothing_is_sent_after_the_block_or_without_a_collector(
    collector: tuple[str, list[Any]],
) -> None:
    url, got = collector
    with tracing.exported(url):
        pass
    with tracing.exported(None), spans.span("ask"):
        pass
    assert got == []


def test_by_default_nothing_of_it_is_loaded() -> None:
    program = (
        "import sys\nfrom finrag_pipeline import spans, tracing\n"
        "with tracing.exported(None), spans.span('ask'): pass\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
