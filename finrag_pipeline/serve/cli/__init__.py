"""The command `finrag`: one module a command."""
