"""Relations that rows of a table state by the heads of its columns.

What sentences state belongs to `stages.extraction.relations`.
"""
