"""Thin interfaces to the same check for other programs. Importing a door must not load the others."""
