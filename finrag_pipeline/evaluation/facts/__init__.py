"""Measures of single figures: how many of a gold are read, and with which value."""
