"""Compare two sentences: whether they are about the same thing, and whether they contradict each other."""
