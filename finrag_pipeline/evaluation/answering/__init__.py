"""How right answers are: by their values, by what is refused, by where their citations stand."""
