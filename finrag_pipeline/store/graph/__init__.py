"""The entity graph in Postgres: what is left to do of it."""
