"""How often questions find the pages that answer them: one measure for every way to search."""
