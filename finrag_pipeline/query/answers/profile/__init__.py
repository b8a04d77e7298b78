"""Answers that sum a company up: business, latest figures, views by house, risks."""
