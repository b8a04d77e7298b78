"""Whose names are told apart, and which relations are read between them."""
