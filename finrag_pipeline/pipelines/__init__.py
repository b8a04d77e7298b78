"""Composes stages, models and store, without Dagster; one module an asset."""
