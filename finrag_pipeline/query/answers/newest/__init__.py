"""Answers about the newest of a company: what was said last, by whom, and what changed."""
