"""How a page is drawn: text, tables, charts, covers."""
