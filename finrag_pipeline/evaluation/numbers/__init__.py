"""How well questions for figures are understood and answered, by files with gold answers."""
