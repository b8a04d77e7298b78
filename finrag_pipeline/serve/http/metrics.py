"""`GET /metrics`: counters and times of this process, and what the store holds, for Prometheus.

One concept a metric; labels take few values, all of them words of the product: no application, no
address, nothing of a question. What is counted is a step of `spans`; the store is `store_gauges`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from finrag_pipeline.serve.http.access import Bearer, from_this_host, require
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.store_gauges import StoreGauges
from finrag_pipeline.serve.service import Service
from finrag_pipeline.spans import Span

router = APIRouter(tags=["server"])

#: From what a lookup takes to what a question may with a chat model.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
#: Steps of a question; its lanes have times of their own.
_STEPS = frozenset(("ask", "search", "reading", "fusion", "evidence", "rerank", "writer", "gate"))
#: Why a lane failed, by the type of its error.
_REASONS = {"LaneTimedOut": "timed_out", "LaneLeftOut": "left_out"}


class Metrics:
    """What one server counts, from when it starts.

    Args:
        service: whose store and pools are told.
    """

    def __init__(self, service: Service) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(StoreGauges(service))
        self._requests = Counter(
            "finrag_http_requests",
            "Requests by route, method and class of status.",
            ("route", "method", "status"),
            registry=registry,
        )
        self._request_seconds = Histogram(
            "finrag_http_request_duration_seconds",
            "Time of requests, streams to their end.",
            ("route",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._questions = Counter(
            "finrag_questions",
            "Questions by route and status: answered, how refused, or failed.",
            ("route", "status"),
            registry=registry,
        )
        self._steps = Histogram(
            "finrag_step_duration_seconds",
            "Time of steps of questions and searches; ask and search are the whole.",
            ("step",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._lanes = Histogram(
            "finrag_lane_duration_seconds",
            "Time of lanes, failed ones included.",
            ("lane",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._lane_failures = Counter(
            "finrag_lane_failures",
            "Lanes that failed a question: timed out, left out by the breaker, or broke.",
            ("lane", "reason"),
            registry=registry,
        )
        self._degraded = Counter(
            "finrag_degraded_steps",
            "Steps that an answer or a search had to do without.",
            ("step",),
            registry=registry,
        )
        self._chat_requests = Histogram(
            "finrag_chat_request_duration_seconds",
            "Time of requests to the chat model, by whether it answered.",
            ("outcome",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._chat_tokens = Counter(
            "finrag_chat_tokens",
            "Tokens of the chat model, by whether they were sent or received.",
            ("kind",),
            registry=registry,
        )

    def exposition(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    @contextmanager
    def count(self, step: Span) -> Generator[None]:
        """Count a step as it ends; watches `spans`."""
        try:
            yield
        finally:
            self._count(step)

    def _count(self, step: Span) -> None:
        said = step.attributes
        if step.name == "request":
            route = str(said["route"])
            status = f"{str(said['status'])[0]}xx"
            self._requests.labels(route, str(said["method"]), status).inc()
            self._request_seconds.labels(route).observe(step.seconds)
        elif step.name == "lane":
            lane = str(said["lane"])
            self._lanes.labels(lane).observe(step.seconds)
            if step.error:
                self._lane_failures.labels(lane, _REASONS.get(step.error, "broke")).inc()
        elif step.name == "chat_request":
            self._chat_requests.labels("failed" if step.error else "answered").observe(step.seconds)
            for kind in ("prompt", "completion"):
                self._chat_tokens.labels(kind).inc(cast(int, said.get(f"{kind}_tokens", 0)))
        if step.name in _STEPS:
            self._steps.labels(step.name).observe(step.seconds)
        if step.name == "ask":
            route, status = str(said.get("route", "none")), str(said.get("status", "failed"))
            self._questions.labels(route, status).inc()
        for each in cast(tuple[str, ...], said.get("degraded", ())):
            self._degraded.labels(each).inc()


def scraping(request: Request, credentials: Bearer) -> None:
    """Who may read metrics: whoever connects from this host itself, else an `admin`.

    Raises:
        RequestRefused: neither.
    """
    if not from_this_host(request):
        require("admin")(request, credentials)


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {}}, "description": "In the text format of Prometheus"},
        **{status: ERRORS[status] for status in (400, 401, 403)},
    },
)
def metrics(request: Request, _: Annotated[None, Depends(scraping)]) -> Response:
    """Counters, times and gauges for Prometheus; from another host with an admin's token."""
    held: Metrics = request.app.state.metrics
    return Response(held.exposition(), media_type=CONTENT_TYPE_LATEST)
