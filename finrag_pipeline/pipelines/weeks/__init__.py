"""The graph of a week to communities, reports and chains; one module an asset."""
