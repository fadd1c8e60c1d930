"""Thin interfaces over the same check, for where people write. Importing a door must not load the others."""
