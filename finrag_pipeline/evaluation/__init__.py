"""Measures of what the system does on real material with gold answers; no rule of it lives here."""
