"""Evidence for a claim, one document after the other, until it is clear enough (METHODS C)."""
