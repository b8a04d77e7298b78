"""How well pages are read: metadata, kept and dropped text, evidence, tables, speed."""
