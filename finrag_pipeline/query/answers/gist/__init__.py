"""Answers about one report as a whole: whose it is, its points, the risks that it names."""
