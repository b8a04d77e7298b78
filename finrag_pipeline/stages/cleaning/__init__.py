"""Lines of a document to regions, kept or dropped by a named rule: see `clean`."""
