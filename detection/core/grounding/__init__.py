"""Compare sentences with the user's sources (METHODS B)."""
