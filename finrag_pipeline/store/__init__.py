"""The only place that knows Postgres, Tantivy and where raw files lie."""
