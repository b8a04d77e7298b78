"""What a question asks for in words that no document prints, said by the term that they print."""
