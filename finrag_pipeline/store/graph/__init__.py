"""The entity graph: what was read of names, what is computed of it, what questions read."""
