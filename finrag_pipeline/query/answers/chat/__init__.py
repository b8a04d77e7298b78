"""Answers in a chat model's words: what it is shown, how it is asked, what of its reply is kept.

Who writes first and who where that fails is `query.drafting`.
"""
