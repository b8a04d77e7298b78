"""Answers in the words of passages."""
