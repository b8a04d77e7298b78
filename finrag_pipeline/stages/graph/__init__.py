"""What follows from evidence alone: whose names are one entity when, and how much its edges weigh.

Pure arithmetic on rows that somebody else reads and writes.
"""
