"""The entity graph as pipelines keep it."""
