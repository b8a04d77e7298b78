"""What follows from statements alone: which names are one entity when, and what sums an entity up.

Pure arithmetic on rows that somebody else reads and writes; sums over them are the store's.
"""
