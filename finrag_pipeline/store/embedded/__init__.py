"""The Postgres that comes with the package: its programs, its data directory, its process."""
