"""finrag_pipeline: research reports in, indexed assets and cited answers out."""

__version__ = "0.1.0"
