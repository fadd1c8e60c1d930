"""Sentences against the user's sources (METHODS B)."""
