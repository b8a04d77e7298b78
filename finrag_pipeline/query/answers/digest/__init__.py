"""What came in some days over the whole library: the morning note, as an answer and as a file."""
