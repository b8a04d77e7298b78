"""What every stage shares: the run it is part of, its workers, its chat model, its watchers."""
