"""Figures of parts: what tables print of a segment, a product or a line that the vocabulary lacks.

Figures of whole companies are `numbers`', sentences `passages`'.
"""

from finrag_pipeline.query.answers.parts.writer import PartsWriter

__all__ = ["PartsWriter"]
