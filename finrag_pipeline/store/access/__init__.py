"""Who may ask: tokens of applications."""
