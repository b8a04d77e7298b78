"""Several machines: what `make test-scale` runs."""
