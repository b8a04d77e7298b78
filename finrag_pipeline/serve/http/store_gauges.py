"""What the store and its pools are like when Prometheus asks: gauges, read then and kept briefly.

A scrape never waits for a slow store: it has the figures of the last look then. What is counted as
it happens belongs to `metrics`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from finrag_pipeline.errors import FinragError
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.usage import store_gauges
from finrag_pipeline.store.usage.store_gauges import StoreFigures

_LOG = logging.getLogger("finrag.http")

#: Seconds for which figures are told without another look.
_KEPT_S = 10.0
#: What a scrape waits for the store; it has 200 ms for everything.
_WAITED_S = 0.15


class StoreGauges(Collector):
    """The gauges of one server.

    Args:
        service: what the store holds is told where it may write: readers see one application
            each. The keyword copy is that of the application of its settings.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._keywords = KeywordIndex(service.settings.home / "keyword", service.reader)
        self._guard = threading.Lock()
        self._looking: Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-gauges")
        self._figures: StoreFigures | None = None
        self._behind_s: float | None = None
        self._looked_at: float | None = None
        self._up = False

    def describe(self) -> list[Metric]:
        """Nothing: what there is to tell is known once the store was read."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The figures of the last look, which is a new one where the store answers in time."""
        self._look()
        yield _gauge(
            "finrag_store_up", "Whether the store answered the last look.", float(self._up)
        )
        if self._looked_at is not None:
            yield _gauge(
                "finrag_store_look_age_seconds",
                "How old the figures of the store are.",
                time.monotonic() - self._looked_at,
            )
        yield from self._pools()
        if self._figures is not None:
            yield from _of_store(self._figures)
        if self._behind_s is not None:
            yield _gauge(
                "finrag_keyword_copy_lag_seconds",
                "Age of the oldest change that this host's keyword copy lacks; 0: it has all.",
                self._behind_s,
            )

    def _look(self) -> None:
        with self._guard:
            looked_at = self._looked_at
            if self._up and looked_at is not None and time.monotonic() - looked_at < _KEPT_S:
                return
            if self._looking is None or self._looking.done():
                self._looking = self._thread.submit(self._read)
            looking = self._looking
        wait([looking], _WAITED_S)

    def _read(self) -> None:
        service = self._service
        try:
            self._behind_s = self._keywords.of(service.settings.app).behind_s()
            if service.database is not None:
                with service.database.connection() as connection:
                    self._figures = store_gauges.read(connection)
        except FinragError as error:
            _LOG.warning("the store was not read for /metrics: %s", type(error).__name__)
            self._up = False
            return
        self._looked_at, self._up = time.monotonic(), True

    def _pools(self) -> Generator[Metric]:
        used = GaugeMetricFamily(
            "finrag_pool_connections",
            "Connections to Postgres by pool and state.",
            labels=("pool", "state"),
        )
        limit = GaugeMetricFamily(
            "finrag_pool_max_connections", "What a pool may grow to.", labels=("pool",)
        )
        waiting = GaugeMetricFamily(
            "finrag_pool_waiting", "Who waits for a connection of a pool.", labels=("pool",)
        )
        pools = {"reader": self._service.reader, "writer": self._service.database}
        for name, pool in pools.items():
            if pool is None:
                continue
            use = pool.use()
            used.add_metric((name, "idle"), use.idle)
            used.add_metric((name, "busy"), use.busy)
            limit.add_metric((name,), use.most)
            waiting.add_metric((name,), use.waiting)
        yield from (used, limit, waiting)


def _of_store(figures: StoreFigures) -> Generator[Metric]:
    documents = GaugeMetricFamily(
        "finrag_documents", "Documents by what readers get of them.", labels=("state",)
    )
    for state, count in figures.documents.items():
        documents.add_metric((state,), count)
    yield documents
    yield _gauge("finrag_chunks", "Chunks that readers can find.", figures.chunks)
    unfinished = GaugeMetricFamily(
        "finrag_unfinished_stages",
        "Stages of documents that a chat model left undone.",
        labels=("stage",),
    )
    for stage, count in figures.unfinished_stages.items():
        unfinished.add_metric((stage,), count)
    yield unfinished
    if figures.newest_arrival_s is not None:
        yield _gauge(
            "finrag_newest_arrival_timestamp_seconds",
            "The last day that brought a document, as of its beginning.",
            figures.newest_arrival_s,
        )
    if figures.weekly_build_s is not None:
        yield _gauge(
            "finrag_weekly_build_timestamp_seconds",
            "When the current weekly build was published; of several apps the one that waits most.",
            figures.weekly_build_s,
        )
    if figures.job_successes_s:
        successes = GaugeMetricFamily(
            "finrag_job_last_success_timestamp_seconds",
            "When a run of a job of Dagster's ended well for the last time.",
            labels=("job_name",),
        )
        for job, ended_s in figures.job_successes_s.items():
            successes.add_metric((job,), ended_s)
        yield successes


def _gauge(name: str, purpose: str, value: float) -> Metric:
    return GaugeMetricFamily(name, purpose, value)
