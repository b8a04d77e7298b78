"""`finrag serve`: the REST contract, and what every route of the server shares."""
