"""The sources of a check, cut into passages, and the passages that belong to a sentence."""
