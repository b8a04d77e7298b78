"""Weekly builds: communities, their reports, chains, and what questions read of them."""
