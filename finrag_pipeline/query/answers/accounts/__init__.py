"""Answers on companies of whom a user keeps records."""
