"""Figures of rows: what tables print under a label that the words of a question spell out.

Figures that the vocabulary knows are `numbers`', sentences `passages`'.
"""

from finrag_pipeline.query.answers.rows.writer import RowsWriter

__all__ = ["RowsWriter"]
