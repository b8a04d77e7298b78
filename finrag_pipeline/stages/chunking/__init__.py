"""Kept text to chunks: sentences, units, cliques, cuts, and what makes a chunk stand alone."""
