"""Comparisons: what is said of each side, side by side, and how they differ."""

from finrag_pipeline.query.answers.comparisons.writer import ComparisonWriter

__all__ = ["ComparisonWriter"]
