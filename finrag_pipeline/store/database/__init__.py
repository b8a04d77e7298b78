"""Reaching Postgres: connections, schema, named queries, errors in one line, backups."""
