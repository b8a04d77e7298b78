"""The Dagster code location."""

from finrag_pipeline.defs.assembly import build_definitions

defs = build_definitions()
