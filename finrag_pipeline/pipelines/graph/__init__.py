"""Chunks to the entity graph and what is written of it; one module an asset."""
