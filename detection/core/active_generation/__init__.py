"""Check a text while it is written, so that one error does not cause the next (METHODS D)."""
