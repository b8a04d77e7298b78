"""Whose name it is: the registry of securities, names resolved to codes, mentions to entities."""
