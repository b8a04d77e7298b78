"""A deployment's own definitions: what `dg scaffold defs` writes here is loaded as it is."""
