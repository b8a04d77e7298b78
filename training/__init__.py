"""How what ships with the package was learned; no part of the wheel."""
