"""The page over the samples, as `finrag_pipeline_tests.serve.http` serves them."""

from finrag_pipeline_tests.serve.http.conftest import samples, service

__all__ = ["samples", "service"]
