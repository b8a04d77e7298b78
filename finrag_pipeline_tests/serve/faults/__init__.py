"""Whole processes while something around them fails: what docs/operations.md promises of it."""
