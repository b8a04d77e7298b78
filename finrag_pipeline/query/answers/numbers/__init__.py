"""Answers to questions for figures: one direct line, how it was worked out, or why there is none.

Which figures answer a question is `query.numbers`'; whether a draft is said is the gate's.
"""
