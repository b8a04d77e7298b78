"""Doors for people and programs: the command line."""
