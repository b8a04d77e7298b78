"""How well documents are cut into chunks, and what the vectors of chunks find."""
