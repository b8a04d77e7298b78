"""Weekly builds in Postgres."""
