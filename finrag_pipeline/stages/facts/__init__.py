"""Single figures of a document: whose, of what, for when, in what; a rank says which counts."""
