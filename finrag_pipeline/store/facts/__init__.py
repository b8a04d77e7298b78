"""Single figures: what documents print and what a data vendor supplies."""
