"""Weekly communities of the entity graph: partitions in levels, kept and named from week to week.

Graphs are arrays here; what communities tell belongs to `stages.reports`.
"""
