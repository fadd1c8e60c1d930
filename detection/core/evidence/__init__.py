"""Read evidence for a claim, document by document, until the verdict is clear enough (METHODS C)."""
