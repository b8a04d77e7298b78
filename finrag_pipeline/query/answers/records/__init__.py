"""Answers from what covers of reports say: ratings, prices, authors, days, by house."""
