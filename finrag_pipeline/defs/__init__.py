"""The only place that knows Dagster: short assets, each calling one pipeline function."""
