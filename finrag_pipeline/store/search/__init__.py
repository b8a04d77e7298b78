"""What lanes find and read back: vectors, the keyword copy, the passages behind entries."""
