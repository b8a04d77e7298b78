"""The page over the samples, as `finrag_pipeline_tests.serve.http` serves them."""

from finrag_pipeline_tests.serve.http.conftest import sample_service, samples, samples_url, service

__all__ = ["sample_service", "samples", "samples_url", "service"]
