"""Lists: one line for each company, house, report or item that qualifies, with its own citation."""

from finrag_pipeline.query.answers.lists.writer import ListWriter

__all__ = ["ListWriter"]
