"""Traces: steps sent to an OpenTelemetry collector, where a deployment names one.

It needs the extra `otel`; without it, and by default, nothing is loaded and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from finrag_pipeline import __version__, spans
from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import install_extra
from finrag_pipeline.spans import Span


@contextmanager
def exported(url: str | None) -> Generator[None]:
    """While the block lasts, send every step to a collector; what is left is sent at its end.

    Args:
        url: where it takes OTLP by HTTP, e.g. ``http://localhost:4318/v1/traces``; None: nowhere.

    Raises:
        ConfigurationError: the extra `otel` is not installed.
    """
    if url is None:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace import Status, StatusCode
    except ImportError:
        raise ConfigurationError(
            f"FINRAG_TRACES_URL needs an extra: run `{install_extra('otel')}`, or unset it"
        ) from None
    # of its own, not the process's: what libraries trace by themselves holds addresses and texts
    provider = TracerProvider(
        resource=Resource({"service.name": "finrag", "service.version": __version__})
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    tracer = provider.get_tracer("finrag")

    @contextmanager
    def traced(step: Span) -> Generator[None]:
        with tracer.start_as_current_span(
            # an exception's text may quote a question
            step.name,
            record_exception=False,
            set_status_on_exception=False,
        ) as sent:
            try:
                yield
            finally:
                sent.set_attributes(step.attributes)
                if step.error:
                    sent.set_attribute("error.type", step.error)
                    sent.set_status(Status(StatusCode.ERROR))

    try:
        with spans.watched(traced):
            yield
    finally:
        provider.shutdown()
