"""Files of a user's own data vendor: what a mapping says of them, what figures they hold."""
